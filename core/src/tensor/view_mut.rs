//! Mutably borrowed tensors.

use super::error::LayoutError;
use super::layout::{DynLayout, Extents, Layout};
use super::methods::{must, parts_mut, reading, writing};
use super::owned::{DynTensor, Tensor};
use super::raw::{Iter, IterMut, Owned, Shared, Unique};
use super::slice::{Slice, s};
use super::view::{DynTensorView, TensorView};

/// A mutably borrowed tensor of rank `N`: a shape, and strides (in elements) over somebody else's elements. Different
/// indices lead to different elements.
///
/// ```
/// use cteinsum::{Tensor, s};
/// let mut t = Tensor::zeros([2, 4]);
/// t.view_mut().slice([s(..), s(1..).step(2)]).permuted([1, 0])[[1, 0]] = 5;
/// assert_eq!(t.to_string(), "[[0, 0, 0, 5],\n [0, 0, 0, 0]]");
/// ```
pub struct TensorViewMut<'a, T, const N: usize>(pub(super) Unique<'a, T, Layout<N>>);

/// A mutably borrowed tensor whose rank is known at run time. Up to rank 8 it is made without an allocation.
pub struct DynTensorViewMut<'a, T>(pub(super) Unique<'a, T, DynLayout>);

reading!(
    impl ['a, T, const N: usize] TensorViewMut<'a, T, N>, lends '_, TensorView, Tensor [, N],
    shape &[usize; N], strides &[isize; N], index [usize; N]
);
reading!(
    impl ['a, T] DynTensorViewMut<'a, T>, lends '_, DynTensorView, DynTensor [],
    shape &[usize], strides &[isize], index impl AsRef<[usize]>
);
writing!(impl ['a, T, const N: usize] TensorViewMut<'a, T, N>, TensorViewMut [, N], index [usize; N]);
writing!(impl ['a, T] DynTensorViewMut<'a, T>, DynTensorViewMut [], index impl AsRef<[usize]>);
parts_mut!(
    impl ['a, T, const N: usize] TensorViewMut<'a, T, N>,
    index [usize; N], slices [Slice; N]
);
parts_mut!(
    impl ['a, T] DynTensorViewMut<'a, T>,
    index impl AsRef<[usize]>, slices impl AsRef<[Slice]>
);

impl<'a, T, const N: usize> TensorViewMut<'a, T, N> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[track_caller]
    pub fn from_slice(shape: [usize; N], elements: &'a mut [T]) -> Self {
        TensorViewMut(must(Unique::row_major(elements, Layout::of_shape(shape))))
    }

    /// The view of `elements` whose index 0 is `elements[offset]`, with the given strides, which may be negative.
    ///
    /// Different indices must lead to different elements. What is checked is a bit more: with the axes longer than 1
    /// in order of their strides' sizes, each stride must be larger than all that the axes before it reach together.
    /// Every part of a contiguous tensor is like that. Strides and offset do not matter if an axis has length 0.
    ///
    /// # Errors
    /// [`LayoutError::Overlap`] for strides that are not like that, in particular 0;
    /// [`LayoutError::OutOfBounds`] if an index leads out of `elements`.
    pub fn new(
        elements: &'a mut [T],
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, LayoutError> {
        Unique::within(elements, Layout { shape, strides }, offset).map(TensorViewMut)
    }

    /// A view of all elements, with the rank known at run time only.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'_, T> {
        self.view().as_dyn()
    }

    /// The same view with the rank known at run time only.
    #[inline]
    pub fn into_dyn(self) -> DynTensorViewMut<'a, T> {
        DynTensorViewMut(self.0.into_dyn())
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'_, T, Layout<N>> {
        self.0.shared()
    }

    #[inline]
    pub(super) fn unique(&mut self) -> Unique<'_, T, Layout<N>> {
        self.0.reborrow()
    }
}

impl<'a, T> DynTensorViewMut<'a, T> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[track_caller]
    pub fn from_slice(shape: impl AsRef<[usize]>, elements: &'a mut [T]) -> Self {
        let layout = DynLayout::of_shape(shape.as_ref());
        DynTensorViewMut(must(Unique::row_major(elements, layout)))
    }

    /// The view of `elements` whose index 0 is `elements[offset]`, with the given strides; see
    /// [`TensorViewMut::new`].
    ///
    /// # Errors
    /// As there, and [`LayoutError::StrideCount`] if there is not one stride for each axis.
    pub fn new(
        elements: &'a mut [T],
        shape: impl AsRef<[usize]>,
        strides: impl AsRef<[isize]>,
        offset: usize,
    ) -> Result<Self, LayoutError> {
        let layout = DynLayout::new(shape.as_ref(), strides.as_ref())?;
        Unique::within(elements, layout, offset).map(DynTensorViewMut)
    }

    /// A view of all elements.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'_, T> {
        self.view()
    }

    /// The same view.
    #[inline]
    pub fn into_dyn(self) -> DynTensorViewMut<'a, T> {
        self
    }

    /// The same view with the rank in the type.
    ///
    /// # Errors
    /// [`LayoutError::Rank`] if the view has another rank.
    pub fn try_into_rank<const N: usize>(self) -> Result<TensorViewMut<'a, T, N>, LayoutError> {
        self.0.into_rank().map(TensorViewMut)
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'_, T, DynLayout> {
        self.0.shared()
    }

    #[inline]
    pub(super) fn unique(&mut self) -> Unique<'_, T, DynLayout> {
        self.0.reborrow()
    }
}
