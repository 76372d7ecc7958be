//! What stands behind `algebra =`.

use core::marker::PhantomData;

use super::bind::Bound;
use super::contract::Out;
use super::or_panic;
use crate::algebra::{Algebra, entries};
use crate::dims::Flat;
use crate::engine::sum::Term;
use crate::engine::{Engine, RawMut, with_default_engine};
use crate::error::EinsumError;
use crate::family::{Pending, ResultOf};
use crate::scalar::Scalar;

/// An algebra.
#[derive(Debug)]
pub struct By<A>(PhantomData<fn() -> A>);

/// The algebra named.
#[inline]
pub fn by<A>() -> By<A> {
    By(PhantomData)
}

impl<A> By<A> {
    /// `alpha`, if it is not given.
    #[inline]
    pub fn one<T: Scalar>(self) -> T
    where
        A: Algebra<T>,
    {
        A::ONE
    }

    /// `beta`, if it is not given.
    #[inline]
    pub fn zero<T: Scalar>(self) -> T
    where
        A: Algebra<T>,
    {
        A::ZERO
    }

    /// a ⊗ b, of factors.
    #[inline]
    pub fn times<T: Scalar>(self, a: T, b: T) -> T
    where
        A: Algebra<T>,
    {
        A::mul(a, b)
    }

    /// As [`contract_sum`](super::contract_sum).
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract<V, U, F, K, D>(
        self,
        engine: Option<&mut Engine>,
        last: &Bound<V, U, F, K>,
        axes: D,
        terms: &[Term<'_, U>],
    ) -> Out<D, U, F>
    where
        A: Algebra<U>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F>>,
    {
        or_panic(self.try_contract(engine, last, axes, terms))
    }

    /// As [`contract`](By::contract).
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_contract<V, U, F, K, D>(
        self,
        engine: Option<&mut Engine>,
        _last: &Bound<V, U, F, K>,
        _axes: D,
        terms: &[Term<'_, U>],
    ) -> Result<Out<D, U, F>, EinsumError>
    where
        A: Algebra<U>,
        U: Scalar,
        D: Flat<List: ResultOf<U, F>>,
    {
        D::List::compute(Pending {
            engine,
            terms,
            entries: Some(&entries::<A, U>()),
        })
    }

    /// As [`contract_sum_into`](super::contract_sum_into).
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract_into<T: Scalar>(
        self,
        engine: Option<&mut Engine>,
        out: RawMut<'_, T>,
        beta: T,
        terms: &[Term<'_, T>],
    ) where
        A: Algebra<T>,
    {
        or_panic(self.try_contract_into(engine, out, beta, terms));
    }

    /// As [`contract_into`](By::contract_into).
    ///
    /// # Errors
    /// If the sizes do not fit: nothing is written then.
    #[inline]
    pub fn try_contract_into<T: Scalar>(
        self,
        engine: Option<&mut Engine>,
        out: RawMut<'_, T>,
        beta: T,
        terms: &[Term<'_, T>],
    ) -> Result<(), EinsumError>
    where
        A: Algebra<T>,
    {
        match engine {
            Some(engine) => A::__into(engine, terms, &out, beta),
            None => with_default_engine(|engine| A::__into(engine, terms, &out, beta)),
        }
    }
}
