//! Binding: operands of any type become views with known elements, in the frame of one call.
//!
//! Projections are type parameters of these functions, so that they stay open after an error, which then is the only
//! one.

use core::marker::PhantomData;

use super::covers::Covers;
use crate::dims::{Axis, Dims};
use crate::engine::Raw;
use crate::family::{Family, NoFamily};
use crate::fixed::{Known, Number};
use crate::operand::{OperandOfRank, OperandWithEllipsis, View};
use crate::scalar::Scalar;
use crate::tensor::TensorView;

/// A borrowed operand in the frame of a call whose first operand has elements `U`; `F` is the family of the operands
/// up to this one, `K` what the type knows of the memory.
#[derive(Debug)]
pub struct Bound<V, U, F, K> {
    view: V,
    /// Knows that the elements are `U`. As a bound of [`raw`] instead, a mismatch would be reported twice.
    raw: fn(&V) -> Raw<'_, U>,
    types: PhantomData<(F, fn(K))>,
}

impl<V: View, U, F, K: Known> Bound<V, U, F, K> {
    #[inline]
    fn new(view: V) -> Self
    where
        V::Elem: SameElem<U>,
    {
        Bound {
            view,
            raw: |view| <V::Elem as SameElem<U>>::same(Raw::new(view).part(K::PART)),
            types: PhantomData,
        }
    }
}

/// What the engine reads of an operand.
///
/// A function, because traits in the scope of the call could have a method of this name.
#[inline]
pub fn raw<V, U, F, K>(bound: &Bound<V, U, F, K>) -> Raw<'_, U> {
    (bound.raw)(&bound.view)
}

/// Element types that multiply and give `U`. For now they must be equal.
#[diagnostic::on_unimplemented(
    message = "einsum: the elements of this operand are `{Self}`, those of the first operand `{U}`",
    label = "expected elements of type `{U}`",
    note = "convert one of the operands first: einsum does not convert silently"
)]
pub trait SameElem<U> {
    /// The identity, for the compiler.
    fn same(raw: Raw<'_, Self>) -> Raw<'_, U>
    where
        Self: Sized;
}
#[diagnostic::do_not_recommend]
impl<T: Scalar> SameElem<T> for T {
    #[inline]
    fn same(raw: Raw<'_, T>) -> Raw<'_, T> {
        raw
    }
}

/// No element type. With a single implementation of [`SameElem`] rustc would choose it as soon as one side is known,
/// and report the mismatch in the wrong words at the wrong place; these two keep it open until both are.
#[derive(Debug)]
pub enum Undecided {}
#[diagnostic::do_not_recommend]
impl<T: Scalar> SameElem<Undecided> for T {
    fn same(_: Raw<'_, T>) -> Raw<'_, Undecided> {
        unreachable!("there is no value of this type")
    }
}
#[diagnostic::do_not_recommend]
impl<U: Scalar> SameElem<U> for Undecided {
    fn same(_: Raw<'_, Undecided>) -> Raw<'_, U> {
        unreachable!("there is no value of this type")
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
            (Bound::new(operand.operand_view()), $($p::NEW),*)
        }

        /// Binds a further operand.
        #[inline]
        pub fn $bind_as<'a, X, T, V, F, K, W, U, G, J, H, $($p),*>(
            operand: &'a X,
            _before: &Bound<W, U, G, J>,
        ) -> (Bound<V, U, H, K>, $($p),*)
        where
            X: OperandOfRank<$n, Elem = T, View<'a> = V, Family = F, Axes = terms!(list $($p)*), Known = K> + ?Sized,
            T: SameElem<U>,
            V: View<Elem = T>,
            F: Family,
            K: Known,
            G: Family<Then<F> = H>,
            $($p: Axis),*
        {
            (Bound::new(operand.operand_view()), $($p::NEW),*)
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
        (Bound::new(operand.operand_view()), D::NEW)
    }

    /// Binds a further operand.
    #[inline]
    pub fn bind_as<'a, X, T, V, F, K, D, W, U, G, J, H>(
        operand: &'a X,
        _before: &Bound<W, U, G, J>,
    ) -> (Bound<V, U, H, K>, D)
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V, Family = F, Axes = D, Known = K> + ?Sized,
        T: SameElem<U>,
        V: View<Elem = T>,
        F: Family,
        K: Known,
        D: Dims,
        G: Family<Then<F> = H>,
    {
        (Bound::new(operand.operand_view()), D::NEW)
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
            Bound::new(operand.operand_view()),
            A::NEW,
            Covers::new(),
            B::NEW,
        )
    }

    /// Binds a further operand.
    #[inline]
    pub fn bind_as<'a, X, T, V, F, K, A, E, B, W, U, G, J, H>(
        operand: &'a X,
        _before: &Bound<W, U, G, J>,
    ) -> (Bound<V, U, H, K>, A, Covers<E>, B)
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
        T: SameElem<U>,
        V: View<Elem = T>,
        K: Known,
        F: Family,
        G: Family<Then<F> = H>,
        A: Dims,
        E: Dims,
        B: Dims,
    {
        (
            Bound::new(operand.operand_view()),
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
    (Bound::new(operand.operand_view()),)
}

/// Binds a further operand whose term has no labels.
#[inline]
pub fn bind0_as<'a, X, T, V, K, W, U, G, J>(
    operand: &'a X,
    _before: &Bound<W, U, G, J>,
) -> (Bound<V, U, G, K>,)
where
    X: OperandOfRank<0, Elem = T, View<'a> = V, Known = K> + ?Sized,
    T: SameElem<U>,
    V: View<Elem = T>,
    K: Known,
{
    (Bound::new(operand.operand_view()),)
}

/// Binds a plain number as the first operand: its type is still open.
#[inline]
pub fn bind_number<T: Scalar>(number: &T) -> (Bound<TensorView<'_, T, 0>, T, NoFamily, Number>,) {
    (Bound::new(TensorView::from_element(number)),)
}

/// Binds a plain number: its type is that of the first operand's elements.
#[inline]
pub fn bind_number_as<'a, T: Scalar, W, F, J>(
    number: &'a T,
    _before: &Bound<W, T, F, J>,
) -> (Bound<TensorView<'a, T, 0>, T, F, Number>,) {
    (Bound::new(TensorView::from_element(number)),)
}
