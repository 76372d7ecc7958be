//! Derivatives.

use super::bind::Bound;
use super::contract::Out;
use super::operands::{CallSite, Operands};
use super::{Rank, Spec};
use crate::dims::{Dims, Flat, RankKind, Reverse};
use crate::engine::{Engine, Raw, with_default_engine};
use crate::error::EinsumError;
use crate::family::{Family, NoFamily, ResultOf};
use crate::gradient::{
    self, Differentiable, GradientLike, Gradients, Outcome, Panics, Pullback, Tries,
};
use crate::operand::{Operand, OperandOfRank, OperandWithEllipsis, View};
use crate::scalar::Scalar;

pub use crate::gradient::{Backward, Constant, Kept, Request, Varying, constancy};

use super::bind::Ellipsis;

/// Operands, by number.
pub type Numbers = &'static [usize];
/// `true` or `false`, whatever `bool` is at the call.
pub type Switch = bool;

impl<const N: usize> Rank<N> {
    /// What the gradient of an operand with so many labels is: of dynamic rank, where the operand is.
    #[inline]
    pub fn like<'a, X, T, V, F>(
        _operand: &'a X,
    ) -> GradientLike<<V::Rank as RankKind>::Beside<X::Axes>, F, T>
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V, Family = F> + ?Sized,
        V: View,
        F: Family,
    {
        GradientLike::new()
    }
}

impl<const N: usize, const P: usize, const S: usize> Ellipsis<N, P, S> {
    /// What the gradient of an operand is whose term has `...`: backwards twice, its axes are a list in any family.
    #[inline]
    pub fn like<X, T, F, D, B, L>(_operand: &X) -> GradientLike<L, F, T>
    where
        X: OperandWithEllipsis<N, P, S, Elem = T, Dims = D, Family = F> + ?Sized,
        D: Dims + Reverse<Out = B>,
        B: Reverse<Out = L>,
        F: Family,
    {
        GradientLike::new()
    }
}

/// What the gradient of an operand without labels is. (It asks for no view, whose type is open in a function that is
/// generic in the elements.)
#[inline]
pub fn like0<X, T, D, F>(_operand: &X) -> GradientLike<D, F, T>
where
    X: OperandOfRank<0> + Operand<Elem = T, Dims = D, Family = F> + ?Sized,
    D: Dims,
    F: Family,
{
    GradientLike::new()
}

/// What the gradient of a plain number is.
#[inline]
pub fn number_like<T>(_number: &T) -> GradientLike<(), NoFamily, T> {
    GradientLike::new()
}

/// Checks that the elements can be differentiated over.
#[inline]
pub fn differentiable<V, U: Differentiable, F, K>(_: &Bound<V, U, F, K>) {}

/// `(y, pullback)`: `last` is the last operand, `axes` are those of the output, `like` says what the gradients are,
/// `function` is what a call of the pullback runs.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn vjp<V, U, F, K, D, L>(
    engine: Option<&mut Engine>,
    last: &Bound<V, U, F, K>,
    axes: D,
    like: L,
    request: Request,
    operands: &[Raw<'_, U>],
    function: fn(&Backward<U, L, Panics>, &Out<D, U, F>) -> L::Out,
) -> (Out<D, U, F>, Pullback<U, Out<D, U, F>, L, Panics>)
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out: 'static>>,
    L: Gradients<U, Out: 'static> + 'static,
{
    super::or_panic(any_vjp(
        engine, last, axes, like, request, operands, function,
    ))
}

/// As [`vjp`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_vjp<V, U, F, K, D, L>(
    engine: Option<&mut Engine>,
    last: &Bound<V, U, F, K>,
    axes: D,
    like: L,
    request: Request,
    operands: &[Raw<'_, U>],
    function: fn(&Backward<U, L, Tries>, &Out<D, U, F>) -> Result<L::Out, EinsumError>,
) -> Result<(Out<D, U, F>, Pullback<U, Out<D, U, F>, L, Tries>), EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out: 'static>>,
    L: Gradients<U, Out: 'static> + 'static,
{
    any_vjp(engine, last, axes, like, request, operands, function)
}

fn any_vjp<V, U, F, K, D, L, M: Outcome>(
    engine: Option<&mut Engine>,
    _last: &Bound<V, U, F, K>,
    _axes: D,
    _like: L,
    request: Request,
    operands: &[Raw<'_, U>],
    function: fn(&Backward<U, L, M>, &Out<D, U, F>) -> M::Of<L::Out>,
) -> Result<(Out<D, U, F>, Pullback<U, Out<D, U, F>, L, M>), EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F, Out: 'static>>,
    L: Gradients<U, Out: 'static> + 'static,
{
    let call = |engine: &mut Engine| {
        gradient::vjp::<U, gradient::In<D::List, F>, L, M>(engine, request, operands)
    };
    let (y, backward) = match engine {
        Some(engine) => call(engine)?,
        None => with_default_engine(call)?,
    };
    Ok((y, Pullback::boxed(backward, function)))
}

/// What a pullback does when it is called: here, in the place of the macro call, so that a panic has that place.
#[track_caller]
#[inline]
pub fn pull<U, Y, L, M>(backward: &Backward<U, L, M>, dy: &Y) -> M::Of<L::Out>
where
    U: Scalar,
    Y: Operand<Elem = U>,
    L: Gradients<U>,
    M: Outcome,
{
    M::end(with_default_engine(|engine| backward.gradients(engine, dy)))
}

/// `(y, dy)`: as [`vjp`], with a tangent for each operand that varies.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn jvp<V, U, F, K, D>(
    engine: Option<&mut Engine>,
    last: &Bound<V, U, F, K>,
    axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
    tangents: &[Option<Raw<'_, U>>],
) -> (Out<D, U, F>, Out<D, U, F>)
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    super::or_panic(try_jvp(engine, last, axes, spec, operands, tangents))
}

/// As [`jvp`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_jvp<V, U, F, K, D>(
    engine: Option<&mut Engine>,
    _last: &Bound<V, U, F, K>,
    _axes: D,
    spec: &'static Spec,
    operands: &[Raw<'_, U>],
    tangents: &[Option<Raw<'_, U>>],
) -> Result<(Out<D, U, F>, Out<D, U, F>), EinsumError>
where
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    let call = |engine: &mut Engine| {
        gradient::jvp::<U, gradient::In<D::List, F>>(engine, spec, operands, tangents)
    };
    match engine {
        Some(engine) => call(engine),
        None => with_default_engine(call),
    }
}

/// As [`jvp`], by the kernels for constant lengths where all are; where an operand has no tangent, `tangents` has the
/// operand itself.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
#[inline]
pub fn jvp_at<'a, C, O, P, U, F, E, D>(
    call: C,
    axes: D,
    operands: O,
    tangents: P,
) -> (Out<D, U, F>, Out<D, U, F>)
where
    C: CallSite,
    O: Operands<'a, U, F>,
    P: Operands<'a, U, E>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    super::or_panic(try_jvp_at(call, axes, operands, tangents))
}

/// As [`jvp_at`].
///
/// # Errors
/// If the sizes do not fit.
#[inline]
pub fn try_jvp_at<'a, C, O, P, U, F, E, D>(
    _call: C,
    _axes: D,
    operands: O,
    tangents: P,
) -> Result<(Out<D, U, F>, Out<D, U, F>), EinsumError>
where
    C: CallSite,
    O: Operands<'a, U, F>,
    P: Operands<'a, U, E>,
    U: Scalar,
    D: Flat<List: ResultOf<U, F>>,
{
    let (operands, tangents) =
        match gradient::constant_jvp::<C, O, P, U, F, E, D>(operands, tangents) {
            Ok(both) => return Ok(both),
            Err(operands) => operands,
        };
    let raws = tangents.raws();
    let given = |(p, raw): (usize, &Raw<'a, U>)| C::WRT.contains(&p).then_some(*raw);
    let tangents: Vec<Option<Raw<'_, U>>> = raws.as_ref().iter().enumerate().map(given).collect();
    with_default_engine(|engine| {
        let operands = operands.raws();
        let spec = const { &C::SPEC };
        gradient::jvp::<U, gradient::In<D::List, F>>(engine, spec, operands.as_ref(), &tangents)
    })
}
