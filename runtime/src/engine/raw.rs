//! Operands and destinations as the engine sees them.

use core::marker::PhantomData;

use crate::operand::{View, ViewMut};

/// A borrowed operand: element 0, shape and strides, the type of the array behind it forgotten.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a, T> {
    pub(crate) ptr: *const T,
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    /// Its elements count as their conjugates.
    pub(crate) conj: bool,
    marker: PhantomData<&'a T>,
}

impl<'a, T> Raw<'a, T> {
    /// Reads a view. Views are sealed: each one's constructor has checked that every index is in bounds.
    #[inline]
    pub fn new<V: View<Elem = T>>(view: &'a V) -> Self {
        Raw {
            ptr: view.as_ptr(),
            shape: view.shape(),
            strides: view.strides(),
            conj: view.conj(),
            marker: PhantomData,
        }
    }
}

/// A borrowed destination: element 0, shape and strides. Different indices are different elements.
#[derive(Debug)]
pub struct RawMut<'a, T> {
    pub(crate) ptr: *mut T,
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    marker: PhantomData<&'a mut T>,
}

impl<'a, T> RawMut<'a, T> {
    /// Reads a mutable view. Views are sealed: each one's constructor has checked bounds and overlap.
    #[inline]
    pub fn new<V: ViewMut<Elem = T>>(view: &'a mut V) -> Self {
        RawMut {
            ptr: view.as_mut_ptr(),
            shape: view.shape(),
            strides: view.strides(),
            marker: PhantomData,
        }
    }
}

/// How the elements of a fresh result lie behind one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryOrder {
    /// The last axis is contiguous.
    RowMajor,
    /// The first axis is contiguous.
    ColumnMajor,
}

/// Where the result goes.
#[derive(Debug)]
pub(crate) enum Target<'t, 'a, T> {
    /// Into new memory without gaps.
    Fresh(MemoryOrder),
    /// Into a given output.
    Given(&'t RawMut<'a, T>),
}

impl<T> Clone for Target<'_, '_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Target<'_, '_, T> {}

impl<'t, 'a, T> Target<'t, 'a, T> {
    #[inline]
    pub(crate) fn given(self) -> Option<&'t RawMut<'a, T>> {
        match self {
            Target::Fresh(_) => None,
            Target::Given(output) => Some(output),
        }
    }

    #[inline]
    pub(crate) fn order(self) -> Option<MemoryOrder> {
        match self {
            Target::Fresh(order) => Some(order),
            Target::Given(_) => None,
        }
    }
}
