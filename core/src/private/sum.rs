//! Sums of products, which index notation has, in the engine.

use super::bind::Bound;
use super::contract::Out;
use super::{Spec, or_panic};
use crate::dims::Flat;
use crate::engine::plan::Plan;
use crate::engine::small;
use crate::engine::sum::{self, Term};
use crate::engine::{Engine, Raw, RawMut, Target, with_default_engine};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::scalar::Scalar;

/// alpha · einsum.
#[inline]
pub fn term<'a, T>(spec: &'static Spec, operands: &'a [Raw<'a, T>], alpha: T) -> Term<'a, T> {
    Term {
        plan: Plan::Constant(spec),
        operands,
        alpha,
    }
}

/// A term of a sum: `last` is the last operand of all.
#[inline]
pub fn term_beside<'a, V, T, F, K>(
    _last: &Bound<V, T, F, K>,
    spec: &'static Spec,
    operands: &'a [Raw<'a, T>],
    alpha: T,
) -> Term<'a, T> {
    term(spec, operands, alpha)
}

/// The sum in a new array: `last` is the last operand, `axes` are those of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_sum<V, U, F, K, D>(
    engine: Option<&mut Engine>,
    last: &Bound<V, U, F, K>,
    axes: D,
    terms: &[Term<'_, U>],
) -> Out<D, U, F>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    or_panic(try_contract_sum(engine, last, axes, terms))
}

/// As [`contract_sum`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_sum<V, U, F, K, D>(
    engine: Option<&mut Engine>,
    _last: &Bound<V, U, F, K>,
    _axes: D,
    terms: &[Term<'_, U>],
) -> Result<Out<D, U, F>, EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    D::List::compute(Pending {
        engine,
        terms,
        entries: None,
    })
}

/// `C <- sum + beta * C`.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_sum_into<T: Scalar>(
    engine: Option<&mut Engine>,
    out: RawMut<'_, T>,
    beta: T,
    terms: &[Term<'_, T>],
) {
    or_panic(try_contract_sum_into(engine, out, beta, terms));
}

/// As [`contract_sum_into`].
///
/// # Errors
/// If the sizes do not fit: nothing is written then.
#[inline]
pub fn try_contract_sum_into<T: Scalar>(
    engine: Option<&mut Engine>,
    out: RawMut<'_, T>,
    beta: T,
    terms: &[Term<'_, T>],
) -> Result<(), EinsumError> {
    if let [only] = terms
        && small::may_run(engine.as_deref())
        && small::into(only, &out, beta)
    {
        if let Some(engine) = engine {
            small::ran(engine, only, Target::given(&out.given));
        }
        return Ok(());
    }
    match engine {
        Some(engine) => sum::into(engine, terms, &out, beta),
        None => with_default_engine(|engine| sum::into(engine, terms, &out, beta)),
    }
}
