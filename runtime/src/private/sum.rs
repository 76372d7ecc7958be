//! Sums of products, and factors: what index notation has beyond one product of operands.

use super::bind::Bound;
use super::contract::Out;
use super::{Spec, or_panic};
use crate::dims::Flat;
use crate::engine::plan::Plan;
use crate::engine::sum::{self, Term};
use crate::engine::{Engine, Raw, RawMut, with_default_engine};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::scalar::Scalar;

/// The array on the left of an equation, borrowed in place, or reborrowed if it is a reference already.
pub trait Place {
    /// As a method, for the sake of what rustc does to a receiver.
    #[inline]
    fn __einsum_place(&mut self) -> &mut Self {
        self
    }
}
impl<X: ?Sized> Place for X {}

/// alpha · einsum.
#[inline]
pub fn term<'a, T>(spec: &'static Spec, operands: &'a [Raw<'a, T>], alpha: T) -> Term<'a, T> {
    Term {
        plan: Plan::Constant(spec),
        operands,
        alpha,
    }
}

/// `a · b`, of factors.
#[inline]
pub fn times<T: Scalar>(a: T, b: T) -> T {
    T::mul(a, b)
}

/// `-a`, of a factor.
#[inline]
pub fn negative<T: Scalar>(a: T) -> T {
    let minus_one = const {
        match T::MINUS_ONE {
            Some(minus_one) => minus_one,
            None => panic!("einsum: this element type has no `Scalar::MINUS_ONE`, so no `-`"),
        }
    };
    T::mul(minus_one, a)
}

/// `a / b`, of factors.
#[inline]
pub fn over<T: Quotient>(a: T, b: T) -> T {
    T::over(a, b)
}

/// Element types that divide without leaving a rest.
#[diagnostic::on_unimplemented(
    message = "einsum: `{Self}` has no division that undoes its product",
    label = "division by a scalar is for f32, f64 and complex numbers",
    note = "divide the result, or multiply by the inverse"
)]
pub trait Quotient: Scalar {
    /// `a / b`.
    fn over(a: Self, b: Self) -> Self;
}
macro_rules! quotients {
    ($($t:ty),*) => {$(
        impl Quotient for $t {
            #[inline]
            fn over(a: Self, b: Self) -> Self {
                a / b
            }
        }
    )*};
}
quotients!(
    f32,
    f64,
    num_complex::Complex<f32>,
    num_complex::Complex<f64>
);

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
    D::List::compute(Pending { engine, terms })
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
    match engine {
        Some(engine) => sum::into(engine, terms, &out, beta),
        None => with_default_engine(|engine| sum::into(engine, terms, &out, beta)),
    }
}
