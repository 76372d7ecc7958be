//! What stands behind `out =`.

use core::marker::PhantomData;

use super::bind::Ellipsis;
use super::covers::Covers;
use super::operands::{CallSite, Operands};
use super::{Rank, or_panic};
use crate::dims::{Axes, Dims, HasAtLeast, Reverse, ReverseOnto};
use crate::engine::RawMut;
use crate::error::EinsumError;
use crate::fixed::{Known, OfCall, pointer_mut};
use crate::operand::ViewMut;
use crate::output::{OutputLike, OutputOfRank};
use crate::scalar::Scalar;

/// The axes of `N` labels as a list.
type List<const N: usize> = <crate::dims::Rank<N> as Axes>::List;

/// The axes before `...`, those it covers and those behind it, the last two with the last axis first.
type Before<L, const P: usize> = <L as HasAtLeast<P>>::First;
type Rest<L, const P: usize> = <<L as HasAtLeast<P>>::Rest as Reverse>::Out;
type Covered<L, const P: usize, const S: usize> = <Rest<L, P> as HasAtLeast<S>>::Rest;
type Behind<L, const P: usize, const S: usize> = <Rest<L, P> as HasAtLeast<S>>::First;

/// What stands behind `out =`, reborrowed.
#[inline]
pub fn borrow_out<X: ?Sized>(out: &mut X) -> &mut X {
    out
}

/// `alpha`, if it is not given.
#[inline]
pub fn one<T: Scalar>() -> T {
    T::ONE
}

/// `beta`, if it is not given.
#[inline]
pub fn zero<T: Scalar>() -> T {
    T::ZERO
}

/// A mutably borrowed output in the frame of a call whose first operand has elements `U`; `K` is what its type knows of
/// the memory.
#[derive(Debug)]
pub struct BoundMut<V, U, K> {
    view: V,
    /// As in [`Bound`].
    raw: fn(&mut V) -> RawMut<'_, U>,
    known: PhantomData<fn(K)>,
}

impl<V: ViewMut<Elem = U>, U, K: Known> BoundMut<V, U, K> {
    #[inline]
    fn new(view: V) -> Self {
        BoundMut {
            view,
            raw: |view| RawMut::new(view).part(K::PART),
            known: PhantomData,
        }
    }
}

/// What the engine writes into.
#[inline]
pub fn raw_mut<V, U, K>(bound: &mut BoundMut<V, U, K>) -> RawMut<'_, U> {
    (bound.raw)(&mut bound.view)
}

impl<const N: usize> Rank<N> {
    /// Binds what stands behind `out =`, for an output term of `N` labels.
    #[inline]
    pub fn bind_out<'a, X, U, K, A>(out: &'a mut X) -> (BoundMut<X::ViewMut<'a>, U, K>, A)
    where
        X: OutputOfRank<N, Elem = U, Known = K, Axes = A> + ?Sized,
        K: Known,
        A: Dims,
    {
        (BoundMut::new(out.operand_view_mut()), A::NEW)
    }
}

impl<const N: usize, const P: usize, const S: usize> Ellipsis<N, P, S> {
    /// Binds what stands behind `out =`; returns its axes as [`bind`](Ellipsis::bind) does.
    #[inline]
    #[allow(clippy::type_complexity)] // lists of axes
    pub fn bind_out<'a, X, E, U, K, L>(
        _covers: Covers<E>,
        out: &'a mut X,
    ) -> (
        BoundMut<X::ViewMut<'a>, U, K>,
        (Before<L, P>, Covers<Covered<L, P, S>>, Behind<L, P, S>),
    )
    where
        crate::dims::Rank<N>: Axes,
        E: Dims + ReverseOnto<List<N>>,
        X: OutputLike<E::Out, Elem = U, Known = K, Axes = L> + ?Sized,
        K: Known,
        L: HasAtLeast<P, Rest: Reverse<Out: HasAtLeast<S>>>,
    {
        let axes = (Dims::NEW, Covers::new(), Dims::NEW);
        (BoundMut::new(out.operand_view_mut()), axes)
    }
}

/// `C <- einsum`, by the kernels for constant lengths if all are, else in the engine kept for this thread.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_into<'a, C, O, U, F, V, K>(call: C, operands: O, out: &mut BoundMut<V, U, K>)
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    or_panic(try_contract_into(call, operands, out));
}

/// `C <- alpha * einsum + beta * C`, as [`contract_into`].
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_into_scaled<'a, C, O, U, F, V, K>(
    call: C,
    operands: O,
    out: &mut BoundMut<V, U, K>,
    alpha: U,
    beta: U,
) where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    or_panic(try_contract_into_scaled(call, operands, out, alpha, beta));
}

/// As [`contract_into`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_into<'a, C, O, U, F, V, K>(
    call: C,
    operands: O,
    out: &mut BoundMut<V, U, K>,
) -> Result<(), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    if let Some(run) = const { OfCall::<C, O, U, F, K>::RUN } {
        let pointers = operands.pointers();
        let out = pointer_mut::<K, U>(&raw_mut(out));
        // SAFETY: these are the operands and the output that the function is for, and their views are as it takes them
        // to be. The output is borrowed mutably, so that it is no part of an operand.
        unsafe { run(pointers.as_ref(), out) };
        return Ok(());
    }
    try_contract_into_scaled(call, operands, out, U::ONE, U::ZERO)
}

/// As [`contract_into_scaled`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_into_scaled<'a, C, O, U, F, V, K>(
    _call: C,
    operands: O,
    out: &mut BoundMut<V, U, K>,
    alpha: U,
    beta: U,
) -> Result<(), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    if let Some(run) = const { OfCall::<C, O, U, F, K>::RUN_SCALED } {
        let pointers = operands.pointers();
        let out = pointer_mut::<K, U>(&raw_mut(out));
        // SAFETY: as in `try_contract_into`; a mutable view is of initialised elements.
        unsafe { run(pointers.as_ref(), out, alpha, beta) };
        return Ok(());
    }
    dynamic::<C, O, U, F, V, K>(operands, out, alpha, beta)
}

/// In the engine kept for this thread.
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
#[inline]
fn dynamic<'a, C, O, U, F, V, K>(
    operands: O,
    out: &mut BoundMut<V, U, K>,
    alpha: U,
    beta: U,
) -> Result<(), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    let spec = const { &C::SPEC };
    super::try_contract_many_into(spec, operands.raws().as_ref(), raw_mut(out), alpha, beta)
}

/// There is no engine: this does not compile.
#[cfg(any(target_os = "none", cteinsum_no_std))]
fn dynamic<'a, C, O, U, F, V, K>(
    _: O,
    _: &mut BoundMut<V, U, K>,
    _: U,
    _: U,
) -> Result<(), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    U: Scalar,
    K: Known,
{
    const {
        assert!(
            OfCall::<C, O, U, F, K>::RUN.is_some(),
            "einsum: without std all lengths of a call must be constants that fit, and not too many"
        )
    };
    unreachable!("the lengths are constants")
}
