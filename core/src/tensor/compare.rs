//! Equality: the same shape and the same elements, whatever the strides.

use super::layout::Extents;
use super::owned::{DynTensor, Tensor};
use super::raw::Shared;
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};

fn equal<T: PartialEq, A: Extents, B: Extents>(a: &Shared<'_, T, A>, b: &Shared<'_, T, B>) -> bool {
    a.layout().shape() == b.layout().shape()
        && match (a.as_slice(), b.as_slice()) {
            (Some(a), Some(b)) => a == b,
            _ => a.iter().eq(b.iter()),
        }
}

macro_rules! compare {
    (@ [$($impl:tt)*] $a:ty => $generics:tt ($($b:ty),*)) => {
        $(compare!(@@ $generics $a, $b);)*
        impl<T: Eq, $($impl)*> Eq for $a {}
    };
    (@@ [$($generics:tt)*] $a:ty, $b:ty) => {
        impl<T: PartialEq, $($generics)*> PartialEq<$b> for $a {
            fn eq(&self, other: &$b) -> bool {
                equal(&self.shared(), &other.shared())
            }
        }
    };
    ($generics:tt $($a:ty),* => $others:tt) => {
        $(compare!(@ $generics $a => $generics $others);)*
    };
}

compare!(
    [const N: usize] Tensor<T, N>, TensorView<'_, T, N>, TensorViewMut<'_, T, N>
    => (Tensor<T, N>, TensorView<'_, T, N>, TensorViewMut<'_, T, N>)
);
compare!(
    [] DynTensor<T>, DynTensorView<'_, T>, DynTensorViewMut<'_, T>
    => (DynTensor<T>, DynTensorView<'_, T>, DynTensorViewMut<'_, T>)
);
