//! Parts of an axis.

use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// The part of one axis that a slice keeps: a range of indices, and a step.
///
/// Made by [`s`] from a range, or from one index (the axis stays, with length 1). A step of `k` keeps every `k`-th
/// element of the range, from its first; a step of `-k` every `k`-th from its last, in reversed order, so
/// `s(0..5).step(-2)` keeps the elements 4, 2 and 0.
///
/// ```
/// use cteinsum::{Tensor, s};
/// let t = Tensor::from_fn([3, 6], |[i, j]| 10 * i + j);
/// assert_eq!(t.slice([s(1..), s(..).step(-2)]), Tensor::from([[15, 13, 11], [25, 23, 21]]).view());
/// assert_eq!(t.slice([s(2), s(1..=2)]), Tensor::from([[21, 22]]).view());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    start: usize,
    /// Exclusive; the length of the axis if there is none.
    end: Option<usize>,
    step: isize,
}

/// The part of an axis in `range`: `s(1..4)`, `s(..)`, `s(2..).step(3)`, `s(..).step(-1)`, or one index, `s(5)`.
#[inline]
pub fn s(range: impl Into<Slice>) -> Slice {
    range.into()
}

impl Slice {
    /// The same range with another step.
    ///
    /// # Panics
    /// If `step` is 0.
    #[inline]
    #[track_caller]
    pub fn step(self, step: isize) -> Slice {
        assert!(step != 0, "a slice with step 0");
        Slice { step, ..self }
    }

    /// The elements kept of an axis of length `len`.
    #[track_caller]
    pub(crate) fn pick(self, axis: usize, len: usize) -> Picked {
        let (start, end) = (self.start, self.end.unwrap_or(len));
        assert!(
            start <= end || self.end.is_none(),
            "the slice {start}..{end} of axis {axis} ends before it starts"
        );
        assert!(
            start <= end && end <= len,
            "the slice {start}..{} of axis {axis} reaches past its length {len}",
            self.end.map_or(String::new(), |end| end.to_string()),
        );
        Picked {
            first: if self.step > 0 || start == end {
                start
            } else {
                end - 1
            },
            len: (end - start).div_ceil(self.step.unsigned_abs()),
            step: self.step,
        }
    }
}

/// The elements `first`, `first + step`, … of an axis: `len` of them, every one in bounds.
pub(crate) struct Picked {
    pub(crate) first: usize,
    pub(crate) len: usize,
    pub(crate) step: isize,
}

fn after(last: usize) -> usize {
    last.checked_add(1)
        .expect("a slice that includes the index usize::MAX")
}

fn range(start: usize, end: Option<usize>) -> Slice {
    Slice {
        start,
        end,
        step: 1,
    }
}

impl From<Range<usize>> for Slice {
    fn from(r: Range<usize>) -> Self {
        range(r.start, Some(r.end))
    }
}
impl From<RangeInclusive<usize>> for Slice {
    fn from(r: RangeInclusive<usize>) -> Self {
        range(*r.start(), Some(after(*r.end())))
    }
}
impl From<RangeFrom<usize>> for Slice {
    fn from(r: RangeFrom<usize>) -> Self {
        range(r.start, None)
    }
}
impl From<RangeTo<usize>> for Slice {
    fn from(r: RangeTo<usize>) -> Self {
        range(0, Some(r.end))
    }
}
impl From<RangeToInclusive<usize>> for Slice {
    fn from(r: RangeToInclusive<usize>) -> Self {
        range(0, Some(after(r.end)))
    }
}
impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Self {
        range(0, None)
    }
}
/// One index; the axis stays, with length 1.
impl From<usize> for Slice {
    fn from(index: usize) -> Self {
        range(index, Some(after(index)))
    }
}
