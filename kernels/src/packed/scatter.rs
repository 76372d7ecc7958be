//! Scatter vectors: the offset of every point of a group of axes.

use core::mem::MaybeUninit;

use crate::axis::Axis;

/// Writes the offsets of all points of `axes` in two arrays, whose strides `pick` takes from each axis.
///
/// # Panics
///
/// If the lists are not as long as the axes have points.
pub(super) fn scatter<'a>(
    axes: &[Axis],
    first: &'a mut [MaybeUninit<isize>],
    second: &'a mut [MaybeUninit<isize>],
    pick: fn(&Axis) -> (isize, isize),
) -> (&'a [isize], &'a [isize]) {
    let mut done = 1;
    for (list, which) in [(&mut *first, 0), (&mut *second, 1)] {
        let step = |axis| {
            let (one, other) = pick(axis);
            if which == 0 { one } else { other }
        };
        let mut axes = axes.iter().rev();
        let (len, along) = axes.next().map_or((1, 0), |axis| (axis.len, step(axis)));
        for (i, to) in list[..len].iter_mut().enumerate() {
            to.write(i as isize * along);
        }
        done = len;
        // The points of the inner axes, once for each step of the next one.
        for axis in axes {
            let by = step(axis);
            let mut at = 0;
            for i in 1..axis.len {
                at += by;
                let (before, rest) = list.split_at_mut(i * done);
                for (to, from) in rest[..done].iter_mut().zip(&before[..done]) {
                    // SAFETY: the first `done` elements are written.
                    to.write(unsafe { from.assume_init() } + at);
                }
            }
            done *= axis.len;
        }
    }
    assert!(done == first.len() && done == second.len());
    // SAFETY: all elements of both lists are written.
    unsafe { (first.assume_init_ref(), second.assume_init_ref()) }
}

/// Whether consecutive offsets are one element apart.
#[inline]
pub(super) fn is_unit(offsets: &[isize]) -> bool {
    offsets.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

/// How many offsets from the first on are one element apart.
#[inline]
pub(super) fn unit_run(offsets: &[isize]) -> usize {
    let unit = offsets.windows(2).take_while(|pair| pair[1] - pair[0] == 1);
    offsets.len().min(1) + unit.count()
}
