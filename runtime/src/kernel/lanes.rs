//! Vector registers.

use super::isa::{Isa, mul_add};
use crate::scalar::Scalar;
use core::marker::PhantomData;

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
    #[inline(always)]
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
    /// The element at `at` in every lane.
    unsafe fn splat(at: *const Self::Elem) -> Self;
    /// `a * b + c` in each lane.
    unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self;
}

/// `N` elements of any type, for an instruction set `I`: what is left over of a register, and types without registers.
#[derive(Clone, Copy)]
pub(crate) struct Few<I, T, const N: usize>([T; N], PhantomData<I>);

impl<I: Isa + Copy, T: Scalar, const N: usize> Lanes for Few<I, T, N> {
    type Elem = T;
    const LEN: usize = N;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Few([T::ZERO; N], PhantomData)
    }
    #[inline(always)]
    unsafe fn load(at: *const T) -> Self {
        // SAFETY: the caller vouches for the elements.
        Few(unsafe { at.cast::<[T; N]>().read() }, PhantomData)
    }
    #[inline(always)]
    unsafe fn splat(at: *const T) -> Self {
        // SAFETY: the caller vouches for the element.
        Few([unsafe { *at }; N], PhantomData)
    }
    #[inline(always)]
    unsafe fn mul_add(a: Self, b: Self, mut c: Self) -> Self {
        for i in 0..N {
            c.0[i] = mul_add::<I, T>(a.0[i], b.0[i], c.0[i]);
        }
        c
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use core::arch::x86_64::*;

    /// Eight 64-bit integers.
    #[derive(Clone, Copy)]
    pub(crate) struct U64x8(__m512i);
    /// Sixteen 32-bit integers.
    #[derive(Clone, Copy)]
    pub(crate) struct U32x16(__m512i);
    /// Thirty-two 16-bit integers.
    #[derive(Clone, Copy)]
    pub(crate) struct U16x32(__m512i);
    /// Eight 32-bit integers.
    #[derive(Clone, Copy)]
    pub(crate) struct U32x8(__m256i);
    /// Sixteen 16-bit integers.
    #[derive(Clone, Copy)]
    pub(crate) struct U16x16(__m256i);

    macro_rules! float {
        ($lanes:ty, $elem:ty, $len:literal, $zero:ident, $load:ident, $splat:ident, $fma:ident) => {
            impl Lanes for $lanes {
                type Elem = $elem;
                const LEN: usize = $len;
                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the instruction set is there, as the trait asks.
                    unsafe { $zero() }
                }
                #[inline(always)]
                unsafe fn load(at: *const $elem) -> Self {
                    // SAFETY: as above; the caller vouches for the elements.
                    unsafe { $load(at) }
                }
                #[inline(always)]
                unsafe fn splat(at: *const $elem) -> Self {
                    // SAFETY: as above; the caller vouches for the element.
                    unsafe { $splat(*at) }
                }
                #[inline(always)]
                unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                    // SAFETY: the instruction set is there.
                    unsafe { $fma(a, b, c) }
                }
            }
        };
    }
    float!(
        __m512d,
        f64,
        8,
        _mm512_setzero_pd,
        _mm512_loadu_pd,
        _mm512_set1_pd,
        _mm512_fmadd_pd
    );
    float!(
        __m512,
        f32,
        16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps
    );
    float!(
        __m256d,
        f64,
        4,
        _mm256_setzero_pd,
        _mm256_loadu_pd,
        _mm256_set1_pd,
        _mm256_fmadd_pd
    );
    float!(
        __m256,
        f32,
        8,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps
    );

    macro_rules! integer {
        ($lanes:ident, $elem:ty, $signed:ty, $len:literal, $zero:ident, $load:ident, $splat:ident, $mul:ident, $add:ident) => {
            impl Lanes for $lanes {
                type Elem = $elem;
                const LEN: usize = $len;
                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the instruction set is there, as the trait asks.
                    $lanes(unsafe { $zero() })
                }
                #[inline(always)]
                unsafe fn load(at: *const $elem) -> Self {
                    // SAFETY: as above; the caller vouches for the elements.
                    $lanes(unsafe { $load(at.cast()) })
                }
                #[inline(always)]
                unsafe fn splat(at: *const $elem) -> Self {
                    // SAFETY: as above; the caller vouches for the element.
                    $lanes(unsafe { $splat(*at as $signed) })
                }
                #[inline(always)]
                unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                    // SAFETY: the instruction set is there.
                    $lanes(unsafe { $add($mul(a.0, b.0), c.0) })
                }
            }
        };
    }
    integer!(
        U64x8,
        u64,
        i64,
        8,
        _mm512_setzero_si512,
        _mm512_loadu_si512,
        _mm512_set1_epi64,
        _mm512_mullo_epi64,
        _mm512_add_epi64
    );
    integer!(
        U32x16,
        u32,
        i32,
        16,
        _mm512_setzero_si512,
        _mm512_loadu_si512,
        _mm512_set1_epi32,
        _mm512_mullo_epi32,
        _mm512_add_epi32
    );
    integer!(
        U16x32,
        u16,
        i16,
        32,
        _mm512_setzero_si512,
        _mm512_loadu_si512,
        _mm512_set1_epi16,
        _mm512_mullo_epi16,
        _mm512_add_epi16
    );
    integer!(
        U32x8,
        u32,
        i32,
        8,
        _mm256_setzero_si256,
        _mm256_loadu_si256,
        _mm256_set1_epi32,
        _mm256_mullo_epi32,
        _mm256_add_epi32
    );
    integer!(
        U16x16,
        u16,
        i16,
        16,
        _mm256_setzero_si256,
        _mm256_loadu_si256,
        _mm256_set1_epi16,
        _mm256_mullo_epi16,
        _mm256_add_epi16
    );
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{U16x16, U16x32, U32x8, U32x16, U64x8};
