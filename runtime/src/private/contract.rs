//! The call of kernels for constant lengths, or of the engine, for a fresh result.

use super::Spec;
use super::bind::Bound;
use super::operands::{CallSite, Operands};
use super::sum::term;
use crate::dims::Flat;
use crate::engine::{Engine, Raw};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::fixed::{self, Ready};
use crate::scalar::Scalar;

/// The result with the axes `D` of operands up to one with elements `U` and the family `F`.
pub(super) type Out<D, U, F> = <<D as Flat>::List as ResultOf<U, F>>::Out;

type Fresh<'a, C, O, U, D, F> = fixed::Fresh<'a, C, O, U, <D as Flat>::List, F>;

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
    if const { Fresh::<C, O, U, D, F>::RUN.is_some() } {
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
    if const { Fresh::<C, O, U, D, F>::RUN.is_some() } {
        Ok(contract_constant::<C, O, U, F, D>(operands))
    } else {
        D::List::compute(Pending {
            engine: None,
            terms: &[term(const { &C::SPEC }, operands.raws().as_ref(), U::ONE)],
        })
    }
}

#[inline(always)]
fn contract_constant<'a, C, O, U, F, D>(operands: O) -> Out<D, U, F>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    // No `unwrap` in const evaluation: rustc evaluates the constants of calls that are never made as well.
    let Some(run) = (const { Fresh::<C, O, U, D, F>::RUN }) else {
        unreachable!("the lengths are constants");
    };
    let pointers = operands.pointers();
    // SAFETY: these are the operands that the function is for, and their views are as it takes them to be.
    D::List::in_place(unsafe { Ready::new(run, pointers.as_ref()) })
}

/// Contracts many operands in the engine kept for this thread: `last` is the last operand.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_many<V, U, F, K, D>(
    last: &Bound<V, U, F, K>,
    axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
) -> Out<D, U, F>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    super::or_panic(try_contract_many(last, axes, spec, operands))
}

/// Contracts in the engine given: `last` is the last operand, `axes` are those of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_in<V, U, F, K, D>(
    engine: &mut Engine,
    last: &Bound<V, U, F, K>,
    axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
) -> Out<D, U, F>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    super::or_panic(try_contract_in(engine, last, axes, spec, operands))
}

/// As [`contract_many`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_many<V, U, F, K, D>(
    _last: &Bound<V, U, F, K>,
    _axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
) -> Result<Out<D, U, F>, EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    D::List::compute(Pending {
        engine: None,
        terms: &[term(spec, operands, U::ONE)],
    })
}

/// As [`contract_in`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_in<V, U, F, K, D>(
    engine: &mut Engine,
    _last: &Bound<V, U, F, K>,
    _axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
) -> Result<Out<D, U, F>, EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    D::List::compute(Pending {
        engine: Some(engine),
        terms: &[term(spec, operands, U::ONE)],
    })
}
