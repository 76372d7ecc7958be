//! Which array type a result has.
//!
//! Every operand has a [`Family`]: the arrays of one library, or [`NoFamily`] for what belongs to none. The result is
//! of the family of the first operand that has one, and [`Results`] says what that family makes of which axes.

use core::fmt::Debug;

use crate::dims::AnyRank;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::dims::{Axis, Counted, Dims, Rank};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::small;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::sum::{self, Term};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::{Engine, MemoryOrder, RawMut, Target, with_default_engine};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::error::EinsumError;
use crate::fixed::{FixedStrides, Ready};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::operand::ViewMut;
use crate::scalar::Scalar;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::tensor::{DynTensor, Tensor, TensorViewMut};

/// The arrays that a result can be one of; an operand names its family in [`Operand::Family`](crate::Operand::Family).
///
/// See [`Results`] for how to make one.
pub trait Family: Debug + 'static {
    /// The family of a call whose operands so far have this one, with an operand of family `F` behind them: `Self`.
    /// ([`NoFamily`] alone gives way.)
    type Then<F: Family>: Family;
}

/// The family of what has none: plain numbers, `Vec` and slices. If no operand has another, results are tensors.
#[derive(Clone, Copy, Debug)]
pub struct NoFamily;
impl Family for NoFamily {
    type Then<F: Family> = F;
}

/// The family of [`Tensor`], [`DynTensor`] and their views.
#[derive(Clone, Copy, Debug)]
pub struct Tensors;
impl Family for Tensors {
    type Then<F: Family> = Self;
}

/// What a family makes of a result with the axes `D`: a list of one axis or more, or [`AnyRank`]. (A result of rank
/// 0 is a number in every family.)
///
/// A family implements it for all these axes: those it has arrays for itself, and the others by
/// [`tensor_results!`](crate::tensor_results), which makes them tensors.
///
/// ```
/// use cteinsum::{Axes, Axis, EinsumError, Family, Operand, Pending, Rank, Results, Scalar, TensorView};
///
/// /// A matrix stored by columns.
/// #[derive(Debug, PartialEq)]
/// struct Matrix<T> { rows: usize, columns: usize, elements: Vec<T> }
///
/// impl<T: Scalar> Operand for Matrix<T> {
///     type Elem = T;
///     type Dims = <Rank<2> as Axes>::List;
///     type Family = Matrices;
///     type View<'a> = TensorView<'a, T, 2>;
///     fn operand_view(&self) -> TensorView<'_, T, 2> {
///         let strides = [1, self.rows as isize];
///         TensorView::new(&self.elements, [self.rows, self.columns], strides, 0).expect("rows * columns elements")
///     }
/// }
///
/// #[derive(Debug)]
/// struct Matrices;
/// impl Family for Matrices {
///     type Then<F: Family> = Self;
/// }
/// impl<T: Scalar, A: Axis, B: Axis> Results<T, (A, (B, ()))> for Matrices {
///     type Out = Matrix<T>;
///     fn compute(pending: Pending<'_, T>) -> Result<Matrix<T>, EinsumError> {
///         let ([rows, columns], elements) = pending.column_major()?;
///         Ok(Matrix { rows, columns, elements })
///     }
/// }
/// cteinsum::tensor_results!(Matrices: 1, 3.., dyn);
///
/// let a = Matrix { rows: 2, columns: 3, elements: vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0] };
/// let product = cteinsum::einsum!("ij,kj->ik", a, a);
/// assert_eq!(product, Matrix { rows: 2, columns: 2, elements: vec![14.0, 32.0, 32.0, 77.0] });
/// assert_eq!(cteinsum::einsum!("ij->i", a).as_slice(), [6.0, 15.0]);
/// ```
pub trait Results<T: Scalar, D>: Family {
    /// The array.
    type Out;
    /// Where the elements lie, if they are a part of the array and all lengths are constants.
    #[doc(hidden)]
    const IN_PLACE: Option<FixedStrides<'static>> = None;
    /// Makes such an array.
    #[doc(hidden)]
    fn in_place(_: impl Ready<T>) -> Self::Out {
        unreachable!("the elements are no part of the array")
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    /// Computes the result in the way that suits the array; see [`Pending`].
    ///
    /// # Errors
    /// Those of `pending`, passed on.
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError>;
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// An einsum that waits for memory to write its result into: new memory in row-major or column-major order, or an
/// array of any strides. Nothing is computed before, and nothing if a size does not fit.
///
/// `N` is the rank of the result; it follows from the pattern (`let ([rows, columns], elements) = …`).
#[derive(Debug)]
pub struct Pending<'a, T> {
    pub(crate) engine: Option<&'a mut Engine>,
    /// One at least.
    pub(crate) terms: &'a [Term<'a, T>],
    /// The ways into the engine, where they are not those of `T`: an algebra's.
    pub(crate) entries: Option<&'a Entries<T>>,
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// The ways into the engine: a sum in new memory, its shape, and a sum into an output.
#[derive(Debug)]
#[cfg_attr(not(feature = "algebras"), allow(dead_code))]
#[allow(clippy::type_complexity)] // an alias would hide what the types say
pub(crate) struct Entries<T> {
    pub(crate) fresh:
        fn(&mut Engine, &[Term<'_, T>], MemoryOrder) -> Result<sum::Fresh<T>, EinsumError>,
    pub(crate) shape: fn(&mut Engine, &[Term<'_, T>]) -> Result<sum::Shape, EinsumError>,
    /// The value of an empty sum.
    pub(crate) zero: T,
    pub(crate) into: fn(&mut Engine, &[Term<'_, T>], &RawMut<'_, T>, T) -> Result<(), EinsumError>,
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<T: Scalar> Pending<'_, T> {
    fn run<R>(self, call: impl FnOnce(&mut Engine, &[Term<'_, T>]) -> R) -> R {
        let terms = self.terms;
        match self.engine {
            Some(engine) => call(engine, terms),
            None => with_default_engine(|engine| call(engine, terms)),
        }
    }

    /// The only term, if nobody has a way of his own into the engine.
    #[inline]
    fn alone(&self) -> Option<&Term<'_, T>> {
        match self.terms {
            [only] if self.entries.is_none() && small::may_run(self.engine.as_deref()) => {
                Some(only)
            }
            _ => None,
        }
    }

    fn new_memory(self, order: MemoryOrder) -> Result<sum::Fresh<T>, EinsumError> {
        match self.entries {
            None => self.run(|engine, terms| sum::fresh(engine, terms, order)),
            Some(entries) => self.run(|engine, terms| (entries.fresh)(engine, terms, order)),
        }
    }

    #[inline]
    fn fresh<const N: usize>(
        self,
        order: MemoryOrder,
    ) -> Result<([usize; N], Vec<T>), EinsumError> {
        if let Some(only) = self.alone() {
            let mut shape = [1; N];
            if let Some(elements) = small::fresh(only, order, &mut shape) {
                if let Some(engine) = self.engine {
                    small::ran(engine, &self.terms[0], Target::fresh(order));
                }
                return Ok((shape, elements));
            }
        }
        let fresh = self.new_memory(order)?;
        Ok((fixed(&fresh.shape), fresh.data))
    }

    /// The shape of the result, and its elements in row-major order.
    ///
    /// # Errors
    /// If a size does not fit.
    ///
    /// # Panics
    /// If the result has not `N` axes.
    pub fn row_major<const N: usize>(self) -> Result<([usize; N], Vec<T>), EinsumError> {
        self.fresh(MemoryOrder::RowMajor)
    }

    #[inline]
    fn tensor_of_rank<const N: usize>(self) -> Result<Tensor<T, N>, EinsumError> {
        let (shape, elements) = self.row_major()?;
        Ok(Tensor::of_result(shape, elements))
    }

    /// The shape of the result, and its elements in column-major order.
    ///
    /// # Errors
    /// If a size does not fit.
    ///
    /// # Panics
    /// If the result has not `N` axes.
    pub fn column_major<const N: usize>(self) -> Result<([usize; N], Vec<T>), EinsumError> {
        self.fresh(MemoryOrder::ColumnMajor)
    }

    /// The result as a tensor, whatever its rank: its shape and its elements in row-major order.
    ///
    /// # Errors
    /// If a size does not fit.
    pub fn tensor(self) -> Result<DynTensor<T>, EinsumError> {
        Ok(self.new_memory(MemoryOrder::RowMajor)?.into_dyn())
    }

    /// The shape of the result, to make an array that [`write`](Self::write) fills. All sizes are checked.
    ///
    /// # Errors
    /// If a size does not fit.
    ///
    /// # Panics
    /// If the result has not `N` axes.
    pub fn shape<const N: usize>(&mut self) -> Result<[usize; N], EinsumError> {
        let terms = self.terms;
        let shape = self
            .entries
            .map_or(sum::shape as fn(&mut _, &_) -> _, |e| e.shape);
        let shape = match self.engine.as_deref_mut() {
            Some(engine) => shape(engine, terms),
            None => with_default_engine(|engine| shape(engine, terms)),
        };
        Ok(fixed(&shape?))
    }

    /// Writes the result into an array of its shape. What the array held is not read.
    ///
    /// # Errors
    /// If a size or the shape of `out` does not fit; `out` is unchanged then.
    pub fn write(self, mut out: impl ViewMut<Elem = T>) -> Result<(), EinsumError> {
        let out = RawMut::new(&mut out);
        if let Some(only) = self.alone()
            && small::into(only, &out, T::ZERO)
        {
            if let Some(engine) = self.engine {
                small::ran(engine, &self.terms[0], Target::given(&out.given));
            }
            return Ok(());
        }
        match self.entries {
            None => self.run(|engine, terms| sum::into(engine, terms, &out, T::ZERO)),
            Some(entries) => {
                self.run(|engine, terms| (entries.into)(engine, terms, &out, entries.zero))
            }
        }
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// A shape whose rank the types have settled.
fn fixed<const N: usize>(shape: &[usize]) -> [usize; N] {
    match shape.try_into() {
        Ok(shape) => shape,
        Err(_) => panic!(
            "a family asks for rank {N}, but the result has {}",
            shape.len()
        ),
    }
}

/// The result of a call with these axes, in the family `F`.
pub trait ResultOf<T, F> {
    /// Its type.
    type Out;
    /// As [`Results::IN_PLACE`].
    const IN_PLACE: Option<FixedStrides<'static>>;
    /// As [`Results::in_place`].
    fn in_place(ready: impl Ready<T>) -> Self::Out;
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    /// Computes it.
    ///
    /// # Errors
    /// If a size does not fit.
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError>;
}
impl<T: Scalar, F> ResultOf<T, F> for () {
    type Out = T;
    const IN_PLACE: Option<FixedStrides<'static>> = Some(FixedStrides::RowMajor);
    #[inline]
    fn in_place(ready: impl Ready<T>) -> T {
        // SAFETY: the result is one element.
        unsafe { ready.make() }
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<T, EinsumError> {
        let mut out = T::ZERO;
        pending.write(TensorViewMut::from_element(&mut out))?;
        Ok(out)
    }
}
impl<T: Scalar, F: Results<T, (A, R)>, A, R> ResultOf<T, F> for (A, R) {
    type Out = F::Out;
    const IN_PLACE: Option<FixedStrides<'static>> = F::IN_PLACE;
    #[inline]
    fn in_place(ready: impl Ready<T>) -> F::Out {
        F::in_place(ready)
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<F::Out, EinsumError> {
        F::compute(pending)
    }
}
impl<T: Scalar, F: Results<T, AnyRank>> ResultOf<T, F> for AnyRank {
    type Out = F::Out;
    const IN_PLACE: Option<FixedStrides<'static>> = None;
    fn in_place(ready: impl Ready<T>) -> F::Out {
        F::in_place(ready)
    }
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<F::Out, EinsumError> {
        F::compute(pending)
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<T: Scalar, D> Results<T, D> for NoFamily
where
    Tensors: Results<T, D>,
{
    type Out = <Tensors as Results<T, D>>::Out;
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        Tensors::compute(pending)
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<T: Scalar> Results<T, AnyRank> for Tensors {
    type Out = DynTensor<T>;
    fn compute(pending: Pending<'_, T>) -> Result<DynTensor<T>, EinsumError> {
        pending.tensor()
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<T: Scalar, A: Axis, R: Dims, const N: usize> Results<T, (A, R)> for Tensors
where
    (A, R): Counted<Rank = Rank<N>>,
{
    type Out = Tensor<T, N>;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        pending.tensor_of_rank()
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// Makes results of these ranks tensors in a family that has no arrays for them: `tensor_results!(Matrices: 1, 3..,
/// dyn)`. `dyn` stands for a rank that is known at run time only.
///
/// The ranks are single numbers from 1 to 7, one `N..` up to `8..` for all from `N` on, and `dyn`.
#[macro_export]
macro_rules! tensor_results {
    ($family:ty: $($ranks:tt)*) => { $crate::tensor_results!(@ $family; $($ranks)*); };
    (@ $family:ty;) => {};
    (@ $family:ty; dyn $(, $($more:tt)*)?) => {
        $crate::tensor_results!(@impl $family; [] $crate::AnyRank);
        $crate::tensor_results!(@ $family; $($($more)*)?);
    };
    (@ $family:ty; $n:tt .. $(, $($more:tt)*)?) => {
        $crate::tensor_results!(@from $family; $n);
        $crate::tensor_results!(@ $family; $($($more)*)?);
    };
    (@ $family:ty; $n:tt $(, $($more:tt)*)?) => {
        $crate::tensor_results!(@only $family; $n);
        $crate::tensor_results!(@ $family; $($($more)*)?);
    };
    (@only $f:ty; 1) => { $crate::tensor_results!(@list $f; [A] ()); };
    (@only $f:ty; 2) => { $crate::tensor_results!(@list $f; [A B] ()); };
    (@only $f:ty; 3) => { $crate::tensor_results!(@list $f; [A B C] ()); };
    (@only $f:ty; 4) => { $crate::tensor_results!(@list $f; [A B C D] ()); };
    (@only $f:ty; 5) => { $crate::tensor_results!(@list $f; [A B C D E] ()); };
    (@only $f:ty; 6) => { $crate::tensor_results!(@list $f; [A B C D E F] ()); };
    (@only $f:ty; 7) => { $crate::tensor_results!(@list $f; [A B C D E F G] ()); };
    (@from $f:ty; 1) => { $crate::tensor_results!(@list $f; [A] Rest); };
    (@from $f:ty; 2) => { $crate::tensor_results!(@list $f; [A B] Rest); };
    (@from $f:ty; 3) => { $crate::tensor_results!(@list $f; [A B C] Rest); };
    (@from $f:ty; 4) => { $crate::tensor_results!(@list $f; [A B C D] Rest); };
    (@from $f:ty; 5) => { $crate::tensor_results!(@list $f; [A B C D E] Rest); };
    (@from $f:ty; 6) => { $crate::tensor_results!(@list $f; [A B C D E F] Rest); };
    (@from $f:ty; 7) => { $crate::tensor_results!(@list $f; [A B C D E F G] Rest); };
    (@from $f:ty; 8) => { $crate::tensor_results!(@list $f; [A B C D E F G H] Rest); };
    (@list $f:ty; [$($a:ident)*] ()) => {
        $crate::tensor_results!(@impl $f; [$($a),*] $crate::tensor_results!(@axes () $($a)*));
    };
    (@list $f:ty; [$($a:ident)*] Rest) => {
        $crate::tensor_results!(@impl $f; [$($a,)* Rest] $crate::tensor_results!(@axes Rest $($a)*));
    };
    (@axes $end:tt) => { $end };
    (@axes $end:tt $a:ident $($p:ident)*) => { ($a, $crate::tensor_results!(@axes $end $($p)*)) };
    (@impl $f:ty; [$($p:ident),*] $axes:ty) => {
        impl<T: $crate::Scalar, $($p),*> $crate::Results<T, $axes> for $f
        where
            $crate::Tensors: $crate::Results<T, $axes>,
        {
            type Out = <$crate::Tensors as $crate::Results<T, $axes>>::Out;
            #[inline]
            fn compute(
                pending: $crate::Pending<'_, T>,
            ) -> ::core::result::Result<Self::Out, $crate::EinsumError> {
                <$crate::Tensors as $crate::Results<T, $axes>>::compute(pending)
            }
        }
    };
}
