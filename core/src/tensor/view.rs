//! Borrowed tensors.

use super::error::LayoutError;
use super::layout::{DynLayout, Extents, Layout, advance};
use super::methods::{must, parts, reading};
use super::owned::{DynTensor, Tensor};
use super::raw::{Iter, Owned, Shared};
use super::slice::{Slice, s};

/// A borrowed tensor of rank `N`: a shape, and strides (in elements) of any sign over somebody else's elements.
///
/// ```
/// use cteinsum::TensorView;
/// let buffer = [0, 1, 2, 3, 4, 5];
/// assert_eq!(TensorView::from_slice([2, 3], &buffer)[[1, 0]], 3);
/// // The same elements in reversed order, transposed; and one row for all three.
/// let reversed = TensorView::new(&buffer, [3, 2], [-1, -3], 5)?;
/// assert_eq!(reversed.to_string(), "[[5, 2],\n [4, 1],\n [3, 0]]");
/// let broadcast = TensorView::new(&buffer, [3, 2], [0, 1], 1)?;
/// assert_eq!(broadcast.to_string(), "[[1, 2],\n [1, 2],\n [1, 2]]");
/// # Ok::<(), cteinsum::LayoutError>(())
/// ```
pub struct TensorView<'a, T, const N: usize>(pub(super) Shared<'a, T, Layout<N>>);

/// A borrowed tensor whose rank is known at run time. Up to rank 8 it is made without an allocation.
pub struct DynTensorView<'a, T>(pub(super) Shared<'a, T, DynLayout>);

impl<T, const N: usize> Clone for TensorView<'_, T, N> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const N: usize> Copy for TensorView<'_, T, N> {}
impl<T> Clone for DynTensorView<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        DynTensorView(self.0.clone())
    }
}

reading!(
    impl ['a, T, const N: usize] TensorView<'a, T, N>, lends 'a, TensorView, Tensor [, N],
    shape &[usize; N], strides &[isize; N], index [usize; N]
);
reading!(
    impl ['a, T] DynTensorView<'a, T>, lends 'a, DynTensorView, DynTensor [],
    shape &[usize], strides &[isize], index impl AsRef<[usize]>
);
parts!(
    impl ['a, T, const N: usize] TensorView<'a, T, N>, lends 'a, TensorView [, N],
    index [usize; N], slices [Slice; N]
);
parts!(
    impl ['a, T] DynTensorView<'a, T>, lends 'a, DynTensorView [],
    index impl AsRef<[usize]>, slices impl AsRef<[Slice]>
);

impl<'a, T, const N: usize> TensorView<'a, T, N> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[track_caller]
    pub fn from_slice(shape: [usize; N], elements: &'a [T]) -> Self {
        TensorView(must(Shared::row_major(elements, Layout::of_shape(shape))))
    }

    /// The view of `elements` whose index 0 is `elements[offset]`, with the given strides. They may be negative, 0
    /// (the same elements for every index of an axis), and lead to an element more than once.
    ///
    /// Strides and offset do not matter if an axis has length 0.
    ///
    /// # Errors
    /// [`LayoutError::OutOfBounds`] if an index leads out of `elements`, [`LayoutError::TooLarge`] if there are
    /// more indices than a `usize` counts.
    pub fn new(
        elements: &'a [T],
        shape: [usize; N],
        strides: [isize; N],
        offset: usize,
    ) -> Result<Self, LayoutError> {
        Shared::within(elements, Layout { shape, strides }, offset).map(TensorView)
    }

    /// A view of all elements, with the rank known at run time only.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'a, T> {
        DynTensorView(self.0.to_dyn())
    }

    /// The elements as a slice, if they lie in row-major order without gaps.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        self.0.as_slice()
    }

    /// The elements with their indices, in row-major order.
    pub fn indexed_iter(&self) -> impl Iterator<Item = ([usize; N], &'a T)> + use<'a, T, N> {
        let (shape, mut index) = (*self.shape(), [0; N]);
        self.iter().map(move |element| {
            let here = index;
            advance(&mut index, &shape);
            (here, element)
        })
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'a, T, Layout<N>> {
        self.0
    }
}

impl<'a, T> DynTensorView<'a, T> {
    /// The view of all of `elements` in row-major order.
    ///
    /// # Panics
    /// If the shape asks for another number of elements.
    #[track_caller]
    pub fn from_slice(shape: impl AsRef<[usize]>, elements: &'a [T]) -> Self {
        let layout = DynLayout::of_shape(shape.as_ref());
        DynTensorView(must(Shared::row_major(elements, layout)))
    }

    /// The view of `elements` whose index 0 is `elements[offset]`, with the given strides; see
    /// [`TensorView::new`].
    ///
    /// # Errors
    /// As there, and [`LayoutError::StrideCount`] if there is not one stride for each axis.
    pub fn new(
        elements: &'a [T],
        shape: impl AsRef<[usize]>,
        strides: impl AsRef<[isize]>,
        offset: usize,
    ) -> Result<Self, LayoutError> {
        let layout = DynLayout::new(shape.as_ref(), strides.as_ref())?;
        Shared::within(elements, layout, offset).map(DynTensorView)
    }

    /// The same view.
    #[inline]
    pub fn as_dyn(&self) -> DynTensorView<'a, T> {
        self.clone()
    }

    /// The elements as a slice, if they lie in row-major order without gaps.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        self.0.as_slice()
    }

    /// The same view with the rank in the type.
    ///
    /// # Errors
    /// [`LayoutError::Rank`] if the view has another rank.
    pub fn try_into_rank<const N: usize>(&self) -> Result<TensorView<'a, T, N>, LayoutError> {
        self.0.to_rank().map(TensorView)
    }

    #[inline]
    pub(super) fn shared(&self) -> Shared<'a, T, DynLayout> {
        self.0.clone()
    }
}
