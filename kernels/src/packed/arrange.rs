//! Which way round a product is packed.

use cteinsum_plan::sort_by;

use crate::axis::{Axis, AxisList, Contraction, size};
use crate::isa::{Level, level};
use crate::kind::{ElementType, Kind};

/// Rows of the register tile: three registers of them, where there are registers.
fn tile_rows(element: ElementType) -> usize {
    let register = match (level(), element.kind) {
        (Level::Portable, _) | (_, Kind::U8 | Kind::U128 | Kind::Other) => 0,
        (Level::Neon | Level::Avx2, Kind::U64) => 0,
        (Level::Neon, _) => 16,
        (Level::Avx2, _) => 32,
        (Level::Avx512, _) => 64,
    };
    3 * register / element.size.max(1)
}

/// Whether the columns should be the rows.
///
/// Rows are what C is densest along, because they are stored by whole registers. But where one micro-panel holds all rows,
/// nothing is packed of the other operand, the larger one; and C is the smaller the more terms there are. Unless whole
/// registers of the larger one become whole registers of C: the first tiles pack those as they read them.
pub(crate) fn swaps(axes: &Contraction, element: ElementType) -> bool {
    let densest = |axes: &[Axis]| axes.iter().map(|axis| axis.c.unsigned_abs()).min();
    let dense_along_n = densest(&axes.n) < densest(&axes.m);
    let (m, n, k) = (size(&axes.m), size(&axes.n), size(&axes.k));
    let rows = tile_rows(element);
    let few = |these: usize, others: usize, whole: bool| {
        these <= rows && rows < others && 2 * these <= k && !whole
    };
    let whole = |axes: &[Axis], stride: fn(&Axis) -> isize| {
        (axes.iter()).any(|axis| {
            axis.c == 1 && stride(axis) == 1 && axis.len.is_multiple_of((rows / 3).max(1))
        })
    };
    match dense_along_n {
        true => !few(m, n, whole(&axes.n, |axis| axis.b)),
        false => few(n, m, whole(&axes.m, |axis| axis.a)),
    }
}

/// Puts the axes of each group in the order of the array in which most elements are met along them.
///
/// They come in the order of C (m and n) and of A (k).
pub(crate) fn sort(axes: &mut Contraction, element: ElementType) {
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
    let far = |elements: usize| elements.saturating_mul(element.size) > FAR;
    let bytes = element.size.max(1);
    // Eight register tiles.
    let rows = 8 * 3 * 64 / bytes;
    if far(m.saturating_mul(k)) {
        interleave(&mut axes.m, |axis| axis.a, bytes, rows);
    }
    if far(k.saturating_mul(n)) {
        interleave(&mut axes.n, |axis| axis.b, bytes, rows);
    }
    // The array that does not set the order of the terms.
    if n > m && far(m.saturating_mul(k)) {
        interleave(
            &mut axes.k,
            |axis| axis.a,
            bytes,
            super::blocking::kc(bytes),
        );
    } else if n <= m && far(k.saturating_mul(n)) {
        interleave(
            &mut axes.k,
            |axis| axis.b,
            bytes,
            super::blocking::kc(bytes),
        );
    }
}

/// Bytes of an operand that no longer lies in a near cache.
const FAR: usize = 256 << 10;

/// Cuts two axes and puts the pieces next to each other: that which `stride` is 1 along, of which a line has `few` elements, and
/// the innermost one, of which `few` times a `run` make at most `block` indices. So that who packs a block finds use for all
/// of a line, and in the blocks after it for the lines behind.
fn interleave(axes: &mut AxisList, stride: fn(&Axis) -> isize, bytes: usize, block: usize) {
    let Some((&inner, outer)) = axes.split_last() else {
        return;
    };
    let line = 64 / bytes;
    let Some(at) = outer.iter().position(|axis| stride(axis) == 1) else {
        return;
    };
    let few = divisor(outer[at].len, line.min(8), 1);
    if few < 4 || stride(&inner).unsigned_abs() < line {
        return;
    }
    let run = match divisor(inner.len, block / few, line) {
        0 => divisor(inner.len, block / few, 1),
        run => run,
    };
    let run = if run < 8 { inner.len } else { run };
    let [dense, piece] = cut(outer[at], few);
    let [rest, run] = cut(inner, run);
    let mut outer: Vec<Axis> = outer.to_vec();
    outer.remove(at);
    outer.extend([dense, rest, piece, run]);
    *axes = outer.into_iter().filter(|axis| axis.len != 1).collect();
}

/// The largest divisor of `len` up to `most` that is a multiple of `unit`; 0 if there is none.
fn divisor(len: usize, most: usize, unit: usize) -> usize {
    let fits = |&d: &usize| len.is_multiple_of(d) && d.is_multiple_of(unit);
    (1..=most.min(len)).rev().find(fits).unwrap_or(0)
}

/// Two axes for one, the inner one of `len`, a divisor of its length.
fn cut(axis: Axis, len: usize) -> [Axis; 2] {
    let by = len as isize;
    let outer = Axis::new(axis.len / len, axis.a * by, axis.b * by, axis.c * by);
    [outer, Axis { len, ..axis }]
}
