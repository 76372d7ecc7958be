//! Plain loops, for problems too small to set anything up for and for whatever has no better kernel.

use core::ops::Range;

use super::axis::{Axis, size};
use super::operands::Operands;
use super::walk::walk;
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
    let Operands { scale, .. } = operands;
    let update = scale.update();
    let depth = size(k);
    walk(outer, range, &mut |offset| {
        // SAFETY: `offset` is a point of the index space, all of which is readable and writable.
        let here = unsafe { operands.at(offset) };
        let mut sum = T::ZERO;
        walk(k, 0..depth, &mut |offset| {
            // SAFETY: `offset` is a point of the summed index space.
            let (a, b) = unsafe { (*here.a.offset(offset.a), *here.b.offset(offset.b)) };
            let a = if scale.conj_a { T::conj(a) } else { a };
            let b = if scale.conj_b { T::conj(b) } else { b };
            sum = T::add(sum, T::mul(a, b));
        });
        // SAFETY: `here.c` is an element of C that belongs to this piece.
        unsafe { update.apply(here.c, sum) };
    });
}
