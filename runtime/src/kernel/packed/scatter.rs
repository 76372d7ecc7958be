//! Scatter vectors: the offset of every point of a group of axes.

use crate::kernel::axis::Axis;
use crate::kernel::walk::walk;

/// Writes the offsets of all points of `axes` in two arrays, picked from each offset by `pick`.
pub(super) fn scatter(
    axes: &[Axis],
    first: &mut [isize],
    second: &mut [isize],
    pick: impl Fn(crate::kernel::walk::Offset) -> (isize, isize),
) {
    let mut at = 0;
    walk(axes, 0..first.len(), &mut |offset| {
        (first[at], second[at]) = pick(offset);
        at += 1;
    });
}

/// Whether consecutive offsets are one element apart.
#[inline]
pub(super) fn is_unit(offsets: &[isize]) -> bool {
    offsets.windows(2).all(|pair| pair[1] - pair[0] == 1)
}
