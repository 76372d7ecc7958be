//! Sums of products, and products with a factor: by the kernels for constant lengths, or by the engine of the thread.

use core::marker::PhantomData;

use super::bind::{Bound, ElemWith};
use super::contract::Out;
use super::operands::{CallSite, Operands};
use super::or_panic;
use super::out::{BoundMut, raw_mut};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use super::sum::{term, try_contract_sum, try_contract_sum_into};
use crate::dims::Flat;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::sum::Term;
use crate::error::EinsumError;
use crate::family::ResultOf;
use crate::fixed::{Known, New, OfCall, Total, pointer_mut};
use crate::scalar::Scalar;

/// alpha · einsum: a call `C` with the operands `O`, of the families up to `F` and of elements that give `T`, in a sum of
/// elements `U`.
#[derive(Debug)]
pub struct Summand<C, O, T, U, F> {
    operands: O,
    alpha: U,
    types: PhantomData<fn(C, T, F)>,
}

/// A term of a sum: `last` is the last operand of all.
#[inline(always)]
pub fn summand<'a, V, U, G, K, C, O, T, F>(
    _last: &Bound<V, U, G, K>,
    _call: C,
    operands: O,
    alpha: U,
) -> Summand<C, O, T, U, F>
where
    C: CallSite,
    O: Operands<'a, T, F>,
    T: Scalar + 'a,
{
    Summand {
        operands,
        alpha,
        types: PhantomData,
    }
}

impl<C, O, T, U, F> Summand<C, O, T, U, F> {
    /// Adds it to beta · C; returns the beta of the next term.
    ///
    /// # Safety
    ///
    /// The lengths are constants, and all elements of the result that `K` knows are writable at `out` and no part of an
    /// operand; initialised, unless `beta` is zero.
    #[inline(always)]
    unsafe fn write<'a, K: Known>(self, out: *mut U, beta: U) -> U
    where
        C: CallSite,
        O: Operands<'a, T, F>,
        T: Scalar + ElemWith<U, Out = U> + 'a,
        U: Scalar,
    {
        let Some(run) = (const { OfCall::<'a, C, O, T, F, K>::scaled::<U>() }) else {
            unreachable!("the lengths are constants");
        };
        let pointers = self.operands.pointers();
        let pointers = core::ptr::from_ref(pointers.as_ref()) as *const [*const U];
        // SAFETY: these are the operands that the function is for, which takes `T` for `U` or for the numbers that `U`
        // consists of, as it is; the output is as the caller says.
        unsafe { run(&*pointers, out, self.alpha, beta) };
        U::ONE
    }
}

/// The terms of a sum, a tuple of up to eight, whose result `K` knows.
pub trait Summands<'a, U, K>: Sized {
    /// Whether all lengths are constants, and not too many.
    const COMPUTES: bool;

    /// `C <- sum + beta * C`.
    ///
    /// # Safety
    ///
    /// `COMPUTES`, and as for one term.
    unsafe fn write(self, out: *mut U, beta: U);

    /// What the engine reads.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    fn with_terms<R>(self, run: impl FnOnce(&[Term<'_, U>]) -> R) -> R;
}

macro_rules! summands {
    ([$($before:tt)*]) => {};
    ([$($before:tt)*] $one:tt $($rest:tt)*) => {
        summands!(@ $($before)* $one);
        summands!([$($before)* $one] $($rest)*);
    };
    (@ $(($c:ident $o:ident $t:ident $f:ident $i:tt))*) => {
        impl<'a, U: Scalar + 'a, K: Known, $($c: CallSite, $o: Operands<'a, $t, $f>, $t: Scalar + ElemWith<U, Out = U>, $f),*>
            Summands<'a, U, K> for ($(Summand<$c, $o, $t, U, $f>,)*)
        {
            const COMPUTES: bool = true $(&& OfCall::<'a, $c, $o, $t, $f, K>::scaled::<U>().is_some())*;

            #[inline(always)]
            unsafe fn write(self, out: *mut U, beta: U) {
                // SAFETY: the caller's promise; after the first term all elements are initialised.
                $(let beta = unsafe { self.$i.write::<K>(out, beta) };)*
                let _ = beta;
            }

            #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
            #[inline]
            fn with_terms<R>(self, run: impl FnOnce(&[Term<'_, U>]) -> R) -> R {
                run(&[$(term(const { &$c::SPEC }, $t::join(self.$i.operands.raws().as_ref()), self.$i.alpha)),*])
            }
        }
    };
}
summands!([]
    (C0 O0 T0 F0 0) (C1 O1 T1 F1 1) (C2 O2 T2 F2 2) (C3 O3 T3 F3 3) (C4 O4 T4 F4 4) (C5 O5 T5 F5 5) (C6 O6 T6 F6 6)
    (C7 O7 T7 F7 7));

/// There is no engine: what needs one does not compile.
#[cfg(any(target_os = "none", cteinsum_no_std))]
const NO_ENGINE: &str =
    "einsum: without std all lengths of a call must be constants that fit, and not too many";

type NewOf<D, U, F> = New<U, <D as Flat>::List, F>;

/// The sum in a new array: `last` is the last operand, `axes` are those of the output.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_summands<'a, V, U, F, K, D, S>(
    last: &Bound<V, U, F, K>,
    axes: D,
    sum: S,
) -> Out<D, U, F>
where
    U: Scalar + 'a,
    D: Flat<List: ResultOf<U, F>>,
    S: Summands<'a, U, NewOf<D, U, F>>,
{
    or_panic(try_contract_summands(last, axes, sum))
}

/// As [`contract_summands`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_summands<'a, V, U, F, K, D, S>(
    last: &Bound<V, U, F, K>,
    axes: D,
    sum: S,
) -> Result<Out<D, U, F>, EinsumError>
where
    U: Scalar + 'a,
    D: Flat<List: ResultOf<U, F>>,
    S: Summands<'a, U, NewOf<D, U, F>>,
{
    if const { S::COMPUTES } {
        return Ok(D::List::in_place(Total::<S, NewOf<D, U, F>>::new(sum)));
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    return sum.with_terms(|terms| try_contract_sum(None, last, axes, terms));
    #[cfg(any(target_os = "none", cteinsum_no_std))]
    {
        let _ = (last, axes, sum);
        const { assert!(S::COMPUTES, "{}", NO_ENGINE) };
        unreachable!("the lengths are constants")
    }
}

/// `C <- sum + beta * C`.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_summands_into<'a, V, U, K, S>(sum: S, out: &mut BoundMut<V, U, K>, beta: U)
where
    U: Scalar + 'a,
    K: Known,
    S: Summands<'a, U, K>,
{
    or_panic(try_contract_summands_into(sum, out, beta));
}

/// As [`contract_summands_into`].
///
/// # Errors
/// If the sizes do not fit: nothing is written then.
#[inline]
pub fn try_contract_summands_into<'a, V, U, K, S>(
    sum: S,
    out: &mut BoundMut<V, U, K>,
    beta: U,
) -> Result<(), EinsumError>
where
    U: Scalar + 'a,
    K: Known,
    S: Summands<'a, U, K>,
{
    if const { S::COMPUTES } {
        let out = pointer_mut::<K, U>(&raw_mut(out));
        // SAFETY: the output is as its type says, and borrowed mutably, so that it is no part of an operand.
        unsafe { sum.write(out, beta) };
        return Ok(());
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    return sum.with_terms(|terms| try_contract_sum_into(None, raw_mut(out), beta, terms));
    #[cfg(any(target_os = "none", cteinsum_no_std))]
    {
        let _ = (sum, out, beta);
        const { assert!(S::COMPUTES, "{}", NO_ENGINE) };
        unreachable!("the lengths are constants")
    }
}
