//! Owned tensors.

use cteinsum_kernels::large_pages;

use super::check::checked_len;
use super::error::LayoutError;
use super::layout::{DynLayout, Extents, Layout, advance};
use super::methods::{must, parts, reading, writing};
use super::raw::{Iter, IterMut, Owned, Shared, Unique};
use super::slice::{Slice, s};
use super::view::{DynTensorView, TensorView};
use super::view_mut::{DynTensorViewMut, TensorViewMut};
use crate::scalar::Scalar;

/// A tensor of rank `N`: its elements in row-major order, without gaps.
///
/// ```
/// use cteinsum::{Tensor, s};
/// let a = Tensor::from_vec([2, 3], vec![1., 2., 3., 4., 5., 6.]);
/// assert_eq!(a[[1, 0]], 4.);
/// assert_eq!(a.permuted([1, 0])[[0, 1]], 4.);
/// assert_eq!(a.slice([s(..), s(..).step(-1)]), Tensor::from([[3., 2., 1.], [6., 5., 4.]]).view());
/// assert_eq!(a, Tensor::from_fn([2, 3], |[i, j]| (3 * i + j) as f64 + 1.));
/// assert_eq!(a.to_string(), "[[1, 2, 3],\n [4, 5, 6]]");
/// ```
#[derive(Clone)]
pub struct Tensor<T, const N: usize>(pub(super) Owned<T, Layout<N>>);

/// A tensor whose rank is known at run time: its elements in row-major order, without gaps.
///
/// ```
/// use cteinsum::{DynTensor, Tensor};
/// let a = DynTensor::from_vec(&[2, 3], vec![1, 2, 3, 4, 5, 6]);
/// assert_eq!(a[[1, 0]], 4);
/// let b: Tensor<i32, 2> = a.try_into_rank().unwrap();
/// assert_eq!(b.shape(), &[2, 3]);
/// ```
#[derive(Clone)]
pub struct DynTensor<T>(pub(super) Owned<T, DynLayout>);

/// The element count of a tensor about to be filled.
#[track_caller]
fn countable<T>(shape: &[usize]) -> usize {
    match checked_len::<T>(shape) {
        Some(len) => len,
        None => must(Err(LayoutError::TooLarge {
            shape: shape.to_vec(),
        })),
    }
}

/// New elements, `len` in all, on large pages where the system has them.
fn collected<T>(len: usize, elements: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::with_capacity(len);
    large_pages(all.as_ptr(), len * size_of::<T>());
    all.extend(elements);
    all
}

impl<T, const N: usize> Tensor<T, N> {
    /// The tensor of the shape of a result with its elements, which the engine has counted.
    #[inline]
    pub(crate) fn of_result(shape: [usize; N], elements: Vec<T>) -> Self {
        let strides = [0; N];
        Tensor(Owned::of_result(Layout { shape, strides }, elements))
    }
}

macro_rules! owned {
    (
        impl [$($generics:tt)*] $name:ident [$($args:tt)*],
        shape $shape:ty, $given:ident => $layout:expr
    ) => {
        impl<$($generics)*> $name<$($args)*> {
            /// The tensor of the given shape with the elements of `elements` in row-major order.
            ///
            /// # Panics
            /// If the shape asks for another number of elements.
            #[track_caller]
            pub fn from_vec(shape: $shape, elements: Vec<T>) -> Self {
                must(Self::try_from_vec(shape, elements))
            }

            /// The tensor of the given shape with the elements of `elements` in row-major order.
            ///
            /// # Errors
            /// [`LayoutError::Length`] if the shape asks for another number of elements,
            /// [`LayoutError::TooLarge`] if for more than memory can hold.
            pub fn try_from_vec($given: $shape, elements: Vec<T>) -> Result<Self, LayoutError> {
                Ok($name(Owned::new($layout, elements)?))
            }

            /// The tensor with `value` everywhere.
            ///
            /// # Panics
            /// If the shape has more elements than memory can hold.
            #[track_caller]
            pub fn full(shape: $shape, value: T) -> Self
            where
                T: Clone,
            {
                let elements = vec![value; countable::<T>(shape.as_ref())];
                // Zeros are not touched yet.
                large_pages(elements.as_ptr(), size_of_val(elements.as_slice()));
                Self::from_vec(shape, elements)
            }

            /// The tensor of zeros.
            ///
            /// # Panics
            /// If the shape has more elements than memory can hold.
            #[track_caller]
            pub fn zeros(shape: $shape) -> Self
            where
                T: Scalar,
            {
                Self::full(shape, T::ZERO)
            }

            /// The elements in row-major order.
            #[inline]
            pub fn as_slice(&self) -> &[T] {
                self.0.data()
            }

            /// The elements in row-major order, to be changed.
            #[inline]
            pub fn as_mut_slice(&mut self) -> &mut [T] {
                self.0.data_mut()
            }

            /// The elements in row-major order.
            #[inline]
            pub fn into_vec(self) -> Vec<T> {
                self.0.into_data()
            }
        }
    };
}

owned!(impl [T, const N: usize] Tensor[T, N], shape [usize; N], given => Layout::of_shape(given));
owned!(impl [T] DynTensor[T], shape impl AsRef<[usize]>, given => DynLayout::of_shape(given.as_ref()));

reading!(
    impl [T, const N: usize] Tensor<T, N>, lends '_, TensorView, Tensor [, N],
    shape &[usize; N], strides &[isize; N], index [usize; N]
);
reading!(
    impl [T] DynTensor<T>, lends '_, DynTensorView, DynTensor [],
    shape &[usize], strides &[isize], index impl AsRef<[usize]>
);
parts!(
    impl [T, const N: usize] Tensor<T, N>, lends '_, TensorView [, N],
    index [usize; N], slices [Slice; N]
);
parts!(
    impl [T] DynTensor<T>, lends '_, DynTensorView [],
    index impl AsRef<[usize]>, slices impl AsRef<[Slice]>
);
writing!(impl [T, const N: usize] Tensor<T, N>, TensorViewMut [, N], index [usize; N]);
writing!(impl [T] DynTensor<T>, DynTensorViewMut [], index impl AsRef<[usize]>);

impl<T, const N: usize> Tensor<T, N> {
    /// The tensor whose element at each index is `f` of the index; called in row-major order.
    ///
    /// # Panics
    /// If the shape has more elements than memory can hold.
    #[track_caller]
    pub fn from_fn(shape: [usize; N], mut f: impl FnMut([usize; N]) -> T) -> Self {
        let mut index = [0; N];
        let elements = (0..countable::<T>(&shape)).map(|_| {
            let element = f(index);
            advance(&mut index, &shape);
            element
        });
        let elements = collected(countable::<T>(&shape), elements);
        Self::from_vec(shape, elements)
    }

    /// The elements with their indices, in row-major order.
    pub fn indexed_iter(&self) -> impl Iterator<Item = ([usize; N], &T)> {
        self.view().indexed_iter()
    }

    /// A view of all elements, with the rank known at run time only.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'_, T> {
        self.view().as_dyn()
    }

    /// The same elements in row-major order, in another shape. Nothing is copied.
    ///
    /// ```
    /// let pairs = cteinsum::Tensor::from([[1, 2, 3, 4]]).into_shape([2, 2]);
    /// assert_eq!(pairs[[1, 0]], 3);
    /// ```
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[doc(alias = "reshape")]
    #[must_use]
    #[track_caller]
    pub fn into_shape<const M: usize>(self, shape: [usize; M]) -> Tensor<T, M> {
        Tensor::from_vec(shape, self.into_vec())
    }

    /// The same tensor with the rank known at run time only. Nothing is copied.
    pub fn into_dyn(self) -> DynTensor<T> {
        DynTensor(self.0.into_dyn())
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'_, T, Layout<N>> {
        self.0.shared()
    }

    #[inline]
    pub(super) fn unique(&mut self) -> Unique<'_, T, Layout<N>> {
        self.0.unique()
    }
}

impl<T> Tensor<T, 0> {
    /// The tensor without axes that has one element.
    pub fn from_element(element: T) -> Self {
        Self::from_vec([], vec![element])
    }

    /// The one element.
    pub fn into_element(self) -> T {
        let mut elements = self.into_vec();
        elements.pop().expect("rank 0 is one element")
    }
}

impl<T> DynTensor<T> {
    /// The tensor whose element at each index is `f` of the index; called in row-major order.
    ///
    /// # Panics
    /// If the shape has more elements than memory can hold.
    #[track_caller]
    pub fn from_fn(shape: impl AsRef<[usize]>, mut f: impl FnMut(&[usize]) -> T) -> Self {
        let shape = shape.as_ref();
        let mut index = vec![0; shape.len()];
        let elements = (0..countable::<T>(shape)).map(|_| {
            let element = f(&index);
            advance(&mut index, shape);
            element
        });
        let elements = collected(countable::<T>(shape), elements);
        Self::from_vec(shape, elements)
    }

    /// A view of all elements.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'_, T> {
        self.view()
    }

    /// The same tensor with the rank in the type. Nothing is copied.
    ///
    /// # Errors
    /// [`LayoutError::Rank`] if the tensor has another rank; see [`rank`](Self::rank) to ask before.
    pub fn try_into_rank<const N: usize>(self) -> Result<Tensor<T, N>, LayoutError> {
        Ok(Tensor(self.0.into_rank()?))
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'_, T, DynLayout> {
        self.0.shared()
    }

    #[inline]
    pub(super) fn unique(&mut self) -> Unique<'_, T, DynLayout> {
        self.0.unique()
    }
}
