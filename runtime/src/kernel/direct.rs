//! Plain loops, for products too small to set anything up for.

use core::ops::Range;

use super::axis::{Axis, size};
use super::operands::Operands;
use super::walk::runs;
use crate::scalar::Scalar;

/// The elements `range` of C, counted over `outer` with the last axis fastest: one sum over `k` each.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn contract<T: Scalar>(
    outer: &[Axis],
    k: &[Axis],
    range: Range<usize>,
    operands: Operands<T>,
) {
    let update = operands.scale.update();
    let depth = size(k);
    for (at, run) in runs(outer, range) {
        for i in 0..run.len {
            // SAFETY: points of the index space, all of which are readable and writable; `here.c` is an element of C
            // that belongs to this piece.
            unsafe {
                let here = operands.at(at.along(&run, i));
                let mut sum = T::ZERO;
                for (at, terms) in runs(k, 0..depth) {
                    let from = here.at(at);
                    for p in 0..terms.len as isize {
                        let a = *from.a.offset(p * terms.a);
                        let b = *from.b.offset(p * terms.b);
                        let a = if here.scale.conj_a { T::conj(a) } else { a };
                        let b = if here.scale.conj_b { T::conj(b) } else { b };
                        sum = T::add(sum, T::mul(a, b));
                    }
                }
                update.apply(here.c, sum);
            }
        }
    }
}
