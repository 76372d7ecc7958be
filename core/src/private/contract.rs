//! The call of kernels for constant lengths, or of the engine, for a fresh result.

use super::operands::{CallSite, Operands};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use super::sum::term;
use crate::dims::Flat;
use crate::error::EinsumError;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::family::Pending;
use crate::family::ResultOf;
use crate::fixed::{New, OfCall, Product};
use crate::scalar::Scalar;

/// The result with the axes `D` of operands up to one with elements `U` and the family `F`.
pub(super) type Out<D, U, F> = <<D as Flat>::List as ResultOf<U, F>>::Out;

type Call<'a, C, O, U, D, F> = OfCall<'a, C, O, U, F, New<U, <D as Flat>::List, F>>;

/// Contracts by the kernels for constant lengths if all are, else in the engine kept for this thread; `axes` are those
/// of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract<'a, C, O, U, F, D>(call: C, axes: D, operands: O) -> Out<D, U, F>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    if const { Call::<C, O, U, D, F>::RUN.is_some() } {
        contract_constant::<C, O, U, F, D>(operands)
    } else {
        super::or_panic(try_contract(call, axes, operands))
    }
}

/// As [`contract`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract<'a, C, O, U, F, D>(
    _call: C,
    _axes: D,
    operands: O,
) -> Result<Out<D, U, F>, EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    if const { Call::<C, O, U, D, F>::RUN.is_some() } {
        Ok(contract_constant::<C, O, U, F, D>(operands))
    } else {
        dynamic::<C, O, U, F, D>(operands)
    }
}

/// In the engine kept for this thread.
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
#[inline]
fn dynamic<'a, C, O, U, F, D>(operands: O) -> Result<Out<D, U, F>, EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    D::List::compute(Pending {
        engine: None,
        terms: &[term(const { &C::SPEC }, operands.raws().as_ref(), U::ONE)],
        entries: None,
    })
}

/// There is no engine: this does not compile.
#[cfg(any(target_os = "none", cteinsum_no_std))]
fn dynamic<'a, C, O, U, F, D>(_: O) -> Result<Out<D, U, F>, EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    const {
        assert!(
            Call::<C, O, U, D, F>::RUN.is_some(),
            "einsum: without std all lengths of a call must be constants, and not too many"
        )
    };
    unreachable!("the lengths are constants")
}

#[inline(always)]
fn contract_constant<'a, C, O, U, F, D>(operands: O) -> Out<D, U, F>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    let pointers = operands.pointers();
    // SAFETY: these are the operands of the call, and their views are as it takes them to be.
    D::List::in_place(unsafe { Product::<U, Call<C, O, U, D, F>>::new(pointers.as_ref()) })
}
