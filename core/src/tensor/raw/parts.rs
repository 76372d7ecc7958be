//! Making views, and taking parts of them.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::iter::{Iter, IterMut};
use super::{Raw, Shared, Unique};
use crate::tensor::check;
use crate::tensor::error::LayoutError;
use crate::tensor::layout::{DynLayout, Extents, Layout};
use crate::tensor::slice::Slice;

impl<'a, T, L: Extents> Shared<'a, T, L> {
    /// # Safety
    /// During `'a`, every index of `layout` leads from `ptr` to a valid element that nobody writes to, all of them in
    /// one allocation, and their number fits a `usize`. (Without elements, `ptr` may be anything.)
    #[inline]
    pub(crate) unsafe fn from_raw(ptr: *const T, layout: L) -> Self {
        Shared {
            raw: Raw {
                ptr: NonNull::new(ptr.cast_mut()).unwrap_or(NonNull::dangling()),
                layout,
            },
            marker: PhantomData,
        }
    }

    /// `layout` from element `offset` of `slice`.
    pub(crate) fn within(slice: &'a [T], layout: L, offset: usize) -> Result<Self, LayoutError> {
        let ptr = NonNull::from(slice).cast();
        Ok(Shared {
            // SAFETY: pointer and length are those of the slice, borrowed for `'a`.
            raw: unsafe { Raw::within(ptr, slice.len(), layout, offset)? },
            marker: PhantomData,
        })
    }

    /// The shape of `layout`, row-major, over exactly `slice`.
    #[inline]
    pub(crate) fn row_major(slice: &'a [T], mut layout: L) -> Result<Self, LayoutError> {
        check::check_len::<T>(layout.shape(), slice.len())?;
        layout.make_row_major();
        // SAFETY: the indices of a row-major layout lead to one element each of as many as the shape has: those of the slice,
        // borrowed for `'a`.
        Ok(unsafe { Self::from_raw(slice.as_ptr(), layout) })
    }

    #[inline]
    pub(crate) fn as_ptr(&self) -> *const T {
        self.raw.ptr.as_ptr()
    }

    #[inline]
    pub(crate) fn layout(&self) -> &L {
        &self.raw.layout
    }

    #[inline]
    pub(crate) fn get(&self, index: &[usize]) -> Option<&'a T> {
        // SAFETY: `at` gives pointers to valid elements, which nobody writes to during `'a`.
        self.raw
            .at(index)
            .map(|element| unsafe { element.as_ref() })
    }

    /// The elements as a slice, if they lie in row-major order without gaps.
    pub(crate) fn as_slice(&self) -> Option<&'a [T]> {
        if !self.raw.layout.is_row_major() {
            return None;
        }
        let len = self.raw.layout.len();
        // SAFETY: row-major strides lead from `ptr` to each of the `len` elements once and in order, so these are
        // one piece of the allocation, valid and not written to during `'a`. Without elements `ptr` may lead
        // anywhere, but the slice is then empty and made from a dangling pointer.
        Some(unsafe {
            let ptr = if len == 0 {
                NonNull::dangling()
            } else {
                self.raw.ptr
            };
            core::slice::from_raw_parts(ptr.as_ptr(), len)
        })
    }

    #[track_caller]
    pub(crate) fn permuted(&self, order: &[usize]) -> Self {
        Shared {
            raw: self.raw.permuted(order),
            marker: PhantomData,
        }
    }

    #[track_caller]
    pub(crate) fn restricted(self, axis: usize, slice: Slice) -> Self {
        Shared {
            raw: self.raw.restricted(axis, slice),
            marker: PhantomData,
        }
    }

    #[track_caller]
    pub(crate) fn sliced(self, slices: &[Slice]) -> Self {
        Shared {
            raw: self.raw.sliced(slices),
            marker: PhantomData,
        }
    }

    pub(crate) fn iter(&self) -> Iter<'a, T> {
        Iter::new(self)
    }
}

impl<'a, T, const N: usize> Shared<'a, T, Layout<N>> {
    #[inline]
    pub(crate) fn to_dyn(self) -> Shared<'a, T, DynLayout> {
        Shared {
            raw: self.raw.to_dyn(),
            marker: PhantomData,
        }
    }
}

impl<'a, T> Shared<'a, T, DynLayout> {
    pub(crate) fn to_rank<const N: usize>(&self) -> Result<Shared<'a, T, Layout<N>>, LayoutError> {
        Ok(Shared {
            raw: self.raw.to_rank()?,
            marker: PhantomData,
        })
    }
}

impl<'a, T, L: Extents> Unique<'a, T, L> {
    /// # Safety
    /// During `'a`, every index of `layout` leads from `ptr` to a valid element, a different one for every index and
    /// used by nobody else, all of them in one allocation, and their number fits a `usize`. (Without elements, `ptr`
    /// may be anything.)
    #[inline]
    pub(crate) unsafe fn from_raw(ptr: *mut T, layout: L) -> Self {
        Unique {
            raw: Raw {
                ptr: NonNull::new(ptr).unwrap_or(NonNull::dangling()),
                layout,
            },
            marker: PhantomData,
        }
    }

    /// `layout` from element `offset` of `slice`.
    pub(crate) fn within(
        slice: &'a mut [T],
        layout: L,
        offset: usize,
    ) -> Result<Self, LayoutError> {
        check::check_no_overlap(&layout)?;
        let len = slice.len();
        let ptr = NonNull::from(slice).cast();
        Ok(Unique {
            // SAFETY: pointer and length are those of the slice, borrowed mutably for `'a`. That different indices
            // lead to different elements has just been checked.
            raw: unsafe { Raw::within(ptr, len, layout, offset)? },
            marker: PhantomData,
        })
    }

    /// The shape of `layout`, row-major, over exactly `slice`.
    #[inline]
    pub(crate) fn row_major(slice: &'a mut [T], mut layout: L) -> Result<Self, LayoutError> {
        check::check_len::<T>(layout.shape(), slice.len())?;
        layout.make_row_major();
        // SAFETY: the indices of a row-major layout lead to one element each of as many as the shape has, every one to another:
        // those of the slice, borrowed mutably for `'a`.
        Ok(unsafe { Self::from_raw(slice.as_mut_ptr(), layout) })
    }

    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut T {
        self.raw.ptr.as_ptr()
    }

    #[inline]
    pub(crate) fn layout(&self) -> &L {
        &self.raw.layout
    }

    /// The same, read only.
    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, T, L> {
        Shared {
            raw: self.raw.clone(),
            marker: PhantomData,
        }
    }

    /// The same for a shorter time.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Unique<'_, T, L> {
        Unique {
            raw: self.raw.clone(),
            marker: PhantomData,
        }
    }

    /// One element, for as long as all were borrowed.
    #[inline]
    pub(crate) fn into_element(self, index: &[usize]) -> Option<&'a mut T> {
        // SAFETY: `at` gives pointers to valid elements; they belonged to `self`, which is used up.
        self.raw
            .at(index)
            .map(|mut element| unsafe { element.as_mut() })
    }

    // The parts of a `Unique` are made from it by value: an element is never reachable from two of them. Taking axes
    // in another order and restricting them keeps different indices on different elements.

    #[track_caller]
    pub(crate) fn permuted(self, order: &[usize]) -> Self {
        Unique {
            raw: self.raw.permuted(order),
            marker: PhantomData,
        }
    }

    #[track_caller]
    pub(crate) fn restricted(self, axis: usize, slice: Slice) -> Self {
        Unique {
            raw: self.raw.restricted(axis, slice),
            marker: PhantomData,
        }
    }

    #[track_caller]
    pub(crate) fn sliced(self, slices: &[Slice]) -> Self {
        Unique {
            raw: self.raw.sliced(slices),
            marker: PhantomData,
        }
    }

    pub(crate) fn iter_mut(self) -> IterMut<'a, T> {
        IterMut::new(self)
    }
}

impl<'a, T, const N: usize> Unique<'a, T, Layout<N>> {
    #[inline]
    pub(crate) fn into_dyn(self) -> Unique<'a, T, DynLayout> {
        Unique {
            raw: self.raw.to_dyn(),
            marker: PhantomData,
        }
    }
}

impl<'a, T> Unique<'a, T, DynLayout> {
    pub(crate) fn into_rank<const N: usize>(self) -> Result<Unique<'a, T, Layout<N>>, LayoutError> {
        Ok(Unique {
            raw: self.raw.to_rank()?,
            marker: PhantomData,
        })
    }
}
