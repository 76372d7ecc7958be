//! The call of the engine, for a fresh result.

use super::Spec;
use super::bind::Bound;
use super::sum::term;
use crate::dims::Flat;
use crate::engine::{Engine, Raw};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::scalar::Scalar;

/// The result with the axes `D` of operands up to one with elements `U` and the family `F`.
pub(super) type Out<D, U, F> = <<D as Flat>::List as ResultOf<U, F>>::Out;

/// Contracts in the engine kept for this thread: `last` is the last operand, `axes` are those of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract<V, U, F, D>(
    last: &Bound<V, U, F>,
    axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
) -> Out<D, U, F>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    super::or_panic(try_contract(last, axes, spec, operands))
}

/// Contracts in the engine given: `last` is the last operand, `axes` are those of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_in<V, U, F, D>(
    engine: &mut Engine,
    last: &Bound<V, U, F>,
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

/// Contracts in the engine kept for this thread: `last` is the last operand, `axes` are those of the output.
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract<V, U, F, D>(
    _last: &Bound<V, U, F>,
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

/// Contracts in the engine given: `last` is the last operand, `axes` are those of the output.
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_in<V, U, F, D>(
    engine: &mut Engine,
    _last: &Bound<V, U, F>,
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
