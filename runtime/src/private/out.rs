//! What stands behind `out =`.

use core::marker::PhantomData;

use super::bind::{Bound, KnowsPart};
use super::covers::Covers;
use super::{Rank, Spec, or_panic};
use crate::dims::{Axes, Dims, Part, ReverseOnto};
use crate::engine::plan::Plan;
use crate::engine::{Engine, Raw, RawMut, with_default_engine};
use crate::error::EinsumError;
use crate::operand::ViewMut;
use crate::output::{OutputLike, OutputOfRank};
use crate::scalar::Scalar;

/// The axes of `N` labels as a list.
type List<const N: usize> = <crate::dims::Rank<N> as Axes>::List;

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

struct OfRank<X: ?Sized, const N: usize>(PhantomData<X>);
impl<X: OutputOfRank<N> + ?Sized, const N: usize> KnowsPart for OfRank<X, N> {
    const PART: Option<Part> = X::PART;
}
struct Like<X: ?Sized, L>(PhantomData<X>, PhantomData<L>);
impl<X: OutputLike<L> + ?Sized, L> KnowsPart for Like<X, L> {
    const PART: Option<Part> = X::PART;
}

/// A mutably borrowed output in the frame of a call whose first operand has elements `U`.
#[derive(Debug)]
pub struct BoundMut<V, U> {
    view: V,
    /// As in [`Bound`].
    raw: fn(&mut V) -> RawMut<'_, U>,
}

impl<V: ViewMut<Elem = U>, U> BoundMut<V, U> {
    #[inline]
    fn new<P: KnowsPart>(view: V) -> BoundMut<V, U> {
        BoundMut {
            view,
            raw: |view| RawMut::new(view).part(P::PART),
        }
    }
}

/// What the engine writes into.
#[inline]
pub fn raw_mut<V, U>(bound: &mut BoundMut<V, U>) -> RawMut<'_, U> {
    (bound.raw)(&mut bound.view)
}

impl<const N: usize> Rank<N> {
    /// Binds what stands behind `out =`, for an output term of `N` labels.
    ///
    /// The element type is equated, not checked by [`SameElem`](super::SameElem): that of `Tensor::zeros(..)` follows
    /// the operands.
    #[inline]
    pub fn bind_out<'a, X, W, U, F>(
        _last: &Bound<W, U, F>,
        out: &'a mut X,
    ) -> BoundMut<X::ViewMut<'a>, U>
    where
        X: OutputOfRank<N, Elem = U> + ?Sized,
    {
        BoundMut::new::<OfRank<X, N>>(out.operand_view_mut())
    }

    /// Binds what stands behind `out =`, for an output term of `N` labels and `...`.
    #[inline]
    pub fn bind_out_ellipsis<'a, X, E, W, U, F>(
        _covers: Covers<E>,
        _last: &Bound<W, U, F>,
        out: &'a mut X,
    ) -> BoundMut<X::ViewMut<'a>, U>
    where
        crate::dims::Rank<N>: Axes,
        E: Dims + ReverseOnto<List<N>>,
        X: OutputLike<E::Out, Elem = U> + ?Sized,
    {
        BoundMut::new::<Like<X, E::Out>>(out.operand_view_mut())
    }
}

/// `C <- alpha * einsum + beta * C`, in the engine kept for this thread.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn contract_into<T: Scalar>(
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) {
    or_panic(try_contract_into(spec, operands, out, alpha, beta));
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

/// As [`contract_into`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_contract_into<T: Scalar>(
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
    out: RawMut<'_, T>,
    alpha: T,
    beta: T,
) -> Result<(), EinsumError> {
    with_default_engine(|engine| {
        T::__einsum_into(engine, Plan::Constant(spec), operands, &out, alpha, beta)
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
    T::__einsum_into(engine, Plan::Constant(spec), operands, &out, alpha, beta)
}
