//! What every way through the steps of a call needs: scratch memory, outputs that are filled first; and the interpreter's way.

use core::mem::MaybeUninit;

use super::FixedEinsum;
#[cfg(debug_assertions)]
use super::interpret;
use super::scale::Scale;
use super::site::Site;
use crate::scalar::Scalar;
use cteinsum_plan::fixed::FixedArray;
#[cfg(debug_assertions)]
use cteinsum_plan::fixed::FixedPlan;

/// Elements of the largest scratch buffer.
pub(crate) const SCRATCH: usize = 4096;

/// Room for the intermediates, on the stack.
#[repr(align(64))]
pub(super) struct Scratch<T, const N: usize>([MaybeUninit<T>; N]);

impl<T, const N: usize> Scratch<T, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Scratch([const { MaybeUninit::uninit() }; N])
    }

    #[inline(always)]
    pub(super) fn pointer(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

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
#[cfg(any(not(debug_assertions), test))]
pub(super) use select;

#[cfg(debug_assertions)]
type Interpret<T, S> = unsafe fn(&'static FixedPlan, &[*const T], *mut T, S);
/// Scratch memory of the length that a plan asks for, or a little more: a plan cannot give an array type its length.
macro_rules! with_scratch {
    ($type:ty: $f:ident::<$($generic:ty),*>) => {
        select!($type: match Site::<E>::PLAN.scratch {
            0 => $f::<$($generic),*, 0>,
            1..=16 => $f::<$($generic),*, 16>,
            17..=64 => $f::<$($generic),*, 64>,
            65..=256 => $f::<$($generic),*, 256>,
            257..=1024 => $f::<$($generic),*, 1024>,
            _ => $f::<$($generic),*, { $crate::fixed::run::SCRATCH }>,
        })
    };
}
#[cfg(any(not(debug_assertions), test))]
pub(super) use with_scratch;

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
    let mut scratch = Scratch::<T, N>::new();
    // SAFETY: the caller's promise; the scratch is as long as the plan asks for.
    unsafe { interpret::run(plan, operands, out, scratch.pointer(), scale) };
}

/// Sets the whole output to 0, or scales it, if a plan asks for it; how the elements are written after that.
///
/// # Safety
///
/// As for `contract_into`, for the output alone.
#[inline(always)]
pub(super) unsafe fn filled<E: FixedEinsum, T: Scalar, S: Scale<T>>(out: *mut T, scale: S) -> S {
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
