//! The elements of a given output against those of the operands.
//!
//! Levels of references choose the rule, as in [`join`](crate::join): the first one equates the two types, so that those of
//! `Tensor::zeros(..)` follow the operands.

use core::marker::PhantomData;

use num_complex::Complex;

use super::bind::Bound;
use super::out::BoundMut;
use crate::fixed::Known;
use crate::operand::View;
use crate::scalar::{Real, Scalar};

/// Operands whose elements make `U`, and an output of elements `T`.
#[derive(Clone, Copy, Debug)]
pub struct Filling<U, T>(PhantomData<(U, T)>);

/// The last operand of a call, and its output.
#[inline(always)]
pub fn filling<V, U, F, K, W, T, J>(
    _last: &Bound<V, U, F, K>,
    _out: &BoundMut<W, T, J>,
) -> Filling<U, T> {
    Filling(PhantomData)
}

/// The elements are of one type.
pub trait FillsItsLike<U>: Sized {
    /// The operand and the output as they are.
    #[inline(always)]
    fn __einsum_fill<V, F, K, W, J>(
        self,
        last: Bound<V, U, F, K>,
        out: BoundMut<W, U, J>,
    ) -> (Bound<V, U, F, K>, BoundMut<W, U, J>) {
        (last, out)
    }
}
impl<U> FillsItsLike<U> for &&Filling<U, U> {}

/// Real operands and a complex output.
pub trait FillsRealParts<R: Real>: Sized
where
    Complex<R>: Scalar,
{
    /// The operand in a call whose elements are complex.
    #[inline(always)]
    fn __einsum_fill<V: View<Elem = R>, F, K: Known, W, J>(
        self,
        last: Bound<V, R, F, K>,
        out: BoundMut<W, Complex<R>, J>,
    ) -> (Bound<V, Complex<R>, F, K>, BoundMut<W, Complex<R>, J>) {
        (last.among_complex(), out)
    }
}
impl<R: Real> FillsRealParts<R> for &Filling<R, Complex<R>> where Complex<R>: Scalar {}

/// Elements that do not go into an output.
pub trait FillsNothing<U, T>: Sized {
    /// Does not compile. What it gives agrees, so that nothing that follows is an error.
    fn __einsum_fill<V, F, K, W, J>(
        self,
        last: Bound<V, U, F, K>,
        out: BoundMut<W, T, J>,
    ) -> (Bound<V, U, F, K>, BoundMut<W, U, J>)
    where
        U: ElementsOfOut<T>;
}
impl<U, T> FillsNothing<U, T> for Filling<U, T> {
    fn __einsum_fill<V, F, K, W, J>(
        self,
        _: Bound<V, U, F, K>,
        _: BoundMut<W, T, J>,
    ) -> (Bound<V, U, F, K>, BoundMut<W, U, J>)
    where
        U: ElementsOfOut<T>,
    {
        unreachable!("elements that differ do not compile")
    }
}

/// Nothing implements it: rustc names both types.
#[diagnostic::on_unimplemented(
    message = "einsum: the elements of `out` are `{T}`, those of the result `{Self}`",
    label = "expected an array of `{Self}`",
    note = "einsum does not convert silently: `acc = …` converts operands to a wider type"
)]
pub trait ElementsOfOut<T> {}
