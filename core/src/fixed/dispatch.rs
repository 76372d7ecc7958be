//! Which vectors a call is computed with: those that the build allows, or those that the machine has.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::FixedEinsum;
#[cfg(any(not(debug_assertions), test))]
use super::lanes::Isa;
#[cfg(debug_assertions)]
use super::run;
use super::scale::{Overwrite, Scale};
use super::site::Site;
#[cfg(any(not(debug_assertions), test))]
use super::steps;
use crate::scalar::Scalar;

/// A call, for vectors of any kind: what `contract` hands to the element type, which knows its vectors.
pub trait Kernel<T: Scalar>: Copy {
    /// Number of products.
    const WORK: usize;
    /// The result, or nothing if it has been written somewhere.
    type Out;

    /// Computes the call with the vectors of `I`.
    ///
    /// # Safety
    ///
    /// As for [`contract_into`](super::contract_into); the machine has the instructions of `I`.
    #[cfg(any(not(debug_assertions), test))]
    unsafe fn run<I: Isa<T>>(self, operands: &[*const T]) -> Self::Out;

    /// Computes the call without code of its own.
    ///
    /// # Safety
    ///
    /// As for [`contract_into`](super::contract_into).
    #[cfg(debug_assertions)]
    unsafe fn interpret(self, operands: &[*const T]) -> Self::Out;
}

/// A call site, what becomes of its result, and where it is.
pub(super) struct Call<E, T, S>(S, *mut T, PhantomData<fn(E)>);

impl<E, T, S> Call<E, T, S> {
    #[inline(always)]
    pub(super) fn new(scale: S, out: *mut T) -> Self {
        Call(scale, out, PhantomData)
    }
}

impl<E, T, S: Copy> Clone for Call<E, T, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T, S: Copy> Copy for Call<E, T, S> {}

impl<T: Scalar, E: FixedEinsum, S: Scale<T>> Kernel<T> for Call<E, T, S> {
    const WORK: usize = Site::<E>::PLAN.work();
    type Out = ();

    #[cfg(any(not(debug_assertions), test))]
    #[inline(always)]
    unsafe fn run<I: Isa<T>>(self, operands: &[*const T]) {
        // SAFETY: the caller's promise.
        unsafe { steps::run::<E, T, I, S>(operands, self.1, self.0) }
    }

    #[cfg(debug_assertions)]
    unsafe fn interpret(self, operands: &[*const T]) {
        // SAFETY: the caller's promise.
        unsafe { run::interpreted::<E, T, S>(operands, self.1, self.0) }
    }
}

/// A call site whose result is an `X`.
pub(super) struct Make<E, X>(PhantomData<fn(E) -> X>);

impl<E, X> Make<E, X> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Make(PhantomData)
    }
}

impl<E, X> Clone for Make<E, X> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, X> Copy for Make<E, X> {}

impl<T: Scalar, E: FixedEinsum, X> Kernel<T> for Make<E, X> {
    const WORK: usize = Site::<E>::PLAN.work();
    type Out = MaybeUninit<X>;

    #[cfg(any(not(debug_assertions), test))]
    #[inline(always)]
    unsafe fn run<I: Isa<T>>(self, operands: &[*const T]) -> MaybeUninit<X> {
        let mut out = MaybeUninit::<X>::uninit();
        // SAFETY: the caller's promise.
        unsafe { steps::run::<E, T, I, _>(operands, out.as_mut_ptr().cast(), Overwrite) };
        out
    }

    #[cfg(debug_assertions)]
    unsafe fn interpret(self, operands: &[*const T]) -> MaybeUninit<X> {
        let mut out = MaybeUninit::<X>::uninit();
        // SAFETY: the caller's promise.
        unsafe { run::interpreted::<E, T, _>(operands, out.as_mut_ptr().cast(), Overwrite) };
        out
    }
}

/// What is done with arrays of the real numbers that complex ones consist of.
pub trait OnParts {
    /// Does it.
    ///
    /// # Safety
    ///
    /// The pointers are those of a step of such arrays.
    unsafe fn run<R: Scalar>(self, a: *const R, b: *const R, c: *mut R);
}

/// Step `K` of a call with real operands among complex ones, and its result.
#[cfg(any(not(debug_assertions), test))]
pub(super) struct PartsOf<E, const K: usize, R>(*mut R, PhantomData<fn(E)>);

#[cfg(any(not(debug_assertions), test))]
impl<E, const K: usize> PartsOf<E, K, ()> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        PartsOf(core::ptr::null_mut(), PhantomData)
    }
}

#[cfg(any(not(debug_assertions), test))]
impl<E: FixedEinsum, const K: usize> OnParts for PartsOf<E, K, ()> {
    #[inline(always)]
    unsafe fn run<R: Scalar>(self, a: *const R, b: *const R, c: *mut R) {
        // SAFETY: the caller's promise.
        unsafe { R::__fixed(PartsOf::<E, K, R>(c, PhantomData), &[a, b]) }
    }
}

#[cfg(any(not(debug_assertions), test))]
impl<E, const K: usize, R> Clone for PartsOf<E, K, R> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
#[cfg(any(not(debug_assertions), test))]
impl<E, const K: usize, R> Copy for PartsOf<E, K, R> {}

#[cfg(any(not(debug_assertions), test))]
impl<R: Scalar, E: FixedEinsum, const K: usize> Kernel<R> for PartsOf<E, K, R> {
    const WORK: usize = Site::<E>::PLAN.steps[K].work();
    type Out = ();

    #[inline(always)]
    unsafe fn run<I: Isa<R>>(self, operands: &[*const R]) {
        // SAFETY: the caller's promise.
        unsafe { steps::run_step::<E, K, R, I, _>(operands[0], operands[1], self.0, Overwrite) }
    }

    #[cfg(debug_assertions)]
    unsafe fn interpret(self, _: &[*const R]) {
        unreachable!("the interpreter does not come this way")
    }
}

/// The call as this build computes it.
///
/// # Safety
///
/// As for [`contract_into`](super::contract_into).
#[inline(always)]
pub(super) unsafe fn contract<T: Scalar, K: Kernel<T>>(call: K, operands: &[*const T]) -> K::Out {
    cfg_select! {
        // SAFETY: the caller's promise.
        debug_assertions => unsafe { call.interpret(operands) },
        // SAFETY: the caller's promise.
        _ => unsafe { T::__fixed(call, operands) },
    }
}

/// The result of the call as this build computes it.
///
/// # Safety
///
/// As for [`contract`](super::contract), of an output that is an `X`.
#[inline(always)]
pub(super) unsafe fn make<E: FixedEinsum, T: Scalar, X>(operands: &[*const T]) -> MaybeUninit<X> {
    // SAFETY: the caller's promise.
    unsafe { contract(Make::<E, X>::new(), operands) }
}

/// Any element type, on any machine.
///
/// # Safety
///
/// As for [`contract_into`](super::contract_into).
#[cfg(any(not(debug_assertions), test))]
#[inline(always)]
pub(crate) unsafe fn portable<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T]) -> K::Out {
    // SAFETY: the caller's promise; arrays need no instructions of their own.
    unsafe { kernel.run::<super::lanes::Portable>(operands) }
}

#[cfg(all(not(target_arch = "x86_64"), any(not(debug_assertions), test)))]
pub(crate) use portable as floats;

#[cfg(all(target_arch = "x86_64", any(not(debug_assertions), test)))]
pub(crate) use x86::floats;

#[cfg(all(target_arch = "x86_64", any(not(debug_assertions), test)))]
mod x86 {
    use super::super::lanes::{Avx2, Avx512, Sse2};
    use super::{Isa, Kernel};
    use crate::scalar::Scalar;

    /// Fewer products are not worth a call out of line.
    #[cfg(feature = "std")]
    #[allow(dead_code)] // a build for a better machine does not ask
    const WORTH_ASKING: usize = 32;

    /// `f32` and `f64`, with the vectors of the build if they are better than the baseline. If not, and where there is
    /// `std` to ask, with those of the machine.
    ///
    /// # Safety
    ///
    /// As for `contract_into`.
    #[inline(always)]
    pub(crate) unsafe fn floats<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T]) -> K::Out
    where
        Sse2: Isa<T>,
        Avx2: Isa<T>,
        Avx512: Isa<T>,
    {
        cfg_select! {
            all(target_feature = "avx512f", target_feature = "avx512vl", target_feature = "fma") => {
                // SAFETY: the caller's promise; the build has the instructions.
                unsafe { kernel.run::<Avx512>(operands) }
            }
            all(target_feature = "avx2", target_feature = "fma") => {
                // SAFETY: the caller's promise; the build has the instructions.
                unsafe { kernel.run::<Avx2>(operands) }
            }
            _ => {
                #[cfg(feature = "std")]
                if const { K::WORK >= WORTH_ASKING } {
                    match machine::level() {
                        // SAFETY: the caller's promise; the machine has the instructions.
                        machine::AVX512 => return unsafe { avx512(kernel, operands) },
                        // SAFETY: as above.
                        machine::AVX2 => return unsafe { avx2(kernel, operands) },
                        _ => {}
                    }
                }
                // SAFETY: the caller's promise; every x86-64 has SSE2.
                unsafe { kernel.run::<Sse2>(operands) }
            }
        }
    }

    /// # Safety
    ///
    /// As for `floats`; the machine has the instructions.
    #[allow(dead_code)] // as above
    #[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
    unsafe fn avx512<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T]) -> K::Out
    where
        Avx512: Isa<T>,
    {
        // SAFETY: the caller's promise.
        unsafe { kernel.run::<Avx512>(operands) }
    }

    /// # Safety
    ///
    /// As for `floats`; the machine has the instructions.
    #[allow(dead_code)] // as above
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2<T: Scalar, K: Kernel<T>>(kernel: K, operands: &[*const T]) -> K::Out
    where
        Avx2: Isa<T>,
    {
        // SAFETY: the caller's promise.
        unsafe { kernel.run::<Avx2>(operands) }
    }

    #[cfg(feature = "std")]
    #[allow(dead_code)] // as above
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
