//! A row-major layout and the elements it needs.

use super::{Shared, Unique};
use crate::tensor::check;
use crate::tensor::error::LayoutError;
use crate::tensor::layout::{DynLayout, Extents, Layout};

/// Invariant: `layout` is row-major and has as many elements as `data`.
#[derive(Clone)]
pub(crate) struct Owned<T, L> {
    layout: L,
    data: Vec<T>,
}

impl<T, L: Extents> Owned<T, L> {
    /// The shape of `layout` over exactly `data`.
    #[inline]
    pub(crate) fn new(mut layout: L, data: Vec<T>) -> Result<Self, LayoutError> {
        check::check_len::<T>(layout.shape(), data.len())?;
        layout.make_row_major();
        Ok(Owned { layout, data })
    }

    /// The same of a shape that has been checked already.
    #[inline]
    pub(crate) fn of_result(mut layout: L, data: Vec<T>) -> Self {
        let lens = layout.shape().iter();
        let count = lens.fold(1usize, |n, &len| n.wrapping_mul(len));
        assert_eq!(count, data.len(), "the elements of a shape");
        layout.make_row_major();
        Owned { layout, data }
    }

    #[inline]
    pub(crate) fn layout(&self) -> &L {
        &self.layout
    }

    #[inline]
    pub(crate) fn data(&self) -> &[T] {
        &self.data
    }

    #[inline]
    pub(crate) fn data_mut(&mut self) -> &mut [T] {
        &mut self.data
    }

    #[inline]
    pub(crate) fn into_data(self) -> Vec<T> {
        self.data
    }

    #[inline]
    pub(crate) fn shared(&self) -> Shared<'_, T, L> {
        // SAFETY: by the invariant every index leads to one of the elements of `data`, borrowed with `self`.
        unsafe { Shared::from_raw(self.data.as_ptr(), self.layout.clone()) }
    }

    #[inline]
    pub(crate) fn unique(&mut self) -> Unique<'_, T, L> {
        // SAFETY: as above, mutably; row-major strides lead to a different element for every index.
        unsafe { Unique::from_raw(self.data.as_mut_ptr(), self.layout.clone()) }
    }
}

impl<T, const N: usize> Owned<T, Layout<N>> {
    pub(crate) fn into_dyn(self) -> Owned<T, DynLayout> {
        Owned {
            layout: self.layout.to_dyn(),
            data: self.data,
        }
    }
}

impl<T> Owned<T, DynLayout> {
    pub(crate) fn into_rank<const N: usize>(self) -> Result<Owned<T, Layout<N>>, LayoutError> {
        Ok(Owned {
            layout: self.layout.to_rank()?,
            data: self.data,
        })
    }
}
