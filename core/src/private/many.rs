//! Calls that are the engine's whatever the types say: of many operands, or in an engine that is given.

use super::bind::Bound;
use super::contract::Out;
use super::sum::term;
use super::{Spec, or_panic};
use crate::dims::Flat;
use crate::engine::apart::{Apart, ApartMut};
use crate::engine::small;
use crate::engine::sum::Term;
use crate::engine::{Engine, Raw, RawMut, Target, with_default_engine};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::scalar::Scalar;

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
    or_panic(try_contract_many(last, axes, spec, operands))
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
    or_panic(try_contract_in(engine, last, axes, spec, operands))
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
        entries: None,
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
        entries: None,
    })
}

/// `C <- alpha * einsum + beta * C` of many operands, in the engine kept for this thread.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_many_into<T: Scalar>(
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) {
    or_panic(try_contract_many_into(spec, operands, out, alpha, beta));
}

/// `C <- alpha * einsum + beta * C`, in the engine given.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_into_in<T: Scalar>(
    engine: &mut Engine,
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) {
    or_panic(try_contract_into_in(
        engine, spec, operands, out, alpha, beta,
    ));
}

/// As [`contract_many_into`].
///
/// # Errors
/// If the sizes do not fit.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn try_contract_many_into<T: Scalar>(
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) -> Result<(), EinsumError> {
    if let Some(product) = &spec.product {
        if T::__small_into(product, operands, &out, (alpha, beta)) {
            return Ok(());
        }
        if let [a, b] = operands
            && let (Some(a), Some(b)) = (Apart::of(a), Apart::of(b))
        {
            match ApartMut::of(out) {
                Ok(mut out) => return apart_by_engine(spec, &[a, b], &mut out, (alpha, beta)),
                Err(out) => return by_engine(&term(spec, operands, alpha), &out, beta),
            }
        }
    }
    by_engine(&term(spec, operands, alpha), &out, beta)
}

/// As [`by_engine`], of copies. If the engine read what the call has at hand, that would lie in memory before the small
/// products had their turn, for which it stays in registers.
#[cold]
#[inline(never)]
fn apart_by_engine<T: Scalar>(
    spec: &'static Spec,
    operands: &[Apart<'_, T>; 2],
    out: &mut ApartMut<'_, T>,
    (alpha, beta): (T, T),
) -> Result<(), EinsumError> {
    let operands = operands.each_ref().map(Apart::raw);
    by_engine(&term(spec, &operands, alpha), &out.raw_mut(), beta)
}

/// In the engine kept for this thread.
#[inline(never)]
fn by_engine<T: Scalar>(
    term: &Term<'_, T>,
    out: &RawMut<'_, T>,
    beta: T,
) -> Result<(), EinsumError> {
    // One reference to all: closures are moved.
    let call = &(out, beta);
    with_default_engine(move |engine| {
        let (out, beta) = call;
        T::__einsum_into(engine, term.plan, term.operands, out, term.alpha, *beta)
    })
}

/// As [`contract_into_in`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_into_in<T: Scalar>(
    engine: &mut Engine,
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) -> Result<(), EinsumError> {
    let term = &term(spec, operands, alpha);
    if small::may_run(Some(engine)) && small::into(term, &out, beta) {
        small::ran(engine, term, Target::given(&out.given));
        return Ok(());
    }
    T::__einsum_into(engine, term.plan, term.operands, &out, alpha, beta)
}
