//! Tensors and views.
use core::marker::PhantomData;

use crate::operand::{View, sealed::Sealed};
use crate::scalar::Scalar;

/// A borrowed tensor of rank `N`.
#[derive(Clone, Copy, Debug)]
pub struct TensorView<'a, T, const N: usize> {
    ptr: *const T,
    shape: [usize; N],
    strides: [isize; N],
    marker: PhantomData<&'a [T]>,
}
impl<T, const N: usize> Sealed for TensorView<'_, T, N> {}
impl<T: Scalar, const N: usize> View for TensorView<'_, T, N> {
    type Elem = T;
    fn as_ptr(&self) -> *const T {
        self.ptr
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn strides(&self) -> &[isize] {
        &self.strides
    }
}
impl<'a, T> TensorView<'a, T, 0> {
    /// The view of one element.
    pub fn from_element(element: &'a T) -> Self {
        TensorView {
            ptr: element,
            shape: [],
            strides: [],
            marker: PhantomData,
        }
    }
}
