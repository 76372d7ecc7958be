//! Which vectors a call is computed with: those that the build allows, or those that the machine has.

use core::marker::PhantomData;

use super::FixedEinsum;
use super::lanes::Isa;
use super::run;
use super::scale::Scale;
use super::site::Site;
use crate::scalar::Scalar;

/// A call, for vectors of any kind: what `contract` hands to the element type, which knows its vectors.
pub trait Kernel<T: Scalar>: Copy {
    /// Number of products.
    const WORK: usize;

    /// Computes the call with the vectors of `I`.
    ///
    /// # Safety
    ///
    /// As for [`contract_into`](super::contract_into); the machine has the instructions of `I`.
    unsafe fn run<I: Isa<T>>(self, operands: &[*const T], out: *mut T);
}

/// A call site, and what becomes of its result.
pub(super) struct Call<E, S>(S, PhantomData<fn(E)>);

impl<E, S> Call<E, S> {
    #[inline(always)]
    pub(super) fn new(scale: S) -> Self {
        Call(scale, PhantomData)
    }
}

impl<E, S: Copy> Clone for Call<E, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, S: Copy> Copy for Call<E, S> {}

impl<T: Scalar, E: FixedEinsum, S: Scale<T>> Kernel<T> for Call<E, S> {
    const WORK: usize = Site::<E>::PLAN.work();

    #[inline(always)]
    unsafe fn run<I: Isa<T>>(self, operands: &[*const T], out: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { run::run::<E, T, I, S>(operands, out, self.0) }
    }
}

/// The call as this build computes it.
///
/// # Safety
///
/// As for [`contract_into`](super::contract_into).
#[inline(always)]
pub(super) unsafe fn contract<E: FixedEinsum, T: Scalar, S: Scale<T>>(
    call: Call<E, S>,
    operands: &[*const T],
    out: *mut T,
) {
    cfg_select! {
        // SAFETY: the caller's promise.
        debug_assertions => unsafe { run::interpreted::<E, T, S>(operands, out, call.0) },
        // SAFETY: the caller's promise.
        _ => unsafe { T::__fixed(call, operands, out) },
    }
}

/// Any element type, on any machine.
///
/// # Safety
///
/// As for [`contract_into`](super::contract_into).
#[inline(always)]
pub(crate) unsafe fn portable<T: Scalar, K: Kernel<T>>(
    kernel: K,
    operands: &[*const T],
    out: *mut T,
) {
    // SAFETY: the caller's promise; arrays need no instructions of their own.
    unsafe { kernel.run::<super::lanes::Portable>(operands, out) }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable as floats;

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::floats;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::lanes::{Avx2, Avx512, Sse2};
    use super::{Isa, Kernel};
    use crate::scalar::Scalar;

    /// Fewer products are not worth a call out of line.
    #[cfg(feature = "std")]
    const WORTH_ASKING: usize = 32;

    /// `f32` and `f64`, with the vectors of the build if they are better than the baseline. If not, and where there is
    /// `std` to ask, with those of the machine.
    ///
    /// # Safety
    ///
    /// As for `contract_into`.
    #[inline(always)]
    pub(crate) unsafe fn floats<T: Scalar, K: Kernel<T>>(
        kernel: K,
        operands: &[*const T],
        out: *mut T,
    ) where
        Sse2: Isa<T>,
        Avx2: Isa<T>,
        Avx512: Isa<T>,
    {
        cfg_select! {
            all(target_feature = "avx512f", target_feature = "avx512vl", target_feature = "fma") => {
                // SAFETY: the caller's promise; the build has the instructions.
                unsafe { kernel.run::<Avx512>(operands, out) }
            }
            all(target_feature = "avx2", target_feature = "fma") => {
                // SAFETY: the caller's promise; the build has the instructions.
                unsafe { kernel.run::<Avx2>(operands, out) }
            }
            _ => {
                #[cfg(feature = "std")]
                if const { K::WORK >= WORTH_ASKING } {
                    match machine::level() {
                        // SAFETY: the caller's promise; the machine has the instructions.
                        machine::AVX512 => return unsafe { avx512(kernel, operands, out) },
                        // SAFETY: as above.
                        machine::AVX2 => return unsafe { avx2(kernel, operands, out) },
                        _ => {}
                    }
                }
                // SAFETY: the caller's promise; every x86-64 has SSE2.
                unsafe { kernel.run::<Sse2>(operands, out) }
            }
        }
    }

    /// # Safety
    ///
    /// As for `floats`; the machine has the instructions.
    #[allow(dead_code)] // a build for a better machine does not ask
    #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
    unsafe fn avx512<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T], out: *mut T)
    where
        Avx512: Isa<T>,
    {
        // SAFETY: the caller's promise.
        unsafe { kernel.run::<Avx512>(operands, out) }
    }

    /// # Safety
    ///
    /// As for `floats`; the machine has the instructions.
    #[allow(dead_code)] // as above
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T], out: *mut T)
    where
        Avx2: Isa<T>,
    {
        // SAFETY: the caller's promise.
        unsafe { kernel.run::<Avx2>(operands, out) }
    }

    #[cfg(feature = "std")]
    mod machine {
        use std::sync::atomic::{AtomicU8, Ordering};

        const UNKNOWN: u8 = 0;
        pub(super) const BASELINE: u8 = 1;
        pub(super) const AVX2: u8 = 2;
        pub(super) const AVX512: u8 = 3;

        static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

        /// The vectors of this machine.
        #[inline(always)]
        pub(super) fn level() -> u8 {
            match LEVEL.load(Ordering::Relaxed) {
                UNKNOWN => detect(),
                level => level,
            }
        }

        #[cold]
        fn detect() -> u8 {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 =
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            let level = match (avx2, avx512) {
                (true, true) => AVX512,
                (true, false) => AVX2,
                _ => BASELINE,
            };
            LEVEL.store(level, Ordering::Relaxed);
            level
        }
    }
}
