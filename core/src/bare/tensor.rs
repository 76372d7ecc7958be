//! The views that arrays with constant lengths are reduced to.

use core::marker::PhantomData;

use crate::dims::{KnownRank, row_major};
use crate::operand::{View, ViewMut, sealed::Sealed};
use crate::scalar::Scalar;

#[track_caller]
fn check(shape: &[usize], elements: usize) {
    let len = shape.iter().product::<usize>();
    assert!(
        len == elements,
        "a shape of {len} elements, but {elements} elements"
    );
}

/// Elements in row-major order.
#[derive(Clone, Copy, Debug)]
pub struct TensorView<'a, T, const N: usize> {
    elements: &'a [T],
    shape: [usize; N],
    strides: [isize; N],
}

impl<'a, T, const N: usize> TensorView<'a, T, N> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[inline]
    #[track_caller]
    pub fn from_slice(shape: [usize; N], elements: &'a [T]) -> Self {
        check(&shape, elements.len());
        TensorView {
            elements,
            shape,
            strides: row_major(shape),
        }
    }
}

impl<T, const N: usize> TensorView<'_, T, N> {
    /// The view of `ptr` in row-major order.
    ///
    /// # Safety
    /// At `ptr` are the elements of a nested array of this shape, borrowed as long as the view lives.
    #[inline(always)]
    pub(crate) unsafe fn of_array(ptr: *const T, shape: [usize; N]) -> Self {
        let len = shape.iter().product();
        TensorView {
            // SAFETY: the caller's promise.
            elements: unsafe { core::slice::from_raw_parts(ptr, len) },
            shape,
            strides: row_major(shape),
        }
    }
}

impl<'a, T> TensorView<'a, T, 0> {
    /// The view of one element.
    #[inline]
    pub fn from_element(element: &'a T) -> Self {
        TensorView::from_slice([], core::slice::from_ref(element))
    }
}

impl<T, const N: usize> Sealed for TensorView<'_, T, N> {}
impl<T: Scalar, const N: usize> View for TensorView<'_, T, N> {
    type Elem = T;
    type Rank = KnownRank;
    #[inline]
    fn as_ptr(&self) -> *const T {
        self.elements.as_ptr()
    }
    #[inline]
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    #[inline]
    fn strides(&self) -> &[isize] {
        &self.strides
    }
}

/// Elements in row-major order, to be written.
#[derive(Debug)]
pub struct TensorViewMut<'a, T, const N: usize> {
    elements: *mut T,
    shape: [usize; N],
    strides: [isize; N],
    marker: PhantomData<&'a mut [T]>,
}

impl<'a, T, const N: usize> TensorViewMut<'a, T, N> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[inline]
    #[track_caller]
    pub fn from_slice(shape: [usize; N], elements: &'a mut [T]) -> Self {
        check(&shape, elements.len());
        TensorViewMut {
            elements: elements.as_mut_ptr(),
            shape,
            strides: row_major(shape),
            marker: PhantomData,
        }
    }
}

impl<T, const N: usize> TensorViewMut<'_, T, N> {
    /// The mutable view of `ptr` in row-major order.
    ///
    /// # Safety
    /// At `ptr` are the elements of a nested array of this shape, borrowed mutably as long as the view lives.
    #[inline(always)]
    pub(crate) unsafe fn of_array(ptr: *mut T, shape: [usize; N]) -> Self {
        TensorViewMut {
            elements: ptr,
            shape,
            strides: row_major(shape),
            marker: PhantomData,
        }
    }
}

impl<'a, T> TensorViewMut<'a, T, 0> {
    /// The view of one element.
    #[inline]
    pub fn from_element(element: &'a mut T) -> Self {
        TensorViewMut::from_slice([], core::slice::from_mut(element))
    }
}

impl<T, const N: usize> Sealed for TensorViewMut<'_, T, N> {}
impl<T: Scalar, const N: usize> ViewMut for TensorViewMut<'_, T, N> {
    type Elem = T;
    #[inline]
    fn as_mut_ptr(&mut self) -> *mut T {
        self.elements
    }
    #[inline]
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    #[inline]
    fn strides(&self) -> &[isize] {
        &self.strides
    }
}
