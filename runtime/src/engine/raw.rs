//! Operands as the engine reads them.

use core::marker::PhantomData;

use crate::operand::View;

/// A borrowed operand: element 0, shape and strides, the type of the array behind it forgotten.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a, T> {
    pub(crate) ptr: *const T,
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
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
            marker: PhantomData,
        }
    }
}
