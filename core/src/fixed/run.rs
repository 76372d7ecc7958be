//! All steps of a call, one after the other.

use core::mem::MaybeUninit;

use super::FixedEinsum;
#[cfg(debug_assertions)]
use super::interpret;
use super::lanes::{Isa, Lanes};
use super::nest::{self, Step};
use super::scale::{Overwrite, Scale};
use super::site::Site;
use crate::scalar::Scalar;
#[cfg(debug_assertions)]
use cteinsum_plan::fixed::FixedPlan;
use cteinsum_plan::fixed::{FixedArray, FixedPlace, FixedStep};

/// Elements of the largest scratch buffer.
pub(crate) const SCRATCH: usize = 4096;

/// Room for the intermediates, on the stack.
#[repr(align(64))]
struct Scratch<T, const N: usize>([MaybeUninit<T>; N]);

/// A function as a constant of its call site. A branch on a constant is not enough to keep a function out of the
/// program: rustc still evaluates all constants of what a dead branch mentions.
macro_rules! select {
    ($type:ty: $value:expr) => {
        const {
            let f: $type = $value;
            f
        }
    };
}
pub(super) use select;

type Run<T, S> = unsafe fn(&[*const T], *mut T, S);
#[cfg(debug_assertions)]
type Interpret<T, S> = unsafe fn(&'static FixedPlan, &[*const T], *mut T, S);
type Steps<T, S> = unsafe fn(&[*const T], *mut T, *mut T, S);
type Nest<T, S> = unsafe fn(*const T, *const T, *mut T, S);

/// Scratch memory of the length that a plan asks for, or a little more: a plan cannot give an array type its length.
macro_rules! with_scratch {
    ($type:ty: $f:ident::<$($generic:ty),*>) => {
        select!($type: match Site::<E>::PLAN.scratch {
            0 => $f::<$($generic),*, 0>,
            1..=16 => $f::<$($generic),*, 16>,
            17..=64 => $f::<$($generic),*, 64>,
            65..=256 => $f::<$($generic),*, 256>,
            257..=1024 => $f::<$($generic),*, 1024>,
            _ => $f::<$($generic),*, SCRATCH>,
        })
    };
}

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
    let mut scratch = Scratch::<T, N>([const { MaybeUninit::uninit() }; N]);
    // SAFETY: the caller's promise; the scratch is as long as the plan asks for.
    unsafe { steps::<E, T, I, S>(operands, out, scratch.0.as_mut_ptr().cast(), scale) };
}

/// Computes a call without code of its own.
///
/// # Safety
///
/// As for `contract_into`, where `scale` stands for alpha and beta.
#[cfg(debug_assertions)]
pub(super) unsafe fn interpreted<E: FixedEinsum, T: Scalar, S: Scale<T>>(
    operands: &[*const T],
    out: *mut T,
    scale: S,
) {
    // SAFETY: the caller's promise about the output.
    let scale = unsafe { filled::<E, T, S>(out, scale) };
    // SAFETY: the caller's promise.
    unsafe {
        with_scratch!(Interpret<T, S>: interpret_with::<T, S>)(
            Site::<E>::PLAN,
            operands,
            out,
            scale,
        )
    }
}

/// # Safety
///
/// As for `interpreted`, of an output that is filled; `N` is at least `plan.scratch`.
#[cfg(debug_assertions)]
unsafe fn interpret_with<T: Scalar, S: Scale<T>, const N: usize>(
    plan: &'static FixedPlan,
    operands: &[*const T],
    out: *mut T,
    scale: S,
) {
    let mut scratch = Scratch::<T, N>([const { MaybeUninit::uninit() }; N]);
    // SAFETY: the caller's promise; the scratch is as long as the plan asks for.
    unsafe { interpret::run(plan, operands, out, scratch.0.as_mut_ptr().cast(), scale) };
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
    // The step with vectors that fit its axis.
    macro_rules! nest {
        ($scale:ty) => {
            select!(Nest<T, $scale>: match width(&Site::<E>::PLAN.steps[K], I::WIDEST, I::SUMMED) {
                1 => nest::run::<Step<E, K, T, I, I::V1>, $scale>,
                2 => nest::run::<Step<E, K, T, I, I::V2>, $scale>,
                4 => nest::run::<Step<E, K, T, I, I::V4>, $scale>,
                8 => nest::run::<Step<E, K, T, I, I::V8>, $scale>,
                _ => nest::run::<Step<E, K, T, I, I::V16>, $scale>,
            })
        };
    }
    let a = place(const { Site::<E>::PLAN.steps[K].left });
    let b = place(const { Site::<E>::PLAN.steps[K].right });
    if const { matches!(Site::<E>::PLAN.steps[K].result, FixedPlace::Output) } {
        two_by_two!(scale, a, b, out);
        // SAFETY: the caller's promise.
        unsafe { nest!(S)(a, b, out, scale) };
    } else {
        let c = place(const { Site::<E>::PLAN.steps[K].result }).cast_mut();
        two_by_two!(Overwrite, a, b, c);
        // SAFETY: the caller's promise.
        unsafe { nest!(Overwrite)(a, b, c, Overwrite) };
    }
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

/// Sets the whole output to 0, or scales it, if a plan asks for it; how the elements are written after that.
///
/// # Safety
///
/// As for `contract_into`, for the output alone.
#[inline(always)]
unsafe fn filled<E: FixedEinsum, T: Scalar, S: Scale<T>>(out: *mut T, scale: S) -> S {
    if const { Site::<E>::PLAN.fill } {
        // SAFETY: the caller's promise.
        unsafe { fill(const { &E::OUTPUT }, out, scale) };
        scale.filled()
    } else {
        scale
    }
}

/// # Safety
///
/// As for `filled`, of an output like this.
#[inline(never)]
unsafe fn fill<T: Scalar, S: Scale<T>>(output: &FixedArray<'_>, out: *mut T, scale: S) {
    for i in 0..output.len() {
        let (mut rest, mut at) = (i, 0);
        for axis in (0..output.shape.len()).rev() {
            at += (rest % output.shape[axis]) as isize * output.stride(axis);
            rest /= output.shape[axis];
        }
        // SAFETY: `i` decodes to an index of the output, which is writable there, and initialised where `scale` reads.
        unsafe {
            let c = out.offset(at);
            c.write(scale.fill(|| c.read()));
        }
    }
}
