//! Loop nests of any depth, whole or in part, without an allocation.

use core::ops::Range;

use super::axis::{Axis, size};

/// Where a point of a loop nest lies in A, B and C, in elements from the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) a: isize,
    pub(crate) b: isize,
    pub(crate) c: isize,
}

impl Offset {
    /// `steps` steps along `axis` from here.
    #[inline(always)]
    pub(crate) fn along(self, axis: &Axis, steps: usize) -> Offset {
        let steps = steps as isize;
        Offset {
            a: self.a + steps * axis.a,
            b: self.b + steps * axis.b,
            c: self.c + steps * axis.c,
        }
    }
}

/// Calls `f` at the points `range` of the nest `axes`, counted with the last axis fastest, in order.
///
/// Each point has its own offset computed from the indices, so a part of a nest needs no more than its range: that
/// is how a team shares one.
pub(crate) fn walk(axes: &[Axis], range: Range<usize>, f: &mut impl FnMut(Offset)) {
    if !range.is_empty() {
        descend(axes, range, Offset::default(), f);
    }
}

fn descend(axes: &[Axis], range: Range<usize>, at: Offset, f: &mut impl FnMut(Offset)) {
    match axes {
        [] => f(at),
        [axis] => {
            for i in range {
                f(at.along(axis, i));
            }
        }
        [axis, inner @ ..] => {
            let points = size(inner);
            for i in range.start / points..=(range.end - 1) / points {
                let first = i * points;
                let part = range.start.max(first) - first..range.end.min(first + points) - first;
                descend(inner, part, at.along(axis, i), f);
            }
        }
    }
}

/// The offset of point `index` of the nest `axes`.
#[inline(always)]
pub(crate) fn locate(axes: &[Axis], mut index: usize) -> Offset {
    let mut at = Offset::default();
    for axis in axes.iter().rev() {
        at = at.along(axis, index % axis.len);
        index /= axis.len;
    }
    at
}

/// Calls `f` with the points `range` of the nest `axes` as runs along the last axis, in order: where a run starts, the
/// axis, and the number of steps.
///
/// Unlike [`walk`] it is inlined with `f`, so that loops in `f` are compiled for the caller's instruction set.
#[inline(always)]
pub(crate) fn runs(axes: &[Axis], range: Range<usize>, mut f: impl FnMut(Offset, &Axis, usize)) {
    let point = Axis::new(1, 0, 0, 0);
    let (inner, outer) = axes.split_last().unwrap_or((&point, &[]));
    let mut from = range.start;
    while from < range.end {
        let start = from % inner.len;
        let len = (inner.len - start).min(range.end - from);
        f(
            locate(outer, from / inner.len).along(inner, start),
            inner,
            len,
        );
        from += len;
    }
}
