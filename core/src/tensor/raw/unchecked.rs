//! The doors for memory that this crate cannot check, or need not.

use super::{Shared, Unique};
use crate::dims::row_major;
use crate::tensor::layout::{DynLayout, Layout};
use crate::tensor::methods::must;
use crate::tensor::view::{DynTensorView, TensorView};
use crate::tensor::view_mut::{DynTensorViewMut, TensorViewMut};

impl<T, const N: usize> TensorView<'_, T, N> {
    /// The view whose index 0 is at `ptr`, with the given strides.
    ///
    /// # Safety
    /// As long as the view lives, the element that any index leads to is valid and nobody writes to it; all elements
    /// are in one allocation, and a `usize` counts the indices. If an axis has length 0, `ptr` and strides may be anything.
    #[inline]
    pub unsafe fn from_raw_parts(ptr: *const T, shape: [usize; N], strides: [isize; N]) -> Self {
        // SAFETY: the caller promises just that.
        TensorView(unsafe { Shared::from_raw(ptr, Layout { shape, strides }) })
    }
}

impl<T> DynTensorView<'_, T> {
    /// The view whose index 0 is at `ptr`, with the given strides.
    ///
    /// # Panics
    /// If there is not one stride for each axis.
    ///
    /// # Safety
    /// As for [`TensorView::from_raw_parts`].
    #[inline]
    #[track_caller]
    pub unsafe fn from_raw_parts(ptr: *const T, shape: &[usize], strides: &[isize]) -> Self {
        let layout = must(DynLayout::new(shape, strides));
        // SAFETY: the caller promises just that.
        DynTensorView(unsafe { Shared::from_raw(ptr, layout) })
    }
}

impl<T, const N: usize> TensorViewMut<'_, T, N> {
    /// The view whose index 0 is at `ptr`, with the given strides.
    ///
    /// # Safety
    /// As long as the view lives, the element that any index leads to is valid, another one for every index, and
    /// used by nobody else; all elements are in one allocation. If an axis has length 0, `ptr` and strides may be
    /// anything.
    #[inline]
    pub unsafe fn from_raw_parts(ptr: *mut T, shape: [usize; N], strides: [isize; N]) -> Self {
        // SAFETY: the caller promises just that.
        TensorViewMut(unsafe { Unique::from_raw(ptr, Layout { shape, strides }) })
    }
}

impl<T> DynTensorViewMut<'_, T> {
    /// The view whose index 0 is at `ptr`, with the given strides.
    ///
    /// # Panics
    /// If there is not one stride for each axis.
    ///
    /// # Safety
    /// As for [`TensorViewMut::from_raw_parts`].
    #[inline]
    #[track_caller]
    pub unsafe fn from_raw_parts(ptr: *mut T, shape: &[usize], strides: &[isize]) -> Self {
        let layout = must(DynLayout::new(shape, strides));
        // SAFETY: the caller promises just that.
        DynTensorViewMut(unsafe { Unique::from_raw(ptr, layout) })
    }
}

// Without a check, so that the views of nested arrays cost nothing.

impl<T, const N: usize> TensorView<'_, T, N> {
    /// The view of `ptr` in row-major order.
    ///
    /// # Safety
    /// As for [`TensorView::from_raw_parts`]; at `ptr` are the elements of a nested array of this shape.
    #[inline(always)]
    pub(crate) unsafe fn of_array(ptr: *const T, shape: [usize; N]) -> Self {
        // SAFETY: the caller promises just that: a nested array is its elements in row-major order.
        unsafe { TensorView::from_raw_parts(ptr, shape, row_major(shape)) }
    }
}

impl<T, const N: usize> TensorViewMut<'_, T, N> {
    /// The mutable view of `ptr` in row-major order.
    ///
    /// # Safety
    /// As for [`TensorViewMut::from_raw_parts`]; at `ptr` are the elements of a nested array of this shape.
    #[inline(always)]
    pub(crate) unsafe fn of_array(ptr: *mut T, shape: [usize; N]) -> Self {
        // SAFETY: the caller promises just that: a nested array is its elements in row-major order.
        unsafe { TensorViewMut::from_raw_parts(ptr, shape, row_major(shape)) }
    }
}

impl<'a, T> TensorView<'a, T, 0> {
    /// The view of one element.
    #[inline]
    pub fn from_element(element: &'a T) -> Self {
        // SAFETY: the only index leads to the element.
        unsafe { TensorView::of_array(element, []) }
    }
}

impl<'a, T> TensorViewMut<'a, T, 0> {
    /// The view of one element.
    #[inline]
    pub fn from_element(element: &'a mut T) -> Self {
        // SAFETY: the only index leads to the element.
        unsafe { TensorViewMut::of_array(element, []) }
    }
}
