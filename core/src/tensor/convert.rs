//! `From`.
//!
//! The bounds `T: Scalar` are for inference: an array is no scalar, so `Tensor::from([[1.0], [2.0]])` can only have
//! rank 2, not rank 1 with rows for elements.

use super::owned::{DynTensor, Tensor};
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};
use crate::scalar::Scalar;

/// The one element of a tensor without axes.
impl<T: Scalar> From<T> for Tensor<T, 0> {
    fn from(element: T) -> Self {
        Tensor::from_element(element)
    }
}

impl<T: Scalar> From<Vec<T>> for Tensor<T, 1> {
    fn from(elements: Vec<T>) -> Self {
        Tensor::from_vec([elements.len()], elements)
    }
}

impl<T: Scalar, const A: usize> From<[T; A]> for Tensor<T, 1> {
    fn from(elements: [T; A]) -> Self {
        Tensor::from_vec([A], elements.into())
    }
}

impl<T: Scalar, const A: usize, const B: usize> From<[[T; B]; A]> for Tensor<T, 2> {
    fn from(rows: [[T; B]; A]) -> Self {
        Tensor::from_vec([A, B], rows.into_iter().flatten().collect())
    }
}

impl<T: Scalar, const A: usize, const B: usize, const C: usize> From<[[[T; C]; B]; A]>
    for Tensor<T, 3>
{
    fn from(blocks: [[[T; C]; B]; A]) -> Self {
        let elements = blocks.into_iter().flatten().flatten().collect();
        Tensor::from_vec([A, B, C], elements)
    }
}

impl<'a, T> From<&'a [T]> for TensorView<'a, T, 1> {
    fn from(elements: &'a [T]) -> Self {
        TensorView::from_slice([elements.len()], elements)
    }
}

impl<T, const N: usize> From<Tensor<T, N>> for DynTensor<T> {
    fn from(tensor: Tensor<T, N>) -> Self {
        tensor.into_dyn()
    }
}

impl<'a, T, const N: usize> From<TensorView<'a, T, N>> for DynTensorView<'a, T> {
    fn from(view: TensorView<'a, T, N>) -> Self {
        view.as_dyn()
    }
}

impl<'a, T, const N: usize> From<TensorViewMut<'a, T, N>> for DynTensorViewMut<'a, T> {
    fn from(view: TensorViewMut<'a, T, N>) -> Self {
        view.into_dyn()
    }
}
