//! The matrix product of `faer`, for each item of the batch.
//!
//! `faer` is called on one thread; the team shares out C. An element has the same bits in a part as in the whole,
//! because `faer` cuts K at fixed blocks and a part takes the same branch of it: parts are cut at multiples of the
//! register tile, never to a single row or column, and stay above the size below which `faer` does not pack.

use faer::linalg::matmul::matmul_with_conj;
use faer::traits::ComplexField;
use faer::{Accum, Conj, MatMut, MatRef, Par};
use num_complex::Complex;

use super::axis::{Axis, size};
use super::kind::Kind;
use super::operands::Operands;
use super::scale::Update;
use super::share::Share;
use super::team::Team;
use super::walk::{Offset, walk};
use crate::element::Element;

/// Rows of the largest register tile of `faer` (f32 under AVX-512).
const ROWS: usize = 96;
/// Columns of the largest.
const COLUMNS: usize = 8;

/// Multiplications up to which `faer` packs nothing.
const UNPACKED: usize = 4096;

/// Runs the products on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`; C is initialised, and `T` is a type that `faer` knows.
pub(crate) unsafe fn run<T: Element>(
    batch: &[Axis],
    [m, n, k]: [&Axis; 3],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let width = width.min(team.threads());
    if batch.is_empty() && width == 1 {
        // SAFETY: the caller's promise.
        return unsafe { item(m, n, k, operands) };
    }
    let items = size(batch);
    // The parts of one product stay well above the size at which `faer` changes its branch; whole items may be small.
    let work = m.len.saturating_mul(n.len).saturating_mul(k.len);
    let width = if items >= 4 * width {
        width
    } else {
        width.min(work / (4 * UNPACKED)).max(1)
    };
    let share = Share::new(items, (m.len, ROWS), (n.len, COLUMNS), width);
    team.for_ranges(share.parts(), share.parts(), &|parts| {
        for part in parts {
            let part = share.part(part);
            let corner = Offset::default()
                .along(m, part.rows.start)
                .along(n, part.columns.start);
            let m = Axis {
                len: part.rows.len(),
                ..*m
            };
            let n = Axis {
                len: part.columns.len(),
                ..*n
            };
            walk(batch, part.items, &mut |offset| {
                // SAFETY: a corner of this part in an item of the batch; the part's elements of C are its own.
                unsafe { item(&m, &n, k, operands.at(offset).at(corner)) };
            });
        }
    });
}

/// One product, as the `faer` type that `T` is.
unsafe fn item<T: Element>(m: &Axis, n: &Axis, k: &Axis, operands: Operands<T>) {
    macro_rules! as_type {
        ($($kind:ident: $t:ty),*) => {$(
            if const { T::KIND.is(Kind::$kind) } {
                // SAFETY: `T` is this type.
                unsafe { product::<$t>(m, n, k, operands.cast()) };
                return;
            }
        )*};
    }
    as_type!(F64: f64, F32: f32, C64: Complex<f64>, C32: Complex<f32>);
    unreachable!("the route to faer is taken for its own element types only");
}

/// One product.
unsafe fn product<T: Element + ComplexField>(m: &Axis, n: &Axis, k: &Axis, operands: Operands<T>) {
    let Operands { a, b, c, scale } = operands;
    let accum = match scale.update() {
        Update::Store { .. } => Accum::Replace,
        Update::Add { .. } => Accum::Add,
        Update::Scaled { beta, .. } => {
            for j in 0..n.len {
                for i in 0..m.len {
                    // SAFETY: an element of C, initialised.
                    unsafe {
                        let c = c.offset(i as isize * m.c + j as isize * n.c);
                        *c = Element::mul(beta, *c);
                    }
                }
            }
            Accum::Add
        }
    };
    let conj = |conj: bool| if conj { Conj::Yes } else { Conj::No };
    // SAFETY: the matrices are readable, C writable, initialised and apart from A and B, by the caller's promise.
    unsafe {
        matmul_with_conj(
            MatMut::from_raw_parts_mut(c, m.len, n.len, m.c, n.c),
            accum,
            MatRef::from_raw_parts(a, m.len, k.len, m.a, k.a),
            conj(scale.conj_a),
            MatRef::from_raw_parts(b, k.len, n.len, k.b, n.b),
            conj(scale.conj_b),
            scale.alpha,
            Par::Seq,
        );
    }
}
