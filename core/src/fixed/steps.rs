//! All steps of a call, one after the other, each compiled for itself.

use super::FixedEinsum;
use super::dispatch::PartsOf;
use super::lanes::{Isa, Lanes};
use super::nest::{self, Step};
use super::run::{Scratch, filled, select, with_scratch};
use super::scale::{Overwrite, Scale};
use super::site::Site;
use crate::scalar::Scalar;
use cteinsum_plan::fixed::{FixedPlace, FixedStep};

type Run<T, S> = unsafe fn(&[*const T], *mut T, S);
type Steps<T, S> = unsafe fn(&[*const T], *mut T, *mut T, S);
type Nest<T, S> = unsafe fn(*const T, *const T, *mut T, S);

/// Computes a call with the vectors of `I`.
///
/// # Safety
///
/// As for `contract_into`, where `scale` stands for alpha and beta. The machine has the instructions of `I`.
#[inline(always)]
pub(super) unsafe fn run<E: FixedEinsum, T: Scalar, I: Isa<T>, S: Scale<T>>(
    operands: &[*const T],
    out: *mut T,
    scale: S,
) {
    // SAFETY: the caller's promise about the output.
    let scale = unsafe { filled::<E, T, S>(out, scale) };
    // SAFETY: the caller's promise.
    unsafe { with_scratch!(Run<T, S>: run_with::<E, T, I, S>)(operands, out, scale) }
}

/// # Safety
///
/// As for `run`, of an output that is filled; `N` is at least `PLAN.scratch`.
#[inline(always)]
unsafe fn run_with<E: FixedEinsum, T: Scalar, I: Isa<T>, S: Scale<T>, const N: usize>(
    operands: &[*const T],
    out: *mut T,
    scale: S,
) {
    let mut scratch = Scratch::<T, N>::new();
    // SAFETY: the caller's promise; the scratch is as long as the plan asks for.
    unsafe { steps::<E, T, I, S>(operands, out, scratch.pointer(), scale) };
}

/// # Safety
///
/// As for `run`; `scratch` has room for `PLAN.scratch` elements.
#[inline(always)]
unsafe fn steps<E: FixedEinsum, T: Scalar, I: Isa<T>, S: Scale<T>>(
    operands: &[*const T],
    out: *mut T,
    scratch: *mut T,
    scale: S,
) {
    macro_rules! each {
        ($($s:literal)*) => {
            $(if const { Site::<E>::PLAN.count > $s } {
                let step = select!(Steps<T, S>: if Site::<E>::PLAN.count > $s { step::<E, $s, T, I, S> } else { skip });
                // SAFETY: the caller's promise. A step reads operands and what earlier steps have written, and writes
                // the output or a part of the scratch memory that no array in use overlaps.
                unsafe { step(operands, out, scratch, scale) };
            })*
        };
    }
    each!(0 1 2 3);
    if const { Site::<E>::PLAN.count > 4 } {
        each!(4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    }
}

/// # Safety
///
/// None: it does nothing.
unsafe fn skip<T, S>(_: &[*const T], _: *mut T, _: *mut T, _: S) {}

/// # Safety
///
/// As for `steps`, at its step `K`.
#[inline(always)]
unsafe fn step<E: FixedEinsum, const K: usize, T: Scalar, I: Isa<T>, S: Scale<T>>(
    operands: &[*const T],
    out: *mut T,
    scratch: *mut T,
    scale: S,
) {
    // SAFETY: the plan's offsets are within the scratch memory, its numbers within the operands.
    let place = |place: FixedPlace| unsafe {
        match place {
            FixedPlace::Operand(p) => *operands.get_unchecked(p),
            FixedPlace::Scratch(offset) => scratch.add(offset).cast_const(),
            // The pointer of an array that is not there is never read.
            FixedPlace::Output | FixedPlace::Absent => core::ptr::null(),
        }
    };
    // A result of two rows of two elements that is one vector.
    macro_rules! two_by_two {
        ($scale:expr, $a:expr, $b:expr, $c:expr) => {
            if let Some(swapped) = const { Site::<E>::PLAN.steps[K].two_by_two() } {
                let (x, y) = if swapped { ($b, $a) } else { ($a, $b) };
                // SAFETY: the step reads four elements of each operand and writes four.
                unsafe {
                    if let Some(product) = I::two_by_two(x, y) {
                        let product = $scale.finish(product, || I::V4::load_all($c));
                        return product.store_all($c);
                    }
                }
            }
        };
    }
    let a = place(const { Site::<E>::PLAN.steps[K].left });
    let b = place(const { Site::<E>::PLAN.steps[K].right });
    if const { matches!(Site::<E>::PLAN.steps[K].result, FixedPlace::Output) } {
        two_by_two!(scale, a, b, out);
        // SAFETY: the caller's promise.
        unsafe { run_step::<E, K, T, I, S>(a, b, out, scale) };
    } else {
        let c = place(const { Site::<E>::PLAN.steps[K].result }).cast_mut();
        two_by_two!(Overwrite, a, b, c);
        let run = select!(Nest<T, Overwrite>: if Site::<E>::PLAN.steps[K].parts {
            parts::<E, K, T>
        } else {
            run_step::<E, K, T, I, Overwrite>
        });
        // SAFETY: the caller's promise.
        unsafe { run(a, b, c, Overwrite) };
    }
}

/// A step with vectors that fit its axis.
///
/// # Safety
///
/// As for `nest::run`.
#[inline(always)]
pub(super) unsafe fn run_step<E: FixedEinsum, const K: usize, T: Scalar, I: Isa<T>, S: Scale<T>>(
    a: *const T,
    b: *const T,
    c: *mut T,
    scale: S,
) {
    let run = select!(Nest<T, S>: match width(&Site::<E>::PLAN.steps[K], I::WIDEST, I::SUMMED) {
        1 => nest::run::<Step<E, K, T, I, I::V1>, S>,
        2 => nest::run::<Step<E, K, T, I, I::V2>, S>,
        4 => nest::run::<Step<E, K, T, I, I::V4>, S>,
        8 => nest::run::<Step<E, K, T, I, I::V8>, S>,
        _ => nest::run::<Step<E, K, T, I, I::V16>, S>,
    });
    // SAFETY: the caller's promise.
    unsafe { run(a, b, c, scale) };
}

/// A step whose elements are the parts of complex numbers.
///
/// # Safety
///
/// As for `step`, of such a step.
#[inline(always)]
unsafe fn parts<E: FixedEinsum, const K: usize, T: Scalar>(
    a: *const T,
    b: *const T,
    c: *mut T,
    _: Overwrite,
) {
    let mut i = 0;
    while i < const { Site::<E>::PLAN.steps[K].cleared } {
        // SAFETY: so many elements of the scratch memory are the result's.
        unsafe { c.add(i).write(T::ZERO) };
        i += 1;
    }
    // SAFETY: the caller's promise.
    unsafe { T::__on_parts(PartsOf::<E, K, ()>::new(), a, b, c) };
}

/// The narrowest vector that holds the whole axis, or the widest there is.
const fn width(step: &FixedStep, widest: usize, summed: usize) -> usize {
    let short_rows = step.vec_summed && step.vec.len <= 4 * summed && step.rows.rounds() > 1;
    let widest = if short_rows { summed } else { widest };
    let mut width = 1;
    while width < step.vec.len && width < widest {
        width *= 2;
    }
    width
}
