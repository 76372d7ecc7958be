//! What may stand as an operand: anything with elements, axes and strides.

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use std::borrow::Cow;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use std::rc::Rc;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use std::sync::Arc;

use crate::dims::{Dims, HasAtLeast, HasRank, Keep, Part, RankKind, Reverse};
use crate::family::Family;
use crate::fixed::{FixedStrides, Known, OfRank, WithEllipsis};
use crate::scalar::Scalar;

/// A borrowed array, reduced to what the engine reads: a pointer to the element at index 0, the shape, and the
/// strides in elements.
///
/// [`TensorView`](crate::TensorView) and [`DynTensorView`](crate::DynTensorView) implement it; the view of another
/// array type is made from one of them.
pub trait View: sealed::Sealed {
    /// The element type.
    type Elem: Scalar;
    /// Whether the rank is a part of the type.
    type Rank: RankKind;
    /// Pointer to the element at index 0 on every axis (dangling if a length is 0).
    fn as_ptr(&self) -> *const Self::Elem;
    /// Length of each axis.
    fn shape(&self) -> &[usize];
    /// Stride of each axis, in elements.
    fn strides(&self) -> &[isize];
    /// Whether the elements count as their complex conjugates.
    const CONJ: bool = false;
}

/// A mutably borrowed array, reduced to what the engine writes; different indices lead to different elements.
///
/// [`TensorViewMut`](crate::TensorViewMut) and [`DynTensorViewMut`](crate::DynTensorViewMut) implement it; the
/// mutable view of another array type is made from one of them.
pub trait ViewMut: sealed::Sealed {
    /// The element type.
    type Elem: Scalar;
    /// Pointer to the element at index 0 on every axis (dangling if a length is 0).
    fn as_mut_ptr(&mut self) -> *mut Self::Elem;
    /// Length of each axis.
    fn shape(&self) -> &[usize];
    /// Stride of each axis, in elements.
    fn strides(&self) -> &[isize];
}

pub(crate) mod sealed {
    /// A view is a promise about memory: only the checked views of this crate give it.
    pub trait Sealed {}
}

/// An array that einsum can read. Implement it for an array type of your own to pass it to `einsum!`.
///
/// ```
/// use cteinsum::{Axes, NoFamily, Operand, Rank, TensorView};
///
/// /// A square matrix stored by columns.
/// struct Square { n: usize, columns: Vec<f64> }
///
/// impl Operand for Square {
///     type Elem = f64;
///     type Dims = <Rank<2> as Axes>::List;
///     type Family = NoFamily;
///     type View<'a> = TensorView<'a, f64, 2>;
///     fn operand_view(&self) -> TensorView<'_, f64, 2> {
///         TensorView::new(&self.columns, [self.n, self.n], [1, self.n as isize], 0).expect("n * n elements")
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "einsum: `{Self}` is not an array that einsum can read",
    label = "not an operand",
    note = "operands are tensors and their views, nested arrays, Vec and slices of elements or of nested arrays (rows of a `Vec<Vec<T>>` lie apart: `Tensor::from_fn` copies them), plain numbers, and types that implement `cteinsum::Operand`; their elements are `cteinsum::Scalar`. Arrays of ndarray, nalgebra, mdarray and faer need the feature of that name"
)]
pub trait Operand {
    /// The element type.
    type Elem: Scalar;
    /// The axes as a type: `<Rank<N> as Axes>::List`, or [`AnyRank`](crate::AnyRank), or a list such as
    /// `(Const<3>, (Dyn, ()))` where lengths are known while compiling.
    type Dims: Dims;
    /// Whose arrays it is one of: results are of the family of the first operand that has one.
    type Family: Family;
    /// The borrowed view.
    type View<'a>: View<Elem = Self::Elem>
    where
        Self: 'a;
    /// Where the elements lie, if that is the same for all arrays of the type: a call whose lengths are all constants
    /// is then computed without the engine, for which its view is compared with what is said here.
    const STRIDES: Option<FixedStrides<'static>> = None;
    /// Borrows the array.
    fn operand_view(&self) -> Self::View<'_>;
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<X: Operand + ?Sized> Operand for $pointer {
            type Elem = X::Elem;
            type Dims = X::Dims;
            type Family = X::Family;
            type View<'a> = X::View<'a> where Self: 'a;
            const STRIDES: Option<FixedStrides<'static>> = X::STRIDES;
            #[inline]
            fn operand_view(&self) -> X::View<'_> {
                (**self).operand_view()
            }
        }
    )*};
}
pointers!(&X, &mut X);
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pointers!(Box<X>, Rc<X>, Arc<X>);

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
#[diagnostic::do_not_recommend]
impl<X: Operand + ToOwned + ?Sized> Operand for Cow<'_, X> {
    type Elem = X::Elem;
    type Dims = X::Dims;
    type Family = X::Family;
    type View<'a>
        = X::View<'a>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = X::STRIDES;
    #[inline]
    fn operand_view(&self) -> X::View<'_> {
        (**self).operand_view()
    }
}

/// An operand that can take `N` labels.
#[diagnostic::on_unimplemented(
    message = "einsum: the subscripts take an array of rank {N} here, one axis a label, but this is `{Self}`",
    label = "expected an array of rank {N}",
    note = "a label is one letter: longer names are labels in index notation, as in `[row, k] = a[row, col] * b[col, k]`",
    note = "operands are tensors and their views, nested arrays, Vec and slices of elements or of nested arrays (rows of a `Vec<Vec<T>>` lie apart: `Tensor::from_fn` copies them), plain numbers, and types that implement `cteinsum::Operand`; their elements are `cteinsum::Scalar`. Arrays of ndarray, nalgebra, mdarray and faer need the feature of that name"
)]
#[doc(hidden)]
pub trait OperandOfRank<const N: usize>: Operand {
    /// The list of its `N` axes.
    type Axes: Dims;
    /// What the type knows of the memory.
    #[doc(hidden)]
    type Known: Known;
    /// Which axes of the view these are, if they are not all.
    const PART: Option<Part>;
}

#[diagnostic::do_not_recommend]
impl<const N: usize, X> OperandOfRank<N> for X
where
    X: Operand<Dims: HasRank<N>> + ?Sized,
{
    type Axes = <X::Dims as HasRank<N>>::Axes;
    type Known = <<X::Dims as HasRank<N>>::Itself as Keep>::Kept<OfRank<X, N>>;
    const PART: Option<Part> = <X::Dims as HasRank<N>>::PART;
}

/// An operand that can take `N` labels and `...`: `P` labels before it and `S` behind it.
#[diagnostic::on_unimplemented(
    message = "einsum: the subscripts take an array of rank {N} or more here, by the labels beside `...`, but this is `{Self}`",
    label = "expected an array of rank {N} or more",
    note = "operands are tensors and their views, nested arrays, Vec and slices of elements or of nested arrays (rows of a `Vec<Vec<T>>` lie apart: `Tensor::from_fn` copies them), plain numbers, and types that implement `cteinsum::Operand`; their elements are `cteinsum::Scalar`. Arrays of ndarray, nalgebra, mdarray and faer need the feature of that name. An array whose rank is a parameter of the function is passed as `a.as_dyn()`"
)]
#[doc(hidden)]
pub trait OperandWithEllipsis<const N: usize, const P: usize, const S: usize>: Operand {
    /// The axes before `...`.
    type Before: Dims;
    /// The axes that `...` covers, last axis first.
    type Covered: Dims;
    /// The axes behind `...`, last axis first.
    type Behind: Dims;
    /// What the type knows of the memory.
    #[doc(hidden)]
    type Known: Known;
    /// Which axes of the view all these are, if they are not all that it has.
    const PART: Option<Part>;
}

/// What is left of a list without its first `P` axes, last axis first.
type RestReversed<D, const P: usize> = <<D as HasAtLeast<P>>::Rest as Reverse>::Out;

#[diagnostic::do_not_recommend]
impl<const N: usize, const P: usize, const S: usize, X> OperandWithEllipsis<N, P, S> for X
where
    X: Operand<Dims: HasAtLeast<N> + HasAtLeast<P, Rest: Reverse<Out: HasAtLeast<S>>>> + ?Sized,
{
    type Before = <X::Dims as HasAtLeast<P>>::First;
    type Covered = <RestReversed<X::Dims, P> as HasAtLeast<S>>::Rest;
    type Behind = <RestReversed<X::Dims, P> as HasAtLeast<S>>::First;
    type Known = <Self::Covered as Keep>::Kept<WithEllipsis<X, N, P, S>>;
    const PART: Option<Part> = <X::Dims as Dims>::PART;
}
