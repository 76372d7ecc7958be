//! Binding: operands of any type become views with known elements, in the frame of one call.
//!
//! Projections are type parameters of these functions, so that they stay open after an error, which then is the only
//! one.

use core::marker::PhantomData;

use num_complex::Complex;

use super::covers::Covers;
use crate::dims::{Axis, Dims};
use crate::engine::Raw;
use crate::family::{Family, NoFamily};
use crate::fixed::{Known, Number};
use crate::operand::{OperandOfRank, OperandWithEllipsis, View};
use crate::scalar::{Real, Scalar};
use crate::tensor::TensorView;

/// A borrowed operand in the frame of a call; the operands up to this one give elements `U`, and `F` is their family;
/// `K` what the type knows of the memory.
#[derive(Debug)]
pub struct Bound<V, U, F, K> {
    view: V,
    /// Knows how the elements become those of a call over `U`. As a bound of [`raw`] instead, a mismatch would be reported
    /// twice.
    raw: fn(&V) -> Raw<'_, U>,
    types: PhantomData<(F, fn(K))>,
}

impl<V: View, U: 'static, F, K: Known> Bound<V, U, F, K> {
    #[inline]
    fn new<T>(view: V) -> Self
    where
        V::Elem: ElemWith<T, Out = U>,
    {
        Bound {
            view,
            raw: |view| {
                let raw = Raw::new(view).part(K::PART);
                <V::Elem as ElemWith<T>>::join(core::slice::from_ref(&raw))[0]
            },
            types: PhantomData,
        }
    }
}

impl<V: View<Elem = R>, R: Real, F, K: Known> Bound<V, R, F, K> {
    /// A real operand of a call whose elements are complex.
    #[inline]
    pub(super) fn among_complex(self) -> Bound<V, Complex<R>, F, K> {
        Bound {
            view: self.view,
            raw: |view| Raw::among(&[Raw::new(view).part(K::PART)])[0],
            types: PhantomData,
        }
    }
}

/// What the engine reads of an operand, in a call whose elements are `U`.
///
/// A function, because traits in the scope of the call could have a method of this name.
#[inline]
pub fn raw<V, T, U, F, K>(bound: &Bound<V, T, F, K>) -> Raw<'_, U>
where
    T: ElemWith<U, Out = U>,
{
    T::join(core::slice::from_ref(&(bound.raw)(&bound.view)))[0]
}

/// As [`raw`], where all operands have one element type.
#[inline]
pub fn raw_alike<V, T, U, F, K>(bound: &Bound<V, T, F, K>) -> Raw<'_, U>
where
    V: View<Elem: Alike<U>>,
    T: ElemWith<U, Out = U>,
{
    raw(bound)
}

/// Element types that multiply with `U`, and what that gives: they are equal, or one is the complex numbers over the other.
#[diagnostic::on_unimplemented(
    message = "einsum: the elements of this operand are `{Self}`, those of the operands before it `{U}`",
    label = "expected elements of type `{U}`",
    note = "convert one of the operands first: einsum does not convert silently"
)]
pub trait ElemWith<U>: Sized + 'static {
    /// Elements of the product.
    type Out: 'static;
    /// Operands in a call whose elements are the product's.
    fn join<'s, 'a>(raws: &'s [Raw<'a, Self>]) -> &'s [Raw<'a, Self::Out>];
}
#[diagnostic::do_not_recommend]
impl<T: Scalar> ElemWith<T> for T {
    type Out = T;
    #[inline]
    fn join<'s, 'a>(raws: &'s [Raw<'a, T>]) -> &'s [Raw<'a, T>] {
        raws
    }
}

/// The element type of a call in which real numbers do not meet complex ones.
#[diagnostic::on_unimplemented(
    message = "einsum: the elements of this operand are `{Self}`, those of the result `{U}`",
    label = "expected elements of type `{U}`",
    note = "real numbers meet complex ones in sums of products alone, not with `algebra = …`"
)]
pub trait Alike<U> {}
#[diagnostic::do_not_recommend]
impl<T: Scalar> Alike<T> for T {}
// As those of `ElemWith`.
#[diagnostic::do_not_recommend]
impl<T: Scalar> Alike<Undecided> for T {}
#[diagnostic::do_not_recommend]
impl<U: Scalar> Alike<U> for Undecided {}

/// No element type. With a single implementation of [`ElemWith`] that fits, rustc would choose it as soon as one side is
/// known, and report the mismatch in the wrong words at the wrong place; these two keep it open until both are.
#[derive(Debug)]
pub enum Undecided {}
#[diagnostic::do_not_recommend]
impl<T: Scalar> ElemWith<Undecided> for T {
    type Out = Undecided;
    fn join<'s, 'a>(_: &'s [Raw<'a, T>]) -> &'s [Raw<'a, Undecided>] {
        unreachable!("there is no value of this type")
    }
}
#[diagnostic::do_not_recommend]
impl<U: Scalar> ElemWith<U> for Undecided {
    type Out = U;
    fn join<'s, 'a>(_: &'s [Raw<'a, Undecided>]) -> &'s [Raw<'a, U>] {
        unreachable!("there is no value of this type")
    }
}

// Generic, because rustc would list implementations for single types in its messages.
#[diagnostic::do_not_recommend]
impl<R: Real> ElemWith<Complex<R>> for R {
    type Out = Complex<R>;
    #[inline]
    fn join<'s, 'a>(raws: &'s [Raw<'a, R>]) -> &'s [Raw<'a, Complex<R>>] {
        Raw::among(raws)
    }
}
#[diagnostic::do_not_recommend]
impl<R: Real> ElemWith<R> for Complex<R> {
    type Out = Complex<R>;
    #[inline]
    fn join<'s, 'a>(raws: &'s [Raw<'a, Complex<R>>]) -> &'s [Raw<'a, Complex<R>>] {
        raws
    }
}

/// Binds an operand whose term is so many labels; returns what is known of its axes as well. `…_as`: an operand
/// behind another one, whose elements it must have.
macro_rules! terms {
    ($($n:literal $bind:ident $bind_as:ident,)* ; $($a:ident)*) => {
        terms!(next [] $($n $bind $bind_as,)* ; $($a)*);
    };
    (@ [$($p:ident)*] $n:literal $bind:ident $bind_as:ident, $($rest:tt)*) => {
        terms!(one [$($p)*] $n $bind $bind_as);
        terms!(next [$($p)*] $($rest)*);
    };
    (@ [$($p:ident)*] ; $($a:ident)*) => {};
    (next [$($p:ident)*] $($n:literal $bind:ident $bind_as:ident,)* ; $a:ident $($as:ident)*) => {
        terms!(@ [$($p)* $a] $($n $bind $bind_as,)* ; $($as)*);
    };
    (one [$($p:ident)*] $n:literal $bind:ident $bind_as:ident) => {
        /// Binds the first operand.
        #[inline]
        pub fn $bind<'a, X, T, V, F, K, $($p),*>(operand: &'a X) -> (Bound<V, T, F, K>, $($p),*)
        where
            X: OperandOfRank<$n, Elem = T, View<'a> = V, Family = F, Axes = terms!(list $($p)*), Known = K> + ?Sized,
            T: Scalar,
            V: View<Elem = T>,
            K: Known,
            $($p: Axis),*
        {
            (Bound::new::<T>(operand.operand_view()), $($p::NEW),*)
        }

        /// Binds a further operand.
        #[inline]
        pub fn $bind_as<'a, X, T, V, F, K, W, U, O: 'static, G, J, H, $($p),*>(
            operand: &'a X,
            _before: &Bound<W, U, G, J>,
        ) -> (Bound<V, O, H, K>, $($p),*)
        where
            X: OperandOfRank<$n, Elem = T, View<'a> = V, Family = F, Axes = terms!(list $($p)*), Known = K> + ?Sized,
            T: ElemWith<U, Out = O>,
            V: View<Elem = T>,
            F: Family,
            K: Known,
            G: Family<Then<F> = H>,
            $($p: Axis),*
        {
            (Bound::new::<U>(operand.operand_view()), $($p::NEW),*)
        }
    };
    (list) => { () };
    (list $a:ident $($p:ident)*) => { ($a, terms!(list $($p)*)) };
}
terms! {
    1 bind1 bind1_as,
    2 bind2 bind2_as,
    3 bind3 bind3_as,
    4 bind4 bind4_as,
    5 bind5 bind5_as,
    6 bind6 bind6_as,
    7 bind7 bind7_as,
    8 bind8 bind8_as,
    ; A0 A1 A2 A3 A4 A5 A6 A7 A8
}

/// A term with `N` labels, more than have a function above: the axes as a list.
#[derive(Debug)]
pub struct Many<const N: usize>;

impl<const N: usize> Many<N> {
    /// Binds the first operand.
    #[inline]
    pub fn bind<'a, X, T, V, F, K, D>(operand: &'a X) -> (Bound<V, T, F, K>, D)
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V, Family = F, Axes = D, Known = K> + ?Sized,
        T: Scalar,
        V: View<Elem = T>,
        K: Known,
        D: Dims,
    {
        (Bound::new::<T>(operand.operand_view()), D::NEW)
    }

    /// Binds a further operand.
    #[inline]
    pub fn bind_as<'a, X, T, V, F, K, D, W, U, O: 'static, G, J, H>(
        operand: &'a X,
        _before: &Bound<W, U, G, J>,
    ) -> (Bound<V, O, H, K>, D)
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V, Family = F, Axes = D, Known = K> + ?Sized,
        T: ElemWith<U, Out = O>,
        V: View<Elem = T>,
        F: Family,
        K: Known,
        D: Dims,
        G: Family<Then<F> = H>,
    {
        (Bound::new::<U>(operand.operand_view()), D::NEW)
    }
}

/// A term with `N` labels and `...`: `P` of them before it and `S` behind it.
#[derive(Debug)]
pub struct Ellipsis<const N: usize, const P: usize, const S: usize>;

impl<const N: usize, const P: usize, const S: usize> Ellipsis<N, P, S> {
    /// Binds the first operand; returns the axes before `...`, what it covers, and the axes behind it, last axis first.
    #[inline]
    pub fn bind<'a, X, T, V, F, K, A, E, B>(operand: &'a X) -> (Bound<V, T, F, K>, A, Covers<E>, B)
    where
        X: OperandWithEllipsis<
                N,
                P,
                S,
                Elem = T,
                View<'a> = V,
                Family = F,
                Before = A,
                Covered = E,
                Behind = B,
                Known = K,
            > + ?Sized,
        T: Scalar,
        V: View<Elem = T>,
        K: Known,
        A: Dims,
        E: Dims,
        B: Dims,
    {
        (
            Bound::new::<T>(operand.operand_view()),
            A::NEW,
            Covers::new(),
            B::NEW,
        )
    }

    /// Binds a further operand.
    #[inline]
    pub fn bind_as<'a, X, T, V, F, K, A, E, B, W, U, O: 'static, G, J, H>(
        operand: &'a X,
        _before: &Bound<W, U, G, J>,
    ) -> (Bound<V, O, H, K>, A, Covers<E>, B)
    where
        X: OperandWithEllipsis<
                N,
                P,
                S,
                Elem = T,
                View<'a> = V,
                Family = F,
                Before = A,
                Covered = E,
                Behind = B,
                Known = K,
            > + ?Sized,
        T: ElemWith<U, Out = O>,
        V: View<Elem = T>,
        K: Known,
        F: Family,
        G: Family<Then<F> = H>,
        A: Dims,
        E: Dims,
        B: Dims,
    {
        (
            Bound::new::<U>(operand.operand_view()),
            A::NEW,
            Covers::new(),
            B::NEW,
        )
    }
}

/// Binds the first operand, whose term has no labels. It lends no family, so that the result's type does not depend
/// on a number whose own type is still open (`2.0 * 3.0`).
#[inline]
pub fn bind0<'a, X, T, V, K>(operand: &'a X) -> (Bound<V, T, NoFamily, K>,)
where
    X: OperandOfRank<0, Elem = T, View<'a> = V, Known = K> + ?Sized,
    T: Scalar,
    V: View<Elem = T>,
    K: Known,
{
    (Bound::new::<T>(operand.operand_view()),)
}

/// Binds a further operand whose term has no labels.
#[inline]
pub fn bind0_as<'a, X, T, V, K, W, U, O: 'static, G, J>(
    operand: &'a X,
    _before: &Bound<W, U, G, J>,
) -> (Bound<V, O, G, K>,)
where
    X: OperandOfRank<0, Elem = T, View<'a> = V, Known = K> + ?Sized,
    T: ElemWith<U, Out = O>,
    V: View<Elem = T>,
    K: Known,
{
    (Bound::new::<U>(operand.operand_view()),)
}

/// Binds a plain number as the first operand: its type is still open.
#[inline]
pub fn bind_number<T: Scalar>(number: &T) -> (Bound<TensorView<'_, T, 0>, T, NoFamily, Number>,) {
    (Bound::new::<T>(TensorView::from_element(number)),)
}

/// Binds a plain number behind numbers alone: its type is theirs.
#[inline]
pub fn bind_number_like<'a, T: Scalar, W, F, J>(
    number: &'a T,
    _before: &Bound<W, T, F, J>,
) -> (Bound<TensorView<'a, T, 0>, T, F, Number>,) {
    (Bound::new::<T>(TensorView::from_element(number)),)
}

/// Binds a plain number: its type follows the operands before it.
#[inline]
pub fn bind_number_as<'a, T, W, U, O: 'static, F, J>(
    number: &'a T,
    _before: &Bound<W, U, F, J>,
) -> (Bound<TensorView<'a, T, 0>, O, F, Number>,)
where
    T: Scalar + ElemWith<U, Out = O>,
{
    (Bound::new::<U>(TensorView::from_element(number)),)
}
