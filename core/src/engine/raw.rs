//! Operands and destinations as the engine sees them.

use core::marker::PhantomData;

use crate::dims::Part;
use crate::operand::{View, ViewMut};
use crate::scalar::Scalar;

/// A borrowed operand: element 0, shape and strides, the type of the array behind it forgotten.
///
/// `T` is the element type of the call. Where that is complex, an operand may be real: see `Raw::among`.
#[derive(Debug)]
#[repr(transparent)]
pub struct Raw<'a, T> {
    layout: Layout<'a>,
    marker: PhantomData<&'a T>,
}

impl<T> Clone for Raw<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Raw<'_, T> {}

/// An operand without its element type: what a call is looked up and prepared by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    ptr: *const (),
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    /// Its elements count as their conjugates.
    pub(crate) conj: bool,
    /// Its elements are real numbers, also where those of the call are complex.
    pub(crate) real: bool,
}

#[cfg(any(feature = "gradient", feature = "report"))]
impl<'a> Layout<'a> {
    /// Of an array that is not there yet, or no longer.
    pub(crate) fn of(shape: &'a [usize], strides: &'a [isize], real: bool) -> Self {
        Layout {
            ptr: core::ptr::null(),
            shape,
            strides,
            conj: false,
            real,
        }
    }
}

impl<'a, T> Raw<'a, T> {
    /// Elements by axes of their own.
    ///
    /// # Safety
    /// Every index within `shape` leads by `strides` to one of the elements.
    #[cfg(feature = "gradient")]
    #[inline]
    pub(crate) unsafe fn of_elements(
        elements: &'a [T],
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Self
    where
        T: Scalar,
    {
        Raw {
            layout: Layout {
                ptr: elements.as_ptr().cast(),
                ..Layout::of(shape, strides, <T as Scalar>::__REAL)
            },
            marker: PhantomData,
        }
    }

    /// Reads a view. Views are sealed: each one's constructor has checked that every index is in bounds.
    #[inline]
    pub fn new<V: View<Elem = T>>(view: &'a V) -> Self
    where
        T: Scalar,
    {
        Raw {
            layout: Layout {
                ptr: view.as_ptr().cast(),
                shape: view.shape(),
                strides: view.strides(),
                conj: V::CONJ,
                real: <T as Scalar>::__REAL,
            },
            marker: PhantomData,
        }
    }

    /// Element 0: of type `T`, unless the operand is real and the call complex.
    #[inline]
    pub(crate) fn ptr(&self) -> *const T {
        self.layout.ptr.cast()
    }

    #[inline]
    pub(crate) fn layout(&self) -> Layout<'a> {
        self.layout
    }

    /// The operands without their element type.
    #[inline]
    pub(crate) fn layouts<'s>(operands: &'s [Raw<'a, T>]) -> &'s [Layout<'a>] {
        // SAFETY: a `Raw` is a `Layout` in memory (it is transparent), so a slice of the one is a slice of the other.
        unsafe { &*(core::ptr::from_ref(operands) as *const [Layout<'a>]) }
    }

    /// Real operands, as they stand in a call whose elements are the complex numbers `C`. What they point to is a `T` all
    /// the same, as `real` says.
    #[inline]
    pub(crate) fn among<'s, C>(operands: &'s [Raw<'a, T>]) -> &'s [Raw<'a, C>] {
        // SAFETY: a `Raw` of any elements is a `Layout` in memory (it is transparent). Who reads elements asks `real` first.
        unsafe { &*(core::ptr::from_ref(operands) as *const [Raw<'a, C>]) }
    }

    /// What is left of it without its axes: to be given them again by `with_axes`, and for nothing else.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    pub(crate) fn without_axes(mut self) -> Self {
        (self.layout.shape, self.layout.strides) = (&[], &[]);
        self
    }

    /// The conjugate, if `conj`.
    #[inline]
    pub(crate) fn conjugated(mut self, conj: bool) -> Self {
        self.layout.conj ^= conj;
        self
    }

    /// The same elements by other axes.
    ///
    /// # Safety
    /// Every index within `shape` leads by `strides` to an element of this operand.
    #[cfg(any(feature = "gradient", not(any(target_os = "none", cteinsum_no_std))))]
    #[inline]
    pub(crate) unsafe fn with_axes<'s>(self, shape: &'s [usize], strides: &'s [isize]) -> Raw<'s, T>
    where
        'a: 's,
    {
        Raw {
            layout: Layout {
                shape,
                strides,
                ..self.layout
            },
            marker: PhantomData,
        }
    }

    /// Its strides, counted in parts of complex numbers.
    #[cfg(feature = "gradient")]
    pub(crate) fn strides_of_parts(&self) -> Vec<isize> {
        let strides = self.layout.strides.iter();
        strides.map(|stride| stride.wrapping_mul(2)).collect()
    }

    /// Some of its axes; the others have length 1.
    #[inline]
    pub(crate) fn part(mut self, part: Option<Part>) -> Self {
        if let Some(part) = part {
            self.layout.shape = &self.layout.shape[part.first..][..part.count];
            self.layout.strides = &self.layout.strides[part.first..][..part.count];
        }
        self
    }
}

#[cfg(feature = "gradient")]
impl<'a, R: Scalar> Raw<'a, num_complex::Complex<R>> {
    /// The real or the imaginary parts of complex numbers, by the strides of these parts.
    ///
    /// # Panics
    /// If the operand is real.
    pub(crate) fn part_of<'s>(&self, strides: &'s [isize], imaginary: bool) -> Raw<'s, R>
    where
        'a: 's,
    {
        assert!(!self.layout.real && strides.len() == self.layout.strides.len());
        let first = self.layout.ptr.cast::<R>();
        Raw {
            layout: Layout {
                ptr: first.wrapping_add(usize::from(imaginary)).cast(),
                shape: self.layout.shape,
                strides,
                conj: false,
                real: true,
            },
            marker: PhantomData,
        }
    }
}

/// A borrowed destination: element 0, shape and strides. Different indices are different elements.
#[derive(Debug)]
pub struct RawMut<'a, T> {
    pub(crate) ptr: *mut T,
    pub(crate) given: Given<'a>,
    marker: PhantomData<&'a mut T>,
}

/// The axes of a given output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
}

impl<'a, T> RawMut<'a, T> {
    /// Reads a mutable view. Views are sealed: each one's constructor has checked bounds and overlap.
    #[inline]
    pub fn new<V: ViewMut<Elem = T>>(view: &'a mut V) -> Self {
        RawMut {
            ptr: view.as_mut_ptr(),
            given: Given {
                shape: view.shape(),
                strides: view.strides(),
            },
            marker: PhantomData,
        }
    }

    /// The elements from `ptr` on.
    ///
    /// # Safety
    ///
    /// They are borrowed mutably for `'a`; every index within `shape` leads by `strides` to one of them, each to another one.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    pub(crate) unsafe fn of_parts(ptr: *mut T, shape: &'a [usize], strides: &'a [isize]) -> Self {
        RawMut {
            ptr,
            given: Given { shape, strides },
            marker: PhantomData,
        }
    }

    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    /// New memory, of any values.
    ///
    /// # Safety
    ///
    /// Every index within `shape` leads by `strides` to a place in the vector's memory, each to another one.
    pub(crate) unsafe fn new_memory(
        memory: &'a mut Vec<T>,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Self {
        // SAFETY: the caller's promise.
        unsafe { RawMut::of_parts(memory.as_mut_ptr(), shape, strides) }
    }

    /// The same elements under another name.
    ///
    /// # Safety
    ///
    /// Every `T` is a `U` and the other way round, in the same memory.
    #[cfg(feature = "algebras")]
    pub(crate) unsafe fn cast<U>(&self) -> RawMut<'_, U> {
        RawMut {
            ptr: self.ptr.cast(),
            given: self.given,
            marker: PhantomData,
        }
    }

    /// Some of its axes; the others have length 1.
    #[inline]
    pub(crate) fn part(mut self, part: Option<Part>) -> Self {
        if let Some(part) = part {
            self.given.shape = &self.given.shape[part.first..][..part.count];
            self.given.strides = &self.given.strides[part.first..][..part.count];
        }
        self
    }
}

/// How the elements of a fresh result lie behind one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(target_os = "none", cteinsum_no_std), allow(unreachable_pub))]
pub enum MemoryOrder {
    /// The last axis is contiguous.
    RowMajor,
    /// The first axis is contiguous.
    ColumnMajor,
}

/// Where the result goes.
///
/// Two words, so that it travels in registers: a copy of what was only just written waits for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    /// Of new memory without gaps.
    pub(crate) order: MemoryOrder,
    /// The output, unless it is new.
    pub(crate) given: Option<&'a Given<'a>>,
}

impl<'a> Target<'a> {
    /// New memory without gaps.
    #[inline]
    pub(crate) fn fresh(order: MemoryOrder) -> Self {
        Target { order, given: None }
    }

    /// A given output.
    #[inline]
    pub(crate) fn given(given: &'a Given<'a>) -> Self {
        Target {
            order: MemoryOrder::RowMajor,
            given: Some(given),
        }
    }
}
