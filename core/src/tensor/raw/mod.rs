//! The memory behind tensors and views: all unsafe code of `tensor`.
//!
//! A layout is put on memory here once, by a constructor that checks it or that is unsafe; afterwards the safe
//! methods can only take parts of it. The lemma they rest on: if every index of a layout leads to an element,
//! so does every index of what [`Extents::permuted`] and [`Extents::restrict`] make of it, from where they say,
//! and so does an index that [`Extents::offset`] accepts. Offsets cannot overflow: the index with all but one
//! axis at 0 is an index too, so every summand and every partial sum is a distance inside one allocation. (Elements of
//! size 0 are the exception; there the sums wrap, and moving by any number of elements moves by no byte.)

mod iter;
mod owned;
mod parts;
mod unchecked;

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::check;
use super::error::LayoutError;
use super::layout::{DynLayout, Extents, Layout};
use super::slice::Slice;

pub use iter::{Iter, IterMut};
pub(crate) use owned::Owned;

/// A layout on memory.
///
/// Invariant: the number of elements fits a `usize`, and every index leads from `ptr` to a valid element, all in one
/// allocation. For how long and who else may touch them is for [`Shared`] and [`Unique`] to say.
struct Raw<T, L> {
    ptr: NonNull<T>,
    layout: L,
}

impl<T, L: Clone> Clone for Raw<T, L> {
    #[inline]
    fn clone(&self) -> Self {
        Raw {
            ptr: self.ptr,
            layout: self.layout.clone(),
        }
    }
}

impl<T, L: Copy> Copy for Raw<T, L> {}

impl<T, L: Extents> Raw<T, L> {
    /// The layout from element `offset` of the slice of length `len` at `ptr`, if it stays inside.
    ///
    /// # Safety
    /// `ptr` is the start of a slice of `len` valid elements.
    unsafe fn within(
        ptr: NonNull<T>,
        len: usize,
        layout: L,
        offset: usize,
    ) -> Result<Self, LayoutError> {
        check::check_bounds(&layout, offset, len)?;
        let raw = Raw { ptr, layout };
        if raw.layout.is_empty() {
            return Ok(raw);
        }
        // SAFETY: `check_bounds` has shown that the offset, the index 0 of a view with elements, is inside the slice.
        let ptr = unsafe { raw.ptr.add(offset) };
        Ok(Raw { ptr, ..raw })
    }

    #[inline]
    fn at(&self, index: &[usize]) -> Option<NonNull<T>> {
        let offset = self.layout.offset(index)?;
        // SAFETY: the index is in bounds, so by the invariant the offset leads to an element of the same allocation.
        Some(unsafe { self.ptr.offset(offset) })
    }

    #[track_caller]
    fn permuted(&self, order: &[usize]) -> Self {
        Raw {
            ptr: self.ptr,
            layout: self.layout.permuted(order),
        }
    }

    #[track_caller]
    fn restricted(mut self, axis: usize, slice: Slice) -> Self {
        let offset = self.layout.restrict(axis, slice);
        if !self.layout.is_empty() {
            // SAFETY: with elements left, `offset` leads to the one at the first index that the slice keeps, which
            // is an index of the layout before: by the invariant it is in the allocation.
            self.ptr = unsafe { self.ptr.offset(offset) };
        }
        self
    }

    #[track_caller]
    fn sliced(mut self, slices: &[Slice]) -> Self {
        let rank = self.layout.shape().len();
        assert!(
            slices.len() == rank,
            "{} slices for a tensor with {rank} axes",
            slices.len()
        );
        for (axis, &slice) in slices.iter().enumerate() {
            self = self.restricted(axis, slice);
        }
        self
    }
}

impl<T, const N: usize> Raw<T, Layout<N>> {
    #[inline]
    fn to_dyn(self) -> Raw<T, DynLayout> {
        Raw {
            ptr: self.ptr,
            layout: self.layout.to_dyn(),
        }
    }
}

impl<T> Raw<T, DynLayout> {
    fn to_rank<const N: usize>(&self) -> Result<Raw<T, Layout<N>>, LayoutError> {
        Ok(Raw {
            ptr: self.ptr,
            layout: self.layout.to_rank()?,
        })
    }
}

/// A layout on memory that nobody writes to during `'a`: what a view is.
///
/// It goes to another thread where a reference would:
/// ```compile_fail,E0277
/// fn send<T: Send>() {}
/// send::<cteinsum::TensorView<'_, std::cell::Cell<f64>, 1>>();
/// ```
/// ```compile_fail,E0277
/// fn send<T: Send>() {}
/// send::<cteinsum::Iter<'_, std::cell::Cell<f64>>>();
/// ```
pub(crate) struct Shared<'a, T, L> {
    raw: Raw<T, L>,
    marker: PhantomData<&'a T>,
}

// SAFETY: a `Shared` is as good as the `&'a T` of its elements and a value of type `L`.
unsafe impl<T: Sync, L: Send> Send for Shared<'_, T, L> {}
// SAFETY: as above.
unsafe impl<T: Sync, L: Sync> Sync for Shared<'_, T, L> {}

impl<T, L: Clone> Clone for Shared<'_, T, L> {
    #[inline]
    fn clone(&self) -> Self {
        Shared {
            raw: self.raw.clone(),
            marker: PhantomData,
        }
    }
}

impl<T, const N: usize> Copy for Shared<'_, T, Layout<N>> {}

/// A layout on memory that belongs to it alone during `'a`: what a mutable view is.
///
/// Invariant beyond that of [`Raw`]: different indices lead to different elements.
///
/// There are no two at a time, nor one together with a view:
/// ```compile_fail,E0499
/// let mut t = cteinsum::Tensor::zeros([2]);
/// let (a, b) = (t.view_mut(), t.view_mut());
/// let c: (_, f64) = (a, b[[0]]);
/// ```
/// ```compile_fail,E0502
/// let mut t = cteinsum::Tensor::zeros([2]);
/// let a = t.permuted([0]);
/// t[[0]] = 1.0;
/// println!("{a}");
/// ```
/// It goes to another thread where a mutable reference would:
/// ```compile_fail,E0277
/// fn send<T: Send>() {}
/// send::<cteinsum::TensorViewMut<'_, std::rc::Rc<f64>, 1>>();
/// ```
/// ```compile_fail,E0277
/// fn sync<T: Sync>() {}
/// sync::<cteinsum::TensorViewMut<'_, std::cell::Cell<f64>, 1>>();
/// ```
pub(crate) struct Unique<'a, T, L> {
    raw: Raw<T, L>,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: a `Unique` is as good as the `&'a mut T` of its elements and a value of type `L`.
unsafe impl<T: Send, L: Send> Send for Unique<'_, T, L> {}
// SAFETY: as above; a shared reference to it gives no more than `&T`.
unsafe impl<T: Sync, L: Sync> Sync for Unique<'_, T, L> {}
