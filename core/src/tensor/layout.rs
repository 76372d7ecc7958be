//! Shapes and strides, and what can be done to them without looking at the memory behind.

use super::error::LayoutError;
use super::short::Short;
use super::slice::Slice;

/// Shape and strides of a fixed number of axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<const N: usize> {
    pub(crate) shape: [usize; N],
    pub(crate) strides: [isize; N],
}

/// Shape and strides of a number of axes known at run time; both lists have the same length.
#[derive(Clone, Debug)]
pub(crate) struct DynLayout {
    pub(super) shape: Short<usize>,
    pub(super) strides: Short<isize>,
}

/// What both kinds of layout have in common.
///
/// The memory code relies on this: `shape` and `strides` have one length, do not change on their own, and a clone
/// has the same ones.
pub(crate) trait Extents: Clone {
    fn shape(&self) -> &[usize];
    fn strides(&self) -> &[isize];
    fn parts_mut(&mut self) -> (&mut [usize], &mut [isize]);

    /// Number of elements. Layouts in use have one that fits (see `check`).
    #[inline]
    fn len(&self) -> usize {
        // Lengths after a zero may multiply to anything.
        if self.is_empty() {
            0
        } else {
            self.shape().iter().product()
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// Whether the elements in row-major order lie one after the other.
    fn is_row_major(&self) -> bool {
        let mut expected = 1isize;
        self.is_empty()
            || self
                .shape()
                .iter()
                .zip(self.strides())
                .rev()
                .filter(|&(&len, _)| len != 1)
                .all(|(&len, &stride)| {
                    let fits = stride == expected;
                    expected = expected.wrapping_mul(len as isize);
                    fits
                })
    }

    /// Sets the strides to the row-major ones; those of a shape without elements are 0.
    #[inline]
    fn make_row_major(&mut self) {
        let empty = self.is_empty();
        let (shape, strides) = self.parts_mut();
        let mut stride = if empty { 0 } else { 1 };
        for (s, &len) in strides.iter_mut().zip(&*shape).rev() {
            *s = stride;
            stride = stride.wrapping_mul(len as isize);
        }
    }

    /// How far the element at `index` is from the one at 0; `None` if it is out of bounds.
    #[inline]
    fn offset(&self, index: &[usize]) -> Option<isize> {
        if index.len() != self.shape().len() {
            return None;
        }
        let mut offset = 0isize;
        for ((&i, &len), &stride) in index.iter().zip(self.shape()).zip(self.strides()) {
            if i >= len {
                return None;
            }
            // In bounds nothing wraps, except over elements of size 0, where it does not matter.
            offset = offset.wrapping_add((i as isize).wrapping_mul(stride));
        }
        Some(offset)
    }

    /// The layout with axis `k` taken from axis `order[k]`.
    ///
    /// # Panics
    /// If `order` is not a permutation of the axes.
    #[track_caller]
    fn permuted(&self, order: &[usize]) -> Self {
        let rank = self.shape().len();
        let each_once = order.len() == rank && (0..rank).all(|axis| order.contains(&axis));
        assert!(
            each_once,
            "{order:?} is not a permutation of the {rank} axes of the tensor"
        );
        let mut to = self.clone();
        let (shape, strides) = to.parts_mut();
        for (k, &axis) in order.iter().enumerate() {
            shape[k] = self.shape()[axis];
            strides[k] = self.strides()[axis];
        }
        to
    }

    /// Restricts one axis, and returns by how much the element at index 0 moves. Every index of the new layout
    /// names an element of the old one.
    ///
    /// # Panics
    /// If there is no such axis, or the slice reaches past its length.
    #[track_caller]
    fn restrict(&mut self, axis: usize, slice: Slice) -> isize {
        let (shape, strides) = self.parts_mut();
        assert!(
            axis < shape.len(),
            "axis {axis} of a tensor with {} axes",
            shape.len()
        );
        let picked = slice.pick(axis, shape[axis]);
        let offset = (picked.first as isize).wrapping_mul(strides[axis]);
        shape[axis] = picked.len;
        // Wraps only where at most one element is left on the axis, so that the stride says nothing.
        strides[axis] = strides[axis].wrapping_mul(picked.step);
        offset
    }
}

impl<const N: usize> Layout<N> {
    /// A shape whose strides are still to be set.
    #[inline]
    pub(crate) fn of_shape(shape: [usize; N]) -> Self {
        Layout {
            shape,
            strides: [0; N],
        }
    }

    #[inline]
    pub(crate) fn to_dyn(self) -> DynLayout {
        DynLayout {
            shape: Short::from_slice(&self.shape),
            strides: Short::from_slice(&self.strides),
        }
    }
}

impl<const N: usize> Extents for Layout<N> {
    #[inline]
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    #[inline]
    fn strides(&self) -> &[isize] {
        &self.strides
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut [usize], &mut [isize]) {
        (&mut self.shape, &mut self.strides)
    }
}

impl DynLayout {
    /// A shape whose strides are still to be set.
    #[inline]
    pub(crate) fn of_shape(shape: &[usize]) -> Self {
        DynLayout {
            shape: Short::from_slice(shape),
            strides: Short::zeroed(shape.len()),
        }
    }

    pub(crate) fn new(shape: &[usize], strides: &[isize]) -> Result<Self, LayoutError> {
        if shape.len() != strides.len() {
            return Err(LayoutError::StrideCount {
                axes: shape.len(),
                strides: strides.len(),
            });
        }
        Ok(DynLayout {
            shape: Short::from_slice(shape),
            strides: Short::from_slice(strides),
        })
    }

    /// The same layout with the number of axes in the type.
    pub(crate) fn to_rank<const N: usize>(&self) -> Result<Layout<N>, LayoutError> {
        match (
            <[usize; N]>::try_from(&*self.shape),
            <[isize; N]>::try_from(&*self.strides),
        ) {
            (Ok(shape), Ok(strides)) => Ok(Layout { shape, strides }),
            _ => Err(LayoutError::Rank {
                expected: N,
                found: self.shape.len(),
            }),
        }
    }

    /// The same elements in the same row-major order over as few axes as possible.
    pub(crate) fn fused(layout: &impl Extents) -> Self {
        if layout.is_empty() {
            return DynLayout::of_shape(&[0]);
        }
        let mut fused = DynLayout {
            shape: Short::from_slice(layout.shape()),
            strides: Short::from_slice(layout.strides()),
        };
        let (shape, strides) = fused.parts_mut();
        let mut rank = 0;
        for axis in 0..shape.len() {
            let (len, stride) = (shape[axis], strides[axis]);
            if len == 1 {
                continue;
            }
            if rank > 0 && strides[rank - 1] == stride.wrapping_mul(len as isize) {
                shape[rank - 1] *= len;
                strides[rank - 1] = stride;
            } else {
                (shape[rank], strides[rank]) = (len, stride);
                rank += 1;
            }
        }
        DynLayout {
            shape: Short::from_slice(&fused.shape[..rank]),
            strides: Short::from_slice(&fused.strides[..rank]),
        }
    }
}

impl Extents for DynLayout {
    #[inline]
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    #[inline]
    fn strides(&self) -> &[isize] {
        &self.strides
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut [usize], &mut [isize]) {
        (&mut self.shape, &mut self.strides)
    }
}

/// Steps `index` to the next one in row-major order; from the last one back to zeros.
#[inline]
pub(crate) fn advance(index: &mut [usize], shape: &[usize]) {
    for (i, &len) in index.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < len {
            return;
        }
        *i = 0;
    }
}
