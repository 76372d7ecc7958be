//! Against a loop over all indices: every element type, every kind of vectors, given outputs.
//!
//! The elements are small whole numbers, so that every order of summation gives the same bits. Buffers are exactly as
//! long as the arrays, so that a sanitizer sees what a kernel touches beside them.
//!
//! Kernels take rustc a while without optimization: with debug assertions only `kernels!` compiles them and `check!`
//! tests the interpreter; `cargo test --release` tests everything everywhere.

mod broad;
mod mixed;
mod oracle;
mod parts;
mod sites;
mod small;

use super::dispatch::{Call, Kernel};
use super::lanes::Portable;
#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512, Sse2};
use super::scale::{Overwrite, Scale, Scaled};
use super::{FixedEinsum, computes, contract, contract_into};
use crate::scalar::Scalar;
use num_complex::Complex;
use oracle::{Memory, expected};

/// An element type with values for tests.
pub(super) trait Sample: Scalar {
    /// A small whole number that depends on `i`.
    fn sample(i: usize) -> Self;
    /// What an output holds before it is written.
    const POISON: Self;
}

macro_rules! sample {
    ($($t:ty: $poison:expr),*) => {$(
        impl Sample for $t {
            fn sample(i: usize) -> Self {
                ((i * 7 + i / 3) % 5) as $t - 2 as $t
            }
            const POISON: Self = $poison;
        }
    )*};
}
sample!(f64: f64::NAN, f32: f32::NAN, i32: 77, i8: 77);

impl Sample for Complex<f64> {
    fn sample(i: usize) -> Self {
        Complex::new(f64::sample(i), f64::sample(i + 1))
    }
    const POISON: Self = Complex::new(f64::NAN, f64::NAN);
}

/// A call site with everything about it checked.
pub(super) fn check<E: FixedEinsum>() {
    // As this build computes it.
    check_type::<E, f64>();
    check_type::<E, i8>();
    check_type::<E, Complex<f64>>();
    #[cfg(not(debug_assertions))]
    check_kernels::<E>();
}

/// A call site with all kinds of vectors.
pub(super) fn check_kernels<E: FixedEinsum>() {
    macro_rules! with {
        ($isa:ty: $($t:ty, $call:expr);*) => {$(
            check_kernel::<E, $t, _>($call, |call, operands| {
                // SAFETY: the memory is that of `E`; the machine has the instructions.
                unsafe { call.run::<$isa>(operands) }
            });
        )*};
    }
    let scaled = Scaled {
        alpha: Complex::new(2.0, 1.0),
        beta: Complex::new(-1.0, 3.0),
    };
    with!(Portable: i32, Overwrite; Complex<f64>, scaled);
    #[cfg(target_arch = "x86_64")]
    {
        with!(Sse2: f64, Scaled { alpha: 2.0, beta: -3.0 }; f32, Overwrite);
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            with!(Avx2: f64, Scaled { alpha: 2.0, beta: -3.0 }; f32, Overwrite);
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            with!(Avx512: f64, Overwrite; f32, Overwrite);
        }
    }
}

/// `alpha` and `beta` of what is done with a result.
trait Factors<T>: Scale<T> {
    fn factors(self) -> (T, T);
}
impl<T: Scalar> Factors<T> for Overwrite {
    fn factors(self) -> (T, T) {
        (T::ONE, T::ZERO)
    }
}
impl<T: Scalar> Factors<T> for Scaled<T> {
    fn factors(self) -> (T, T) {
        (self.alpha, self.beta)
    }
}

fn check_kernel<E: FixedEinsum, T: Sample, S: Factors<T>>(
    scale: S,
    run: fn(Call<E, T, S>, &[*const T]),
) {
    let (alpha, beta) = scale.factors();
    let start = if beta == T::ZERO {
        T::POISON
    } else {
        T::sample(4)
    };
    let memory = Memory::<T>::new::<E>();
    let mut out = memory.output::<E>(start);
    run(Call::new(scale, out.pointer()), &memory.pointers);
    let old = (beta != T::ZERO).then_some((beta, start));
    assert_eq!(out.elements(), expected::<E, T>(&memory, alpha, old));
    assert_eq!(out.gaps(), out.gaps_before(start));
}

fn check_type<E: FixedEinsum, T: Sample>() {
    assert!(computes::<E, T>());
    let memory = Memory::<T>::new::<E>();
    let mut out = memory.output::<E>(T::POISON);
    // SAFETY: the memory was made for the arrays of `E`.
    unsafe { contract::<E, T>(&memory.pointers, out.pointer()) };
    assert_eq!(out.elements(), expected::<E, T>(&memory, T::ONE, None));
    assert_eq!(out.gaps(), out.gaps_before(T::POISON));

    for (alpha, beta) in [
        (T::ONE, T::ZERO),
        (T::sample(3), T::ZERO),
        (T::ONE, T::ONE),
        (T::sample(3), T::ONE),
        (T::ZERO, T::ONE),
        (T::sample(2), T::sample(8)),
    ] {
        let start = if beta == T::ZERO {
            T::POISON
        } else {
            T::sample(4)
        };
        let mut out = memory.output::<E>(start);
        // SAFETY: as above; the output is initialised.
        unsafe { contract_into::<E, T>(&memory.pointers, out.pointer(), alpha, beta) };
        let old = (beta != T::ZERO).then_some((beta, start));
        assert_eq!(out.elements(), expected::<E, T>(&memory, alpha, old));
    }
}
