//! Registers of NEON. There is no multiplication of 64-bit integers in them.

use super::{Lanes, MaxPlus, MinPlus};
use core::arch::aarch64::*;

/// `$fma` takes the sum first. What follows are `load_some` and `store_some`, where more is known of them than the trait
/// does.
macro_rules! register {
    ($lanes:ty, $elem:ty, $len:literal, $load:ident, $splat:ident, $fma:ident, $add:ident, $($some:tt)*) => {
        impl Lanes for $lanes {
            type Elem = $elem;
            const LEN: usize = $len;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                unsafe { $splat(0 as $elem) }
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
                unsafe { $fma(c, a, b) }
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there.
                unsafe { $add(a, b) }
            }
            $($some)*
        }
    };
}

/// Some of four lanes: there are no masks, so a half and single lanes.
macro_rules! some_of_four {
    ($elem:ty, $half_load:ident, $half_store:ident, $low:ident, $combine:ident, $load_lane:ident, $store_lane:ident) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_some(at: *const $elem, len: usize) -> Self {
            // SAFETY: the instruction set is there, as the trait asks; only `len` elements are read.
            unsafe {
                let none = Self::zero();
                match len {
                    0 => none,
                    1 => $load_lane::<0>(at, none),
                    2 => $combine($half_load(at), $low(none)),
                    3 => $load_lane::<2>(at.add(2), $combine($half_load(at), $low(none))),
                    _ => Self::load(at),
                }
            }
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_some(self, at: *mut $elem, len: usize) {
            // SAFETY: the instruction set is there; only `len` elements are written.
            unsafe {
                match len {
                    0 => {}
                    1 => $store_lane::<0>(at, self),
                    2 => $half_store(at, $low(self)),
                    3 => {
                        $half_store(at, $low(self));
                        $store_lane::<2>(at.add(2), self);
                    }
                    _ => at.cast::<Self>().write_unaligned(self),
                }
            }
        }
    };
}

/// Some of two lanes.
macro_rules! some_of_two {
    ($elem:ty, $load_lane:ident, $store_lane:ident) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn load_some(at: *const $elem, len: usize) -> Self {
            // SAFETY: the instruction set is there, as the trait asks; only `len` elements are read.
            unsafe {
                match len {
                    0 => Self::zero(),
                    1 => $load_lane::<0>(at, Self::zero()),
                    _ => Self::load(at),
                }
            }
        }
        #[cfg_attr(optimised, inline(always))]
        unsafe fn store_some(self, at: *mut $elem, len: usize) {
            // SAFETY: the instruction set is there; only `len` elements are written.
            unsafe {
                match len {
                    0 => {}
                    1 => $store_lane::<0>(at, self),
                    _ => at.cast::<Self>().write_unaligned(self),
                }
            }
        }
    };
}

register!(
    float64x2_t,
    f64,
    2,
    vld1q_f64,
    vdupq_n_f64,
    vfmaq_f64,
    vaddq_f64,
    some_of_two!(f64, vld1q_lane_f64, vst1q_lane_f64);
);
register!(
    float32x4_t, f32, 4, vld1q_f32, vdupq_n_f32, vfmaq_f32, vaddq_f32,
    some_of_four!(f32, vld1_f32, vst1_f32, vget_low_f32, vcombine_f32, vld1q_lane_f32, vst1q_lane_f32);
);
register!(
    uint32x4_t, u32, 4, vld1q_u32, vdupq_n_u32, vmlaq_u32, vaddq_u32,
    some_of_four!(u32, vld1_u32, vst1_u32, vget_low_u32, vcombine_u32, vld1q_lane_u32, vst1q_lane_u32);
);
register!(
    uint16x8_t,
    u16,
    8,
    vld1q_u16,
    vdupq_n_u16,
    vmlaq_u16,
    vaddq_u16,
);
register!(uint8x16_t, u8, 16, vld1q_u8, vdupq_n_u8, vmlaq_u8, vaddq_u8,);

/// The instructions for maxima and minima let a NaN win, or tell zeros apart, so comparisons choose: a new term that is NaN
/// loses, and of equal ones the sum so far stays. Sums are never NaN, but what `add` has found in memory may be.
macro_rules! tropical {
    ($($of:ident $lanes:ty, $elem:ident, $infinity:ident, $splat:ident, $add:ident, $better:ident, $as_good:ident, $choose:ident;)*) => {$(
        impl Lanes for $of<$lanes> {
            type Elem = $elem;
            const LEN: usize = <$lanes as Lanes>::LEN;
            #[cfg_attr(optimised, inline(always))]
            unsafe fn zero() -> Self {
                // SAFETY: the instruction set is there, as the trait asks.
                $of(unsafe { $splat($elem::$infinity) })
            }
            moved_as!($of, $lanes, $elem);
            #[cfg_attr(optimised, inline(always))]
            unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
                // SAFETY: the instruction set is there.
                $of(unsafe {
                    let term = $add(a.0, b.0);
                    $choose($better(term, c.0), term, c.0)
                })
            }
            #[cfg_attr(optimised, inline(always))]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the instruction set is there.
                $of(unsafe { $choose($as_good(a.0, b.0), a.0, b.0) })
            }
        }
    )*};
}
tropical!(
    MaxPlus float64x2_t, f64, NEG_INFINITY, vdupq_n_f64, vaddq_f64, vcgtq_f64, vcgeq_f64, vbslq_f64;
    MaxPlus float32x4_t, f32, NEG_INFINITY, vdupq_n_f32, vaddq_f32, vcgtq_f32, vcgeq_f32, vbslq_f32;
    MinPlus float64x2_t, f64, INFINITY, vdupq_n_f64, vaddq_f64, vcltq_f64, vcleq_f64, vbslq_f64;
    MinPlus float32x4_t, f32, INFINITY, vdupq_n_f32, vaddq_f32, vcltq_f32, vcleq_f32, vbslq_f32;
);

/// Two registers as one, where a kernel has few sums of its own: they would wait for each other.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Two<L>(L, L);

impl<L: Lanes> Lanes for Two<L> {
    type Elem = L::Elem;
    const LEN: usize = 2 * L::LEN;
    #[cfg_attr(optimised, inline(always))]
    unsafe fn zero() -> Self {
        // SAFETY: the instruction set is there, as the trait asks.
        unsafe { Two(L::zero(), L::zero()) }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load(at: *const L::Elem) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(L::load(at), L::load(at.add(L::LEN))) }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn load_some(at: *const L::Elem, len: usize) -> Self {
        // SAFETY: the caller's promise: `len` elements from `at` on.
        unsafe {
            if len <= L::LEN {
                Two(L::load_some(at, len), L::zero())
            } else {
                Two(L::load(at), L::load_some(at.add(L::LEN), len - L::LEN))
            }
        }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_some(self, at: *mut L::Elem, len: usize) {
        // SAFETY: the caller's promise: `len` elements from `at` on.
        unsafe {
            self.0.store_some(at, len.min(L::LEN));
            if len > L::LEN {
                self.1.store_some(at.add(L::LEN), len - L::LEN);
            }
        }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn splat(at: *const L::Elem) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let lanes = L::splat(at);
            Two(lanes, lanes)
        }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn mul_add(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: the instruction set is there.
        unsafe { Two(L::mul_add(a.0, b.0, c.0), L::mul_add(a.1, b.1, c.1)) }
    }
    #[cfg_attr(optimised, inline(always))]
    unsafe fn add(a: Self, b: Self) -> Self {
        // SAFETY: the instruction set is there.
        unsafe { Two(L::add(a.0, b.0), L::add(a.1, b.1)) }
    }
}
