//! Einsums whose lengths are all constants of the types: no allocation, no engine, the plan made in const evaluation.
//!
//! A call site is a type that implements [`FixedEinsum`]; [`contract`] runs it. Nothing here needs `alloc`.
//!
//! [`cteinsum_plan::fixed`] makes the plan: steps of loops over strided axes. `steps` goes through them, with
//! scratch memory on the stack (`run`); `nest` cuts a step into register tiles (`tiles`), `tile` computes one, written
//! once for vectors of any kind (`lanes`). `dispatch` chooses the kind.
//!
//! With debug assertions the plan is interpreted (`interpret`), because kernels for each call take rustc a while; then they
//! are not even part of this crate, but for its tests.

mod dispatch;
#[cfg(debug_assertions)]
mod interpret;
#[allow(unreachable_pub)] // public in the bounds of operands, and nameable by nobody
mod known;
#[cfg(any(not(debug_assertions), test))]
#[allow(unreachable_pub)] // public in the bounds of `Kernel`, and nameable by nobody
mod lanes;
#[cfg(any(not(debug_assertions), test))]
mod nest;
mod ready;
mod run;
mod scale;
mod site;
#[cfg(any(not(debug_assertions), test))]
mod steps;
#[cfg(test)]
mod tests;
#[cfg(any(not(debug_assertions), test))]
mod tile;
#[cfg(any(not(debug_assertions), test))]
mod tiles;

use core::mem::{MaybeUninit, size_of};

pub use cteinsum_plan::fixed::{FixedArray, FixedStrides};

use crate::scalar::Scalar;
use cteinsum_plan::Spec;

pub use dispatch::{Kernel, OnParts};
#[cfg(any(not(debug_assertions), test))]
pub(crate) use dispatch::{floats, portable};
pub use known::{Known, Lengths, Number, OfRank, OutLike, OutOfRank, WithEllipsis};
pub(crate) use known::{pointer, pointer_mut};
pub use ready::{New, OfCall, Product, Ready, Total};
#[cfg(feature = "gradient")]
pub(crate) use {ready::Written, run::SCRATCH};

/// An einsum with all its lengths, as constants of a type.
///
/// The macro makes a type for each call site, so that all that follows from these constants (the order of contraction,
/// strides, loops) is a constant too.
pub trait FixedEinsum {
    /// The subscripts and the order. Labels may be [`ELLIPSIS`](cteinsum_plan::ELLIPSIS).
    const SPEC: Spec<'static>;
    /// The operands, in order.
    const OPERANDS: &'static [FixedArray<'static>];
    /// The result, or the given output.
    const OUTPUT: FixedArray<'static>;
    /// The operands of real numbers (bit p: operand p) in a call of complex ones.
    const REAL: u32 = 0;
}

/// Whether an einsum is computed here: its plan is within the fixed capacities. Otherwise it is the engine's.
///
/// A constant: `if const { fixed::computes::<E, T>() } { fixed::contract::<E, T>(..) } else { .. }`.
pub const fn computes<E: FixedEinsum, T>() -> bool {
    let plan = site::Site::<E>::PLAN;
    size_of::<T>() > 0 && plan.fits && plan.scratch <= run::SCRATCH
}

const fn assert_computes<E: FixedEinsum, T>() {
    assert!(
        computes::<E, T>(),
        "einsum: beyond what is computed with constant lengths"
    );
}

/// `C <- einsum`.
///
/// # Safety
///
/// `operands` has one pointer for each of `E::OPERANDS`, to its element of index 0, and every element is readable; those
/// of `E::REAL` are to the real numbers that a `T` consists of.
/// Every element of `E::OUTPUT` is writable through `out`, none of them twice or part of an operand; they need not be
/// initialised.
#[inline]
pub unsafe fn contract<E: FixedEinsum, T: Scalar>(operands: &[*const T], out: *mut T) {
    const { assert_computes::<E, T>() };
    assert!(operands.len() == const { E::OPERANDS.len() });
    // SAFETY: the caller's promise.
    unsafe {
        dispatch::contract(
            dispatch::Call::<E, T, _>::new(scale::Overwrite, out),
            operands,
        )
    }
}

/// `C <- alpha * einsum + beta * C`; `beta == ZERO` does not read C. Constants 0 and 1 cost nothing.
///
/// # Safety
///
/// As for [`contract`], and unless `beta` is zero every element of the output is initialised.
#[inline]
pub unsafe fn contract_into<E: FixedEinsum, T: Scalar>(
    operands: &[*const T],
    out: *mut T,
    alpha: T,
    beta: T,
) {
    const { assert_computes::<E, T>() };
    assert!(operands.len() == const { E::OPERANDS.len() });
    let scale = scale::Scaled { alpha, beta };
    // SAFETY: the caller's promise.
    unsafe { dispatch::contract(dispatch::Call::<E, T, _>::new(scale, out), operands) }
}

/// The einsum as an `X`, written where the caller wants it.
///
/// # Safety
///
/// As for [`contract`], of an output that is an `X`.
#[inline]
unsafe fn make<E: FixedEinsum, T: Scalar, X>(operands: &[*const T]) -> MaybeUninit<X> {
    const { assert_computes::<E, T>() };
    assert!(operands.len() == const { E::OPERANDS.len() });
    type Make<T, X> = unsafe fn(&[*const T]) -> MaybeUninit<X>;
    let make = const {
        let make: Make<T, X> = if size_of::<X>() > IN_REGISTERS {
            in_memory::<E, T, X>
        } else {
            dispatch::make::<E, T, X>
        };
        make
    };
    // SAFETY: the caller's promise.
    unsafe { make(operands) }
}

/// Bytes of the largest result that the compiler may keep in registers until it writes it to its place.
const IN_REGISTERS: usize = 512;

/// Two calls, so that a large result is not written to a variable first and then copied: the compiler makes this
/// function's place for its result the variable, because it sees nothing but a call that fills it.
///
/// # Safety
///
/// As for `make`.
#[inline(never)]
unsafe fn in_memory<E: FixedEinsum, T: Scalar, X>(operands: &[*const T]) -> MaybeUninit<X> {
    #[inline(never)]
    unsafe fn fill<E: FixedEinsum, T: Scalar>(operands: &[*const T], out: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { contract::<E, T>(operands, out) }
    }
    let mut out = MaybeUninit::<X>::uninit();
    // SAFETY: the caller's promise.
    unsafe { fill::<E, T>(operands, out.as_mut_ptr().cast()) };
    out
}
