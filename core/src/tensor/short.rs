//! A list that lives inline while it is short.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// Lengths up to this one need no allocation.
pub(crate) const INLINE: usize = 8;

/// A fixed-length list of numbers, inline up to [`INLINE`] of them.
#[derive(Clone)]
pub enum Short<E> {
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

#[cfg(test)]
mod tests {
    use super::{INLINE, Short};

    #[test]
    fn inline_up_to_eight_and_on_the_heap_above() {
        for len in 0..2 * INLINE {
            let list: Vec<usize> = (1..=len).collect();
            let mut short = Short::from_slice(&list);
            assert_eq!(*short, *list);
            assert_eq!(matches!(short, Short::Inline(..)), len <= 8);
            assert_eq!(format!("{short:?}"), format!("{list:?}"));
            short.iter_mut().for_each(|x| *x = 0);
            assert_eq!(*short, *Short::<usize>::zeroed(len));
            assert_eq!(*short.clone(), *vec![0; len]);
        }
    }

    #[test]
    fn a_view_of_rank_eight_becomes_dynamic_inline() {
        let eight = crate::Tensor::full([1; 8], 0).as_dyn().0.layout().clone();
        assert!(matches!(
            (eight.shape, eight.strides),
            (Short::Inline(..), Short::Inline(..))
        ));
        let nine = crate::Tensor::full([1; 9], 0).as_dyn().0.layout().clone();
        assert!(matches!(
            (nine.shape, nine.strides),
            (Short::Heap(_), Short::Heap(_))
        ));
    }
}
