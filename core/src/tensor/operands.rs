//! Tensors and views as operands and as destinations.

use super::layout::Extents;
use super::owned::{DynTensor, Tensor};
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};
use crate::dims::{AnyRank, Axes, KnownRank, Rank};
use crate::family::Tensors;
use crate::operand::{Operand, View, ViewMut, sealed::Sealed};
use crate::scalar::Scalar;

macro_rules! views {
    ($([$($generics:tt)*] $view:ty, $view_mut:ty, $rank:ident;)*) => {$(
        impl<T, $($generics)*> Sealed for $view {}
        impl<T: Scalar, $($generics)*> View for $view {
            type Elem = T;
            type Rank = $rank;
            #[inline]
            fn as_ptr(&self) -> *const T {
                self.0.as_ptr()
            }
            #[inline]
            fn shape(&self) -> &[usize] {
                self.0.layout().shape()
            }
            #[inline]
            fn strides(&self) -> &[isize] {
                self.0.layout().strides()
            }
        }

        impl<T, $($generics)*> Sealed for $view_mut {}
        impl<T: Scalar, $($generics)*> ViewMut for $view_mut {
            type Elem = T;
            #[inline]
            fn as_mut_ptr(&mut self) -> *mut T {
                self.0.as_mut_ptr()
            }
            #[inline]
            fn shape(&self) -> &[usize] {
                self.0.layout().shape()
            }
            #[inline]
            fn strides(&self) -> &[isize] {
                self.0.layout().strides()
            }
        }
    )*};
}

views! {
    [const N: usize] TensorView<'_, T, N>, TensorViewMut<'_, T, N>, KnownRank;
    [] DynTensorView<'_, T>, DynTensorViewMut<'_, T>, AnyRank;
}

macro_rules! operands {
    ($($name:ty),*) => {$(
        impl<T: Scalar, const N: usize> Operand for $name
        where
            Rank<N>: Axes,
        {
            type Elem = T;
            type Dims = <Rank<N> as Axes>::List;
            type Family = Tensors;
            type View<'v>
                = TensorView<'v, T, N>
            where
                Self: 'v;
            #[inline]
            fn operand_view(&self) -> TensorView<'_, T, N> {
                self.view()
            }
        }
    )*};
}

macro_rules! dyn_operands {
    ($($name:ty),*) => {$(
        impl<T: Scalar> Operand for $name {
            type Elem = T;
            type Dims = AnyRank;
            type Family = Tensors;
            type View<'v>
                = DynTensorView<'v, T>
            where
                Self: 'v;
            #[inline]
            fn operand_view(&self) -> DynTensorView<'_, T> {
                self.view()
            }
        }
    )*};
}

operands!(Tensor<T, N>, TensorView<'_, T, N>, TensorViewMut<'_, T, N>);
dyn_operands!(DynTensor<T>, DynTensorView<'_, T>, DynTensorViewMut<'_, T>);
