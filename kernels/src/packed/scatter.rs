//! Scatter vectors: the offset of every point of a group of axes.

use crate::axis::Axis;
use crate::walk::{Offset, runs};

/// Writes the offsets of all points of `axes` in two arrays, picked from each offset by `pick`.
pub(super) fn scatter(
    axes: &[Axis],
    first: &mut [isize],
    second: &mut [isize],
    pick: fn(Offset) -> (isize, isize),
) {
    let mut at = 0;
    for (start, run) in runs(axes, 0..first.len()) {
        let ((x, y), (dx, dy)) = (pick(start), pick(Offset::default().along(&run, 1)));
        for i in 0..run.len as isize {
            (first[at], second[at]) = (x + i * dx, y + i * dy);
            at += 1;
        }
    }
}

/// Whether consecutive offsets are one element apart.
#[inline]
pub(super) fn is_unit(offsets: &[isize]) -> bool {
    offsets.windows(2).all(|pair| pair[1] - pair[0] == 1)
}
