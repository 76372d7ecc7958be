//! Matrix products whose batch is innermost: one lane of a vector register for each item.
//!
//! Where the batch has stride 1 in A, B and C, the elements of one item are as far apart as they can be, and one
//! product after the other would use a single element of each cache line. Here a register holds the same element of
//! neighbouring items, and a tile of `MT x NT` registers takes their sums: a matrix product whose elements are
//! registers. The sum of a lane is one term after the other, whatever the lane.

use super::axis::{Axis, size};
use super::isa::{Isa, Vectorize, vectorize};
use super::lanes::{Few, Lanes};
use super::operands::Operands;
use super::team::Team;
use super::walk::{Offset, locate};
use crate::scalar::Scalar;

/// Items of one task: whole cache lines of every element type.
const STRIP: usize = 64;
/// Fewest items for which lanes are worth it: a register of f32.
pub(crate) const FEWEST: usize = 16;

/// The loops of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanewise<'a> {
    /// The batch axis with stride 1 everywhere.
    pub(crate) lanes: &'a Axis,
    /// What is repeated: the rest of the batch, and free axes that do not fuse.
    pub(crate) outer: &'a [Axis],
    pub(crate) m: &'a Axis,
    pub(crate) n: &'a Axis,
    pub(crate) k: &'a Axis,
}

/// The batch axis that the lanes run along, if there is one.
pub(crate) fn lanes_axis(batch: &[Axis]) -> Option<usize> {
    batch
        .iter()
        .position(|axis| (axis.a, axis.b, axis.c) == (1, 1, 1) && axis.len >= FEWEST)
}

/// Runs the products on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`; `T` has no conjugate.
pub(crate) unsafe fn run<T: Scalar>(
    step: Lanewise<'_>,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let strips = step.lanes.len.div_ceil(STRIP);
    let width = width.min(team.threads());
    team.for_ranges(size(step.outer) * strips, width, |range| {
        for task in range {
            let start = task % strips * STRIP;
            let point = locate(step.outer, task / strips).along(step.lanes, start);
            vectorize(Strip {
                step,
                len: STRIP.min(step.lanes.len - start),
                // SAFETY: a strip of items; no other task has it.
                operands: unsafe { operands.at(point) },
            });
        }
    });
}

/// Some neighbouring items.
struct Strip<'a, T> {
    step: Lanewise<'a>,
    len: usize,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Strip<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        use super::isa::Level;
        use super::kind::Kind;
        #[cfg(target_arch = "x86_64")]
        use super::lanes::{U16x16, U16x32, U32x8, U32x16, U64x8};
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
        // The tiles leave room for a column of A and one element of B.
        macro_rules! lanes {
            ($($level:ident $kind:ident => $lanes:ty, $mt:literal x $nt:literal,)*) => {
                $(
                    #[cfg(target_arch = "x86_64")]
                    if const { I::LEVEL.is(Level::$level) && T::__KIND.is(Kind::$kind) } {
                        // SAFETY: the instruction set is there; the rest is the promise of `run`.
                        return unsafe { items::<I, T, $lanes, $mt, $nt>(self) };
                    }
                )*
            };
        }
        lanes! {
            Avx512 F64 => __m512d, 4 x 4,
            Avx512 F32 => __m512, 4 x 4,
            Avx512 U64 => U64x8, 4 x 4,
            Avx512 U32 => U32x16, 4 x 4,
            Avx512 U16 => U16x32, 4 x 4,
            Avx2 F64 => __m256d, 3 x 3,
            Avx2 F32 => __m256, 3 x 3,
            Avx2 U32 => U32x8, 3 x 3,
            Avx2 U16 => U16x16, 3 x 3,
        }
        // SAFETY: the promise of `run`.
        unsafe { items::<I, T, Few<I, T, 8>, 1, 1>(self) }
    }
}

/// Full registers of items, then the items that are left one by one.
#[inline(always)]
unsafe fn items<I: Isa, T: Scalar, L: Lanes, const MT: usize, const NT: usize>(
    strip: Strip<'_, T>,
) {
    let Strip {
        step,
        len,
        operands,
    } = strip;
    let whole = len - len % L::LEN;
    // SAFETY: lanes of the strip.
    unsafe {
        for lane in (0..whole).step_by(L::LEN) {
            let at = Offset::default().along(step.lanes, lane);
            product::<T, L, MT, NT>(&step, operands.at(at));
        }
        for lane in whole..len {
            let at = Offset::default().along(step.lanes, lane);
            product::<T, Few<I, T, 1>, MT, NT>(&step, operands.at(at));
        }
    }
}

/// One product of registers, in tiles.
#[inline(always)]
unsafe fn product<T: Scalar, L: Lanes, const MT: usize, const NT: usize>(
    step: &Lanewise<'_>,
    operands: Operands<T>,
) {
    let (m, n) = (step.m, step.n);
    let (m_whole, n_whole) = (m.len - m.len % MT, n.len - n.len % NT);
    let at = |i: usize, j: usize| Offset::default().along(m, i).along(n, j);
    // SAFETY: rows and columns of the product.
    unsafe {
        for j in (0..n_whole).step_by(NT) {
            for i in (0..m_whole).step_by(MT) {
                tile::<T, L, MT, NT>(step, operands.at(at(i, j)));
            }
            for i in m_whole..m.len {
                tile::<T, L, 1, NT>(step, operands.at(at(i, j)));
            }
        }
        for j in n_whole..n.len {
            for i in 0..m.len {
                tile::<T, L, 1, 1>(step, operands.at(at(i, j)));
            }
        }
    }
}

/// `MT x NT` sums in registers, then into C.
#[inline(always)]
unsafe fn tile<T: Scalar, L: Lanes, const MT: usize, const NT: usize>(
    step: &Lanewise<'_>,
    operands: Operands<T>,
) {
    let Lanewise { m, n, k, .. } = step;
    let Operands { a, b, c, scale } = operands;
    let update = scale.update();
    // SAFETY: rows, columns and terms of the product, `LEN` neighbouring items each.
    unsafe {
        let mut sums = [[L::zero(); MT]; NT];
        let (mut a, mut b) = (a, b);
        for _ in 0..k.len {
            let mut column = [L::zero(); MT];
            for (i, lanes) in column.iter_mut().enumerate() {
                *lanes = L::load(a.wrapping_offset(i as isize * m.a).cast());
            }
            for (j, sums) in sums.iter_mut().enumerate() {
                let b = L::load(b.wrapping_offset(j as isize * n.b).cast());
                for (sum, &a) in sums.iter_mut().zip(&column) {
                    *sum = L::mul_add(a, b, *sum);
                }
            }
            a = a.wrapping_offset(k.a);
            b = b.wrapping_offset(k.b);
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                let c = c.offset(i as isize * m.c + j as isize * n.c);
                let lanes = (&raw const *sum).cast::<T>();
                for lane in 0..L::LEN {
                    update.apply(c.add(lane), *lanes.add(lane));
                }
            }
        }
    }
}
