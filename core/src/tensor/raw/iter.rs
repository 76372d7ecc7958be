//! The elements in row-major order.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{Raw, Shared, Unique};
use crate::tensor::layout::{DynLayout, Extents};
use crate::tensor::short::Short;

/// Pointers to the elements in row-major order.
///
/// The axes are fused first, so that contiguous elements, and any others at one stride, are a single axis.
struct Elements<T> {
    raw: Raw<T, DynLayout>,
    /// The next index and its offset. After the last one both are back at 0.
    index: Short<usize>,
    offset: isize,
    /// Positions not yet given out, in row-major order: `next..end`.
    next: usize,
    end: usize,
}

impl<T> Elements<T> {
    fn new<L: Extents>(raw: &Raw<T, L>) -> Self {
        let fused = DynLayout::fused(&raw.layout);
        Elements {
            index: Short::zeroed(fused.shape().len()),
            offset: 0,
            next: 0,
            end: raw.layout.len(),
            raw: Raw {
                ptr: raw.ptr,
                layout: fused,
            },
        }
    }

    #[inline]
    fn next(&mut self) -> Option<NonNull<T>> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        // SAFETY: `offset` is that of an index in bounds, as there is still an element to come.
        let element = unsafe { self.raw.ptr.offset(self.offset) };
        let layout = &self.raw.layout;
        let axes = self
            .index
            .iter_mut()
            .zip(layout.shape())
            .zip(layout.strides());
        for ((i, &len), &stride) in axes.rev() {
            *i += 1;
            if *i < len {
                self.offset = self.offset.wrapping_add(stride);
                break;
            }
            *i = 0;
            self.offset = self
                .offset
                .wrapping_sub(((len - 1) as isize).wrapping_mul(stride));
        }
        Some(element)
    }

    /// The last of the positions left. Its index is found by division: there are few axes after fusing.
    #[inline]
    fn next_back(&mut self) -> Option<NonNull<T>> {
        if self.next == self.end {
            return None;
        }
        self.end -= 1;
        let layout = &self.raw.layout;
        let (mut offset, mut position) = (0isize, self.end);
        for (&len, &stride) in layout.shape().iter().zip(layout.strides()).rev() {
            offset = offset.wrapping_add(((position % len) as isize).wrapping_mul(stride));
            position /= len;
        }
        // SAFETY: `end` is a position of the layout, so the digits found for it are an index in bounds.
        Some(unsafe { self.raw.ptr.offset(offset) })
    }
}

macro_rules! iterator {
    ($name:ident, $item:ty, $element:ident => $deref:expr) => {
        impl<'a, T> Iterator for $name<'a, T> {
            type Item = $item;
            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.elements.next().map(|$element| $deref)
            }
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.elements.end - self.elements.next;
                (left, Some(left))
            }
        }
        impl<T> DoubleEndedIterator for $name<'_, T> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.elements.next_back().map(|$element| $deref)
            }
        }
        impl<T> ExactSizeIterator for $name<'_, T> {}
        impl<T> FusedIterator for $name<'_, T> {}
        impl<T> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({} left)"), self.len())
            }
        }
    };
}

/// The elements of a view in row-major order.
pub struct Iter<'a, T> {
    elements: Elements<T>,
    marker: PhantomData<&'a T>,
}

// SAFETY: it is a `Shared` with a position.
unsafe impl<T: Sync> Send for Iter<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Iter<'_, T> {}

impl<'a, T> Iter<'a, T> {
    pub(super) fn new<L: Extents>(view: &Shared<'a, T, L>) -> Self {
        Iter {
            elements: Elements::new(&view.raw),
            marker: PhantomData,
        }
    }
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            elements: Elements {
                raw: self.elements.raw.clone(),
                index: self.elements.index.clone(),
                ..self.elements
            },
            marker: PhantomData,
        }
    }
}

iterator!(Iter, &'a T, element => {
    // SAFETY: an element of a `Shared`, which nobody writes to during `'a`.
    unsafe { element.as_ref() }
});

/// The elements of a mutable view in row-major order.
pub struct IterMut<'a, T> {
    elements: Elements<T>,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: it is a `Unique` with a position.
unsafe impl<T: Send> Send for IterMut<'_, T> {}
// SAFETY: as above; a shared reference to it gives no access.
unsafe impl<T: Sync> Sync for IterMut<'_, T> {}

impl<'a, T> IterMut<'a, T> {
    pub(super) fn new<L: Extents>(view: Unique<'a, T, L>) -> Self {
        IterMut {
            elements: Elements::new(&view.raw),
            marker: PhantomData,
        }
    }
}

iterator!(IterMut, &'a mut T, element => {
    // The pointer is a copy; `mut` lets it give out a mutable reference.
    let mut element = element;
    // SAFETY: an element of a `Unique` that this iterator has taken over. Every position is given out once, and
    // different positions are different elements.
    unsafe { element.as_mut() }
});
