//! Registers of AVX-512 and AVX2.

use super::{Lanes, MaxPlus, MinPlus};
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

/// `load_some` and `store_some` by a mask in a register of bits.
macro_rules! masked {
    ($mask:ty, $load:ident, $store:ident, $wrap:expr, $raw:expr, $elem:ty) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_some(at: *const $elem, len: usize) -> Self {
            let mask = (((1u64 << len) - 1) & <$mask>::MAX as u64) as $mask;
            // SAFETY: the instruction set is there, as the trait asks; only `len` elements are read.
            $wrap(unsafe { $load(mask, at.cast()) })
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_some(self, at: *mut $elem, len: usize) {
            let mask = (((1u64 << len) - 1) & <$mask>::MAX as u64) as $mask;
            // SAFETY: the instruction set is there; only `len` elements are written.
            unsafe { $store(at.cast(), mask, $raw(self)) }
        }
    };
}

/// A window on this that starts `len` words before the middle has `len` words set at its start.
static WINDOW: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// `load_some` and `store_some` by a mask in a vector register, `$words` words for each element.
macro_rules! masked_by_sign {
    ($words:literal, $load:ident, $store:ident, $wrap:expr, $raw:expr, $elem:ty) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_some(at: *const $elem, len: usize) -> Self {
            // SAFETY: the instruction set is there, as the trait asks; `len * words <= 8`, so that the window lies
            // in the table; only `len` elements are read.
            $wrap(unsafe {
                let mask = WINDOW.as_ptr().add(8 - $words * len).cast();
                $load(at.cast(), _mm256_loadu_si256(mask))
            })
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_some(self, at: *mut $elem, len: usize) {
            // SAFETY: as above; only `len` elements are written.
            unsafe {
                let mask = WINDOW.as_ptr().add(8 - $words * len).cast();
                $store(at.cast(), _mm256_loadu_si256(mask), $raw(self));
            }
        }
    };
}

/// Half a register of AVX-512, which has masks of bits for them: a mask is made faster than it is read from a table.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Half<L>(L);

macro_rules! half {
    ($lanes:ty, $elem:ty, $load:ident, $store:ident) => {
        impl Lanes for Half<$lanes> {
            type Elem = $elem;
            const LEN: usize = <$lanes>::LEN;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                Half(unsafe { <$lanes>::zero() })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn load(at: *const $elem) -> Self {
                // SAFETY: the caller's promise.
                Half(unsafe { <$lanes>::load(at) })
            }
            masked!(u8, $load, $store, Half, |x: Self| x.0, $elem);
            #[cfg_attr(optimised, inline(always))]
            unsafe fn splat(at: *const $elem) -> Self {
                // SAFETY: the caller's promise.
                Half(unsafe { <$lanes>::splat(at) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: the instruction set is there.
                Half(unsafe { <$lanes>::mul_add(a.0, b.0, c.0) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there.
                Half(unsafe { <$lanes>::add(a.0, b.0) })
            }
        }
    };
}
half!(__m256d, f64, _mm256_maskz_loadu_pd, _mm256_mask_storeu_pd);
half!(__m256, f32, _mm256_maskz_loadu_ps, _mm256_mask_storeu_ps);

macro_rules! float {
    ($lanes:ty, $elem:ty, $len:literal, $zero:ident, $load:ident, $splat:ident, $fma:ident, $add:ident, $($masked:tt)*) => {
        impl Lanes for $lanes {
            type Elem = $elem;
            const LEN: usize = $len;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                unsafe { $zero() }
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn load(at: *const $elem) -> Self {
                // SAFETY: as above; the caller vouches for the elements.
                unsafe { $load(at) }
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn splat(at: *const $elem) -> Self {
                // SAFETY: as above; the caller vouches for the element.
                unsafe { $splat(*at) }
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: the instruction set is there.
                unsafe { $fma(a, b, c) }
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there.
                unsafe { $add(a, b) }
            }
            $($masked)*
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
    _mm512_fmadd_pd,
    _mm512_add_pd,
    masked!(u8, _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd, |x| x, |x| x, f64);
);
float!(
    __m512,
    f32,
    16,
    _mm512_setzero_ps,
    _mm512_loadu_ps,
    _mm512_set1_ps,
    _mm512_fmadd_ps,
    _mm512_add_ps,
    masked!(u16, _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps, |x| x, |x| x, f32);
);
float!(
    __m256d,
    f64,
    4,
    _mm256_setzero_pd,
    _mm256_loadu_pd,
    _mm256_set1_pd,
    _mm256_fmadd_pd,
    _mm256_add_pd,
    masked_by_sign!(2, _mm256_maskload_pd, _mm256_maskstore_pd, |x| x, |x| x, f64);
);
float!(
    __m256,
    f32,
    8,
    _mm256_setzero_ps,
    _mm256_loadu_ps,
    _mm256_set1_ps,
    _mm256_fmadd_ps,
    _mm256_add_ps,
    masked_by_sign!(1, _mm256_maskload_ps, _mm256_maskstore_ps, |x| x, |x| x, f32);
);

macro_rules! integer {
    ($lanes:ident, $elem:ty, $signed:ty, $len:literal, $zero:ident, $load:ident, $splat:ident, $mul:ident, $add:ident, $($masked:tt)*) => {
        impl Lanes for $lanes {
            type Elem = $elem;
            const LEN: usize = $len;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                $lanes(unsafe { $zero() })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn load(at: *const $elem) -> Self {
                // SAFETY: as above; the caller vouches for the elements.
                $lanes(unsafe { $load(at.cast()) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn splat(at: *const $elem) -> Self {
                // SAFETY: as above; the caller vouches for the element.
                $lanes(unsafe { $splat(*at as $signed) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: the instruction set is there.
                $lanes(unsafe { $add($mul(a.0, b.0), c.0) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there.
                $lanes(unsafe { $add(a.0, b.0) })
            }
            $($masked)*
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
    _mm512_add_epi64,
    masked!(u8, _mm512_maskz_loadu_epi64, _mm512_mask_storeu_epi64, U64x8, |x: Self| x.0, u64);
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
    _mm512_add_epi32,
    masked!(u16, _mm512_maskz_loadu_epi32, _mm512_mask_storeu_epi32, U32x16, |x: Self| x.0, u32);
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
    _mm512_add_epi16,
    masked!(u32, _mm512_maskz_loadu_epi16, _mm512_mask_storeu_epi16, U16x32, |x: Self| x.0, u16);
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
    _mm256_add_epi32,
    masked_by_sign!(1, _mm256_maskload_epi32, _mm256_maskstore_epi32, U32x8, |x: Self| x.0, u32);
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
    _mm256_add_epi16,
);

/// The instruction gives its second operand where one is NaN or both are equal: the sum so far stays.
macro_rules! tropical {
    ($($of:ident $lanes:ty, $elem:ident, $infinity:ident, $set1:ident, $add:ident, $better:ident;)*) => {$(
        impl Lanes for $of<$lanes> {
            type Elem = $elem;
            const LEN: usize = <$lanes as Lanes>::LEN;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                $of(unsafe { $set1($elem::$infinity) })
            }
            moved_as!($of, $lanes, $elem);
            #[cfg_attr(optimised, inline(always))]
            unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: the instruction set is there.
                $of(unsafe { $better($add(a.0, b.0), c.0) })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there. The sum so far is `a`.
                $of(unsafe { $better(b.0, a.0) })
            }
        }
    )*};
}
tropical!(
    MaxPlus __m512d, f64, NEG_INFINITY, _mm512_set1_pd, _mm512_add_pd, _mm512_max_pd;
    MaxPlus __m512, f32, NEG_INFINITY, _mm512_set1_ps, _mm512_add_ps, _mm512_max_ps;
    MaxPlus __m256d, f64, NEG_INFINITY, _mm256_set1_pd, _mm256_add_pd, _mm256_max_pd;
    MaxPlus __m256, f32, NEG_INFINITY, _mm256_set1_ps, _mm256_add_ps, _mm256_max_ps;
    MinPlus __m512d, f64, INFINITY, _mm512_set1_pd, _mm512_add_pd, _mm512_min_pd;
    MinPlus __m512, f32, INFINITY, _mm512_set1_ps, _mm512_add_ps, _mm512_min_ps;
    MinPlus __m256d, f64, INFINITY, _mm256_set1_pd, _mm256_add_pd, _mm256_min_pd;
    MinPlus __m256, f32, INFINITY, _mm256_set1_ps, _mm256_add_ps, _mm256_min_ps;
);
