//! Vector registers.

use super::isa::{Isa, mul_add};
use crate::element::Element;
use core::marker::PhantomData;

/// What lanes in a wrapper `$of` hand on to the lanes inside: all that moves elements, and nothing that computes.
#[cfg(any(x86_vectors, neon_vectors))]
macro_rules! moved_as {
    ($of:ident, $lanes:ty, $elem:ty) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load(at: *const $elem) -> Self {
            // SAFETY: the caller's promise.
            $of(unsafe { <$lanes>::load(at) })
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_some(at: *const $elem, len: usize) -> Self {
            // SAFETY: the caller's promise.
            $of(unsafe { <$lanes>::load_some(at, len) })
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_some(self, at: *mut $elem, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { self.0.store_some(at, len) }
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn splat(at: *const $elem) -> Self {
            // SAFETY: the caller's promise.
            $of(unsafe { <$lanes>::splat(at) })
        }
    };
}

#[cfg(neon_vectors)]
mod neon;
#[cfg(x86_vectors)]
mod x86;

#[cfg(neon_vectors)]
pub(crate) use neon::Two;
#[cfg(x86_vectors)]
pub(crate) use x86::{Half, U16x16, U16x32, U32x8, U32x16, U64x8};

/// A vector register of elements `Elem`.
///
/// The functions are instructions of an instruction set: they may be called only where it is known to be there.
pub(crate) trait Lanes: Copy {
    /// The element type.
    type Elem;
    /// Elements in a register.
    const LEN: usize;
    /// All zero.
    unsafe fn zero() -> Self;
    /// `LEN` elements from `at`, whatever its alignment.
    unsafe fn load(at: *const Self::Elem) -> Self;
    /// The first `len` elements from `at` (`len <= LEN`); the other lanes hold anything harmless.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_some(at: *const Self::Elem, len: usize) -> Self {
        if len == Self::LEN {
            // SAFETY: the caller vouches for the elements.
            return unsafe { Self::load(at) };
        }
        // SAFETY: as above; the local register has room for `LEN` elements.
        unsafe {
            let mut lanes = Self::zero();
            core::ptr::copy_nonoverlapping(at, (&raw mut lanes).cast(), len);
            lanes
        }
    }
    /// Puts the first `len` lanes into the elements from `at` on (`len <= LEN`).
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_some(self, at: *mut Self::Elem, len: usize) {
        // SAFETY: the caller vouches for the elements.
        unsafe {
            if len == Self::LEN {
                at.cast::<Self>().write_unaligned(self);
            } else {
                core::ptr::copy_nonoverlapping((&raw const self).cast(), at, len);
            }
        }
    }
    /// The element at `at` in every lane.
    unsafe fn splat(at: *const Self::Elem) -> Self;
    /// `a * b + c` in each lane.
    unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self;
    /// `a + b` in each lane.
    unsafe fn add(a: Self, b: Self) -> Self;
}

/// `N` elements of any type, for an instruction set `I`: what is left over of a register, and types without registers.
#[derive(Clone, Copy)]
pub(crate) struct Few<I, T, const N: usize>(pub(crate) [T; N], pub(crate) PhantomData<I>);

impl<I: Isa + Copy, T: Element, const N: usize> Lanes for Few<I, T, N> {
    type Elem = T;
    const LEN: usize = N;
    #[cfg_attr(optimised, inline(always))]
    unsafe fn zero() -> Self {
        Few([T::ZERO; N], PhantomData)
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(at: *const T) -> Self {
        // SAFETY: the caller vouches for the elements.
        Few(unsafe { at.cast::<[T; N]>().read() }, PhantomData)
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(at: *const T) -> Self {
        // SAFETY: the caller vouches for the element.
        Few([unsafe { *at }; N], PhantomData)
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn mul_add(a: Self, b: Self, mut c: Self) -> Self {
        for i in 0..N {
            c.0[i] = mul_add::<I, T>(a.0[i], b.0[i], c.0[i]);
        }
        c
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn add(mut a: Self, b: Self) -> Self {
        for i in 0..N {
            a.0[i] = T::add(a.0[i], b.0[i]);
        }
        a
    }
}

/// Lanes whose ⊕ is the greater and whose ⊗ is the sum.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct MaxPlus<L>(L);
/// Lanes whose ⊕ is the smaller and whose ⊗ is the sum.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct MinPlus<L>(L);
