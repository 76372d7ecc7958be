//! `t[[i, j]]`.

use core::ops::{Index, IndexMut};

use super::owned::{DynTensor, Tensor};
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};

/// Says what is wrong with an index that was refused.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse(index: &[usize], shape: &[usize]) -> ! {
    if index.len() != shape.len() {
        panic!(
            "{} indices for a tensor with {} axes",
            index.len(),
            shape.len()
        );
    }
    match (0..shape.len()).find(|&axis| index[axis] >= shape[axis]) {
        Some(axis) => panic!(
            "index {} is out of bounds for axis {axis} of length {}",
            index[axis], shape[axis]
        ),
        None => unreachable!("index {index:?} of shape {shape:?}"),
    }
}

macro_rules! index {
    ($([$($generics:tt)*] $name:ty, $index:ty;)*) => {$(
        impl<$($generics)*> Index<$index> for $name {
            type Output = T;
            #[inline]
            #[track_caller]
            fn index(&self, index: $index) -> &T {
                let index: &[usize] = index.as_ref();
                match self.shared().get(index) {
                    Some(element) => element,
                    None => refuse(index, self.shape()),
                }
            }
        }
    )*};
}

macro_rules! index_mut {
    ($([$($generics:tt)*] $name:ty, $index:ty;)*) => {$(
        index!([$($generics)*] $name, $index;);
        impl<$($generics)*> IndexMut<$index> for $name {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: $index) -> &mut T {
                let index: &[usize] = index.as_ref();
                if self.shared().get(index).is_none() {
                    refuse(index, self.shape());
                }
                match self.unique().into_element(index) {
                    Some(element) => element,
                    None => unreachable!("found a moment ago"),
                }
            }
        }
    )*};
}

index! {
    [T, const N: usize] TensorView<'_, T, N>, [usize; N];
    [T, I: AsRef<[usize]>] DynTensorView<'_, T>, I;
}
index_mut! {
    [T, const N: usize] Tensor<T, N>, [usize; N];
    [T, const N: usize] TensorViewMut<'_, T, N>, [usize; N];
    [T, I: AsRef<[usize]>] DynTensor<T>, I;
    [T, I: AsRef<[usize]>] DynTensorViewMut<'_, T>, I;
}
