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
    #[cfg_attr(optimised, inline(always))]
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
/// is how a team shares one. Compiled once: `f` does a tile's worth of work, or more than a call costs.
pub(crate) fn walk(axes: &[Axis], range: Range<usize>, f: &mut dyn FnMut(Offset)) {
    if !range.is_empty() {
        descend(axes, range, Offset::default(), f);
    }
}

fn descend(axes: &[Axis], range: Range<usize>, at: Offset, f: &mut dyn FnMut(Offset)) {
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
#[cfg_attr(optimised, inline(always))]
pub(crate) fn locate(axes: &[Axis], mut index: usize) -> Offset {
    let mut at = Offset::default();
    for axis in axes.iter().rev() {
        at = at.along(axis, index % axis.len);
        index /= axis.len;
    }
    at
}

/// The points `range` of the nest `axes` as runs along the last axis, in order: where a run starts, and its axis cut to
/// the steps of the run.
///
/// Unlike [`walk`] it is a loop of the caller's, so that what the loop does is compiled for the caller's instruction
/// set: a closure may end up as a function of its own, without it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn runs(axes: &[Axis], range: Range<usize>) -> Runs<'_> {
    let (inner, outer) = match axes.split_last() {
        Some((inner, outer)) => (*inner, outer),
        None => (Axis::new(1, 0, 0, 0), axes),
    };
    Runs {
        outer,
        inner,
        range,
    }
}

/// See [`runs`].
pub(crate) struct Runs<'a> {
    outer: &'a [Axis],
    inner: Axis,
    range: Range<usize>,
}

impl Iterator for Runs<'_> {
    type Item = (Offset, Axis);

    #[cfg_attr(optimised, inline(always))]
    fn next(&mut self) -> Option<(Offset, Axis)> {
        let Runs {
            outer,
            inner,
            range,
        } = self;
        if range.start >= range.end {
            return None;
        }
        let (line, start) = (range.start / inner.len, range.start % inner.len);
        let len = (inner.len - start).min(range.end - range.start);
        range.start += len;
        let at = locate(outer, line).along(inner, start);
        Some((at, Axis { len, ..*inner }))
    }
}
