//! A list that lives inline while it is short.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// Lengths up to this one need no allocation.
pub(crate) const INLINE: usize = 8;

/// A fixed-length list of numbers, inline up to [`INLINE`] of them.
#[derive(Clone)]
pub(crate) enum Short<E> {
    Inline(u8, [E; INLINE]),
    Heap(Box<[E]>),
}

impl<E: Copy + Default> Short<E> {
    /// A copy of `list`.
    #[inline]
    pub(crate) fn from_slice(list: &[E]) -> Self {
        if list.len() <= INLINE {
            let mut inline = [E::default(); INLINE];
            inline[..list.len()].copy_from_slice(list);
            Short::Inline(list.len() as u8, inline)
        } else {
            Short::Heap(list.into())
        }
    }

    /// `len` times the default.
    #[inline]
    pub(crate) fn zeroed(len: usize) -> Self {
        if len <= INLINE {
            Short::Inline(len as u8, [E::default(); INLINE])
        } else {
            Short::Heap(vec![E::default(); len].into())
        }
    }
}

impl<E> Deref for Short<E> {
    type Target = [E];
    #[inline]
    fn deref(&self) -> &[E] {
        match self {
            Short::Inline(len, list) => &list[..usize::from(*len)],
            Short::Heap(list) => list,
        }
    }
}

impl<E> DerefMut for Short<E> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [E] {
        match self {
            Short::Inline(len, list) => &mut list[..usize::from(*len)],
            Short::Heap(list) => list,
        }
    }
}

impl<E: fmt::Debug> fmt::Debug for Short<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
