//! What the expansion of a macro calls. Not part of the public interface: it changes with the macros.

use core::marker::PhantomData;

pub use crate::engine::execute::Fresh;
pub use crate::engine::plan::Plan;
pub use crate::engine::{Raw, RawMut};
pub use cteinsum_macros::{einsum, try_einsum};
pub use cteinsum_plan::ELLIPSIS;

use crate::dims::{Axes, CoversNothing, Dims, Longest, Plus, ResultOf};
use crate::engine::{Engine, with_default_engine};
use crate::error::EinsumError;
use crate::operand::{Operand, OperandOfRank, OperandWithEllipsis, View, ViewMut};
use crate::output::{OutputLike, OutputOfRank};
use crate::scalar::Scalar;
use crate::tensor::TensorView;

/// The constant of a call.
pub type Spec = cteinsum_plan::Spec<'static>;

/// A number of labels; its associated functions are the steps of a call.
#[derive(Debug)]
pub struct Rank<const N: usize>;

/// The axes of `N` labels as a list.
type List<const N: usize> = <crate::dims::Rank<N> as Axes>::List;
/// The result of an output term of `N` labels.
type Closed<const N: usize, T> = <List<N> as ResultOf<T>>::Out;
/// The result of an output term of `N` labels and `...`, which covers `E`.
type Open<const N: usize, T, E> = <<E as Plus<List<N>>>::Out as ResultOf<T>>::Out;

/// A borrowed operand in the frame of a call whose first operand has elements `U`.
#[derive(Debug)]
pub struct Bound<V, U> {
    view: V,
    /// Knows that the elements are `U`. As a bound of [`raw`] instead, a mismatch would be reported twice.
    raw: fn(&V) -> Raw<'_, U>,
}

impl<V: View, U> Bound<V, U> {
    #[inline]
    fn new(view: V) -> Bound<V, U>
    where
        V::Elem: SameElem<U>,
    {
        Bound {
            view,
            raw: |view| <V::Elem as SameElem<U>>::same(Raw::new(view)),
        }
    }
}

/// What the engine reads of an operand.
///
/// A function, because traits in the scope of the call could have a method of this name.
#[inline]
pub fn raw<V, U>(bound: &Bound<V, U>) -> Raw<'_, U> {
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

/// What `...` covers, as a type.
#[derive(Debug)]
pub struct Covers<E>(PhantomData<E>);

impl<E: Dims> Covers<E> {
    /// What the `...` of two operands cover together.
    #[inline]
    pub fn join<F>(self, _: Covers<F>) -> Covers<E::Out>
    where
        E: Longest<F>,
    {
        Covers(PhantomData)
    }
}

/// Checks that `...`, which the output term leaves out, covers no axis.
#[inline]
pub fn covers_nothing<E: CoversNothing>(_: Covers<E>) {}

/// The engine of a call, reborrowed.
#[inline]
pub fn engine(engine: &mut Engine) -> &mut Engine {
    engine
}

// Projections are type parameters, so that they stay open after an error, which then is the only one.
impl<const N: usize> Rank<N> {
    /// Binds the first operand, whose term has `N` labels.
    #[inline]
    pub fn bind<'a, X, T, V>(operand: &'a X) -> Bound<V, T>
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V> + ?Sized,
        T: Scalar,
        V: View<Elem = T>,
    {
        Bound::new(operand.operand_view())
    }

    /// Binds a further operand: its elements must be those of the first one.
    #[inline]
    pub fn bind_as<'a, X, T, V, W, U>(operand: &'a X, _first: &Bound<W, U>) -> Bound<V, U>
    where
        X: OperandOfRank<N, Elem = T, View<'a> = V> + ?Sized,
        T: SameElem<U>,
        V: View<Elem = T>,
    {
        Bound::new(operand.operand_view())
    }

    /// Binds the first operand, whose term has `N` labels and `...`; returns what `...` covers as well.
    #[inline]
    pub fn bind_ellipsis<'a, X, T, V, E>(operand: &'a X) -> (Bound<V, T>, Covers<E>)
    where
        X: OperandWithEllipsis<N, Elem = T, View<'a> = V, Covered = E> + ?Sized,
        T: Scalar,
        V: View<Elem = T>,
    {
        (Bound::new(operand.operand_view()), Covers(PhantomData))
    }

    /// Binds a further operand whose term has `N` labels and `...`.
    #[inline]
    pub fn bind_ellipsis_as<'a, X, T, V, E, W, U>(
        operand: &'a X,
        _first: &Bound<W, U>,
    ) -> (Bound<V, U>, Covers<E>)
    where
        X: OperandWithEllipsis<N, Elem = T, View<'a> = V, Covered = E> + ?Sized,
        T: SameElem<U>,
        V: View<Elem = T>,
    {
        (Bound::new(operand.operand_view()), Covers(PhantomData))
    }

    /// Contracts in the engine kept for this thread.
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract<T: Scalar>(spec: &'static Spec, operands: &[Raw<'_, T>]) -> Closed<N, T>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<T>>,
    {
        or_panic(Self::try_contract(spec, operands))
    }

    /// Contracts in the engine given.
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract_in<T: Scalar>(
        engine: &mut Engine,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Closed<N, T>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<T>>,
    {
        or_panic(Self::try_contract_in(engine, spec, operands))
    }

    /// Contracts in the engine kept for this thread.
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_contract<T: Scalar>(
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Result<Closed<N, T>, EinsumError>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<T>>,
    {
        run::<List<N>, T>(None, spec, operands)
    }

    /// Contracts in the engine given.
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_contract_in<T: Scalar>(
        engine: &mut Engine,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Result<Closed<N, T>, EinsumError>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<T>>,
    {
        run::<List<N>, T>(Some(engine), spec, operands)
    }

    /// As [`contract`](Self::contract), for an output term of `N` labels and `...`.
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract_ellipsis<T: Scalar, E>(
        covers: Covers<E>,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Open<N, T, E>
    where
        crate::dims::Rank<N>: Axes,
        E: Plus<List<N>, Out: ResultOf<T>>,
    {
        or_panic(Self::try_contract_ellipsis(covers, spec, operands))
    }

    /// As [`contract_in`](Self::contract_in), for an output term of `N` labels and `...`.
    ///
    /// # Panics
    /// If the sizes do not fit.
    #[track_caller]
    #[inline]
    pub fn contract_ellipsis_in<T: Scalar, E>(
        engine: &mut Engine,
        covers: Covers<E>,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Open<N, T, E>
    where
        crate::dims::Rank<N>: Axes,
        E: Plus<List<N>, Out: ResultOf<T>>,
    {
        or_panic(Self::try_contract_ellipsis_in(
            engine, covers, spec, operands,
        ))
    }

    /// As [`try_contract`](Self::try_contract), for an output term of `N` labels and `...`.
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_contract_ellipsis<T: Scalar, E>(
        _covers: Covers<E>,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Result<Open<N, T, E>, EinsumError>
    where
        crate::dims::Rank<N>: Axes,
        E: Plus<List<N>, Out: ResultOf<T>>,
    {
        run::<E::Out, T>(None, spec, operands)
    }

    /// As [`try_contract_in`](Self::try_contract_in), for an output term of `N` labels and `...`.
    ///
    /// # Errors
    /// If the sizes do not fit.
    #[inline]
    pub fn try_contract_ellipsis_in<T: Scalar, E>(
        engine: &mut Engine,
        _covers: Covers<E>,
        spec: &'static Spec,
        operands: &[Raw<'_, T>],
    ) -> Result<Open<N, T, E>, EinsumError>
    where
        crate::dims::Rank<N>: Axes,
        E: Plus<List<N>, Out: ResultOf<T>>,
    {
        run::<E::Out, T>(Some(engine), spec, operands)
    }

    /// The type of a rejected call, so that what follows it still type-checks.
    pub fn rejected<X: Operand + ?Sized>(_first: &X) -> Closed<N, X::Elem>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<X::Elem>>,
    {
        unreachable!("the call was rejected when the program was compiled")
    }

    /// The type of a rejected call of `try_einsum!`.
    ///
    /// # Errors
    /// Never returns.
    pub fn try_rejected<X: Operand + ?Sized>(_first: &X) -> Result<Closed<N, X::Elem>, EinsumError>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<X::Elem>>,
    {
        unreachable!("the call was rejected when the program was compiled")
    }
}

impl Rank<0> {
    /// Binds a plain number as the first operand.
    #[inline]
    pub fn bind_number<T: Scalar>(number: &T) -> Bound<TensorView<'_, T, 0>, T> {
        Bound::new(TensorView::from_element(number))
    }

    /// Binds a plain number: its type is that of the first operand's elements.
    #[inline]
    pub fn bind_number_as<'a, T: Scalar, W>(
        number: &'a T,
        _first: &Bound<W, T>,
    ) -> Bound<TensorView<'a, T, 0>, T> {
        Bound::new(TensorView::from_element(number))
    }
}

/// What stands behind `out =`, reborrowed.
#[inline]
pub fn out<X: ?Sized>(out: &mut X) -> &mut X {
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

/// A mutably borrowed output in the frame of a call whose first operand has elements `U`.
#[derive(Debug)]
pub struct BoundMut<V, U> {
    view: V,
    /// As in [`Bound`].
    raw: fn(&mut V) -> RawMut<'_, U>,
}

impl<V: ViewMut<Elem = U>, U> BoundMut<V, U> {
    #[inline]
    fn new(view: V) -> BoundMut<V, U> {
        BoundMut {
            view,
            raw: |view| RawMut::new(view),
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
    /// The element type is equated, not checked by [`SameElem`]: that of `Tensor::zeros(..)` follows the operands.
    #[inline]
    pub fn bind_out<'a, X, W, U>(
        _first: &Bound<W, U>,
        out: &'a mut X,
    ) -> BoundMut<X::ViewMut<'a>, U>
    where
        X: OutputOfRank<N, Elem = U> + ?Sized,
    {
        BoundMut::new(out.operand_view_mut())
    }

    /// Binds what stands behind `out =`, for an output term of `N` labels and `...`.
    #[inline]
    pub fn bind_out_ellipsis<'a, X, E, W, U>(
        _covers: Covers<E>,
        _first: &Bound<W, U>,
        out: &'a mut X,
    ) -> BoundMut<X::ViewMut<'a>, U>
    where
        crate::dims::Rank<N>: Axes,
        E: Plus<List<N>>,
        X: OutputLike<E::Out, Elem = U> + ?Sized,
    {
        BoundMut::new(out.operand_view_mut())
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

#[track_caller]
fn or_panic<O>(result: Result<O, EinsumError>) -> O {
    match result {
        Ok(out) => out,
        Err(error) => error.raise(),
    }
}

#[inline]
fn run<L: ResultOf<T>, T: Scalar>(
    engine: Option<&mut Engine>,
    spec: &'static Spec,
    operands: &[Raw<'_, T>],
) -> Result<L::Out, EinsumError> {
    let plan = Plan::Constant(spec);
    let fresh = match engine {
        Some(engine) => T::__einsum(engine, plan, operands)?,
        None => with_default_engine(|engine| T::__einsum(engine, plan, operands))?,
    };
    Ok(L::build(&fresh.shape, fresh.data))
}
