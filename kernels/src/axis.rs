//! What a kernel is asked to do: loops with strides.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// One loop over all of A, B and C.
///
/// Strides are in elements. They may be negative, and on inputs zero (a broadcast axis). The stride of an array that
/// does not carry the axis is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// Number of steps.
    pub len: usize,
    /// Stride in A.
    pub a: isize,
    /// Stride in B.
    pub b: isize,
    /// Stride in C.
    pub c: isize,
}

impl Axis {
    /// An axis of `len` steps with its strides in A, B and C.
    #[inline]
    pub const fn new(len: usize, a: isize, b: isize, c: isize) -> Axis {
        Axis { len, a, b, c }
    }
}

/// The number of axes that a list holds without the heap.
const INLINE: usize = 4;

/// A list of axes. Up to four live inside it, more on the heap, so that the usual steps are prepared without an
/// allocation.
#[derive(Clone)]
pub struct AxisList(Store);

#[derive(Clone)]
enum Store {
    Inline { len: u8, axes: [Axis; INLINE] },
    Heap(Vec<Axis>),
}

impl AxisList {
    /// The empty list.
    #[inline]
    pub const fn new() -> AxisList {
        AxisList(Store::Inline {
            len: 0,
            axes: [Axis::new(0, 0, 0, 0); INLINE],
        })
    }

    /// Adds an axis at the end.
    pub fn push(&mut self, axis: Axis) {
        match &mut self.0 {
            Store::Inline { len, axes } => {
                let at = usize::from(*len);
                if at < INLINE {
                    axes[at] = axis;
                    *len += 1;
                } else {
                    let mut heap = Vec::with_capacity(2 * INLINE);
                    heap.extend_from_slice(axes);
                    heap.push(axis);
                    self.0 = Store::Heap(heap);
                }
            }
            Store::Heap(heap) => heap.push(axis),
        }
    }

    /// Removes the axis at `at`; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, at: usize) -> Axis {
        match &mut self.0 {
            Store::Inline { len, axes } => {
                let last = usize::from(*len) - 1;
                axes[..=last].swap(at, last);
                *len -= 1;
                axes[last]
            }
            Store::Heap(heap) => heap.swap_remove(at),
        }
    }
}

impl Deref for AxisList {
    type Target = [Axis];
    #[inline]
    fn deref(&self) -> &[Axis] {
        match &self.0 {
            Store::Inline { len, axes } => &axes[..usize::from(*len)],
            Store::Heap(heap) => heap,
        }
    }
}

impl DerefMut for AxisList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Axis] {
        match &mut self.0 {
            Store::Inline { len, axes } => &mut axes[..usize::from(*len)],
            Store::Heap(heap) => heap,
        }
    }
}

impl Default for AxisList {
    fn default() -> AxisList {
        AxisList::new()
    }
}

impl PartialEq for AxisList {
    fn eq(&self, other: &AxisList) -> bool {
        **self == **other
    }
}

impl fmt::Debug for AxisList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Extend<Axis> for AxisList {
    fn extend<I: IntoIterator<Item = Axis>>(&mut self, axes: I) {
        axes.into_iter().for_each(|axis| self.push(axis));
    }
}

impl FromIterator<Axis> for AxisList {
    fn from_iter<I: IntoIterator<Item = Axis>>(axes: I) -> AxisList {
        let mut list = AxisList::new();
        list.extend(axes);
        list
    }
}

impl From<&[Axis]> for AxisList {
    fn from(axes: &[Axis]) -> AxisList {
        axes.iter().copied().collect()
    }
}

impl<const N: usize> From<[Axis; N]> for AxisList {
    fn from(axes: [Axis; N]) -> AxisList {
        axes.into_iter().collect()
    }
}

impl From<Vec<Axis>> for AxisList {
    fn from(axes: Vec<Axis>) -> AxisList {
        axes.into_iter().collect()
    }
}

/// `C[batch, m, n] <- alpha * sum over k of A[batch, m, k] * B[batch, k, n] + beta * C[batch, m, n]`.
///
/// The order of the axes in a group means nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contraction {
    /// Axes of A, B and C.
    pub batch: AxisList,
    /// Axes of A and C.
    pub m: AxisList,
    /// Axes of B and C.
    pub n: AxisList,
    /// Axes of A and B.
    pub k: AxisList,
}

/// `C[kept] <- alpha * sum over summed of A[kept, summed] + beta * C[kept]`; B plays no part.
///
/// The order of the axes in a group means nothing. A broadcast is a kept axis of stride 0 in A; a diagonal is one
/// axis with the sum of the strides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduction {
    /// Axes of A and C.
    pub kept: AxisList,
    /// Axes of A.
    pub summed: AxisList,
}

/// The number of index combinations of `axes`.
///
/// # Panics
///
/// If it does not fit a `usize`: no such loop ever ends.
pub(crate) fn size(axes: &[Axis]) -> usize {
    if axes.iter().any(|axis| axis.len == 0) {
        return 0;
    }
    axes.iter().fold(1, |size: usize, axis| {
        size.checked_mul(axis.len)
            .expect("the index space of a contraction has more than usize::MAX points")
    })
}
