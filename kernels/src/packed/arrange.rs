//! Which way round a product is packed.

use cteinsum_plan::sort_by;

use crate::axis::{Axis, Contraction, size};
use crate::isa::{Level, level};
use crate::kind::{ElementType, Kind};

/// Rows of the register tile: three registers of them, where there are registers.
fn tile_rows(element: ElementType) -> usize {
    let register = match (level(), element.kind) {
        (Level::Portable, _) | (_, Kind::U8 | Kind::U128 | Kind::Other) => 0,
        (Level::Avx2, Kind::U64) => 0,
        (Level::Avx2, _) => 32,
        (Level::Avx512, _) => 64,
    };
    3 * register / element.size.max(1)
}

/// Whether the columns should be the rows.
///
/// Rows are what C is densest along, because they are stored by whole registers. But where one micro-panel holds all rows,
/// nothing is packed of the other operand, the larger one; and C is the smaller the more terms there are.
pub(crate) fn swaps(axes: &Contraction, element: ElementType) -> bool {
    let densest = |axes: &[Axis]| axes.iter().map(|axis| axis.c.unsigned_abs()).min();
    let dense_along_n = densest(&axes.n) < densest(&axes.m);
    let (m, n, k) = (size(&axes.m), size(&axes.n), size(&axes.k));
    let rows = tile_rows(element);
    let few = |these: usize, others: usize| these <= rows && rows < others && 2 * these <= k;
    if dense_along_n { !few(m, n) } else { few(n, m) }
}

/// Puts the axes of each group in the order of the array in which most elements are met along them.
///
/// They come in the order of C (m and n) and of A (k).
pub(crate) fn sort(axes: &mut Contraction) {
    let (m, n, k) = (size(&axes.m), size(&axes.n), size(&axes.k));
    let densest = |axes: &[Axis], stride: fn(&Axis) -> usize| axes.iter().map(stride).min();
    let a = |axis: &Axis| axis.a.unsigned_abs();
    let b = |axis: &Axis| axis.b.unsigned_abs();
    if k > n && densest(&axes.m, a) < densest(&axes.k, a) {
        sort_by(&mut axes.m, |x, y| (a(x), x.c) > (a(y), y.c));
    }
    if k > m && densest(&axes.n, b) < densest(&axes.k, b) {
        sort_by(&mut axes.n, |x, y| (b(x), x.c) > (b(y), y.c));
    }
    if n > m {
        sort_by(&mut axes.k, |x, y| (b(x), x.a) > (b(y), y.a));
    }
}
