//! What may stand behind `out =`: anything with elements that can be written.

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::dims::{AnyRank, Axes, Rank};
use crate::dims::{Dims, HasRank, Keep, Part, SameRank};
use crate::fixed::{FixedStrides, Known, OutLike, OutOfRank};
use crate::operand::ViewMut;
use crate::scalar::Scalar;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::tensor::{DynTensor, DynTensorViewMut, Tensor, TensorViewMut};

/// An array that einsum can write into. Implement it for an array type of your own to pass it as `out =`.
#[diagnostic::on_unimplemented(
    message = "einsum: `{Self}` is not an array that einsum can write into",
    label = "not an output",
    note = "an output is a mutable Tensor, a mutable view, a number, or a type that implements `cteinsum::OperandMut`"
)]
pub trait OperandMut {
    /// The element type.
    type Elem: Scalar;
    /// The axes as a type: `<Rank<N> as Axes>::List`, or [`AnyRank`].
    type Dims: Dims;
    /// The mutably borrowed view.
    type ViewMut<'a>: ViewMut<Elem = Self::Elem>
    where
        Self: 'a;
    /// Where the elements lie, as [`Operand::STRIDES`](crate::Operand::STRIDES).
    const STRIDES: Option<FixedStrides<'static>> = None;
    /// Borrows the array mutably.
    fn operand_view_mut(&mut self) -> Self::ViewMut<'_>;
}

#[diagnostic::do_not_recommend]
impl<X: OperandMut + ?Sized> OperandMut for &mut X {
    type Elem = X::Elem;
    type Dims = X::Dims;
    type ViewMut<'a>
        = X::ViewMut<'a>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = X::STRIDES;
    #[inline]
    fn operand_view_mut(&mut self) -> X::ViewMut<'_> {
        (**self).operand_view_mut()
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
#[diagnostic::do_not_recommend]
impl<X: OperandMut + ?Sized> OperandMut for Box<X> {
    type Elem = X::Elem;
    type Dims = X::Dims;
    type ViewMut<'a>
        = X::ViewMut<'a>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = X::STRIDES;
    #[inline]
    fn operand_view_mut(&mut self) -> X::ViewMut<'_> {
        (**self).operand_view_mut()
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
macro_rules! outputs {
    ($($name:ty),*) => {$(
        impl<T: Scalar, const N: usize> OperandMut for $name
        where
            Rank<N>: Axes,
        {
            type Elem = T;
            type Dims = <Rank<N> as Axes>::List;
            type ViewMut<'v>
                = TensorViewMut<'v, T, N>
            where
                Self: 'v;
            #[inline]
            fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, N> {
                self.view_mut()
            }
        }
    )*};
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
macro_rules! dyn_outputs {
    ($($name:ty),*) => {$(
        impl<T: Scalar> OperandMut for $name {
            type Elem = T;
            type Dims = AnyRank;
            type ViewMut<'v>
                = DynTensorViewMut<'v, T>
            where
                Self: 'v;
            #[inline]
            fn operand_view_mut(&mut self) -> DynTensorViewMut<'_, T> {
                self.view_mut()
            }
        }
    )*};
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
outputs!(Tensor<T, N>, TensorViewMut<'_, T, N>);
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
dyn_outputs!(DynTensor<T>, DynTensorViewMut<'_, T>);

/// An output with the axes of an output term of `N` labels.
#[diagnostic::on_unimplemented(
    message = "einsum: the output term is that of an array of rank {N}, one axis a label, but `out` is `{Self}`",
    label = "expected an array of rank {N}"
)]
#[doc(hidden)]
pub trait OutputOfRank<const N: usize>: OperandMut {
    /// The list of its `N` axes.
    type Axes: Dims;
    /// What the type knows of the memory.
    #[doc(hidden)]
    type Known: Known;
    /// Which axes of the view these are, if they are not all.
    const PART: Option<Part>;
}
#[diagnostic::do_not_recommend]
impl<const N: usize, X: OperandMut<Dims: HasRank<N>> + ?Sized> OutputOfRank<N> for X {
    type Axes = <X::Dims as HasRank<N>>::Axes;
    type Known = <<X::Dims as HasRank<N>>::Itself as Keep>::Kept<OutOfRank<X, N>>;
    const PART: Option<Part> = <X::Dims as HasRank<N>>::PART;
}

/// An output with as many axes as the list `L`, those of an output term with `...`.
#[diagnostic::on_unimplemented(
    message = "einsum: `out` is a `{Self}`, which does not have the axes of the output term",
    label = "`out` needs as many axes as the result"
)]
#[doc(hidden)]
pub trait OutputLike<L>: OperandMut {
    /// The list of its axes.
    type Axes: Dims;
    /// What the type knows of the memory.
    #[doc(hidden)]
    type Known: Known;
    /// Which axes of the view these are, if they are not all.
    const PART: Option<Part>;
}
#[diagnostic::do_not_recommend]
impl<L, X: OperandMut<Dims: SameRank<L>> + ?Sized> OutputLike<L> for X {
    type Axes = <X::Dims as SameRank<L>>::Axes;
    type Known = <<X::Dims as SameRank<L>>::Axes as Keep>::Kept<OutLike<X, L>>;
    const PART: Option<Part> = <X::Dims as Dims>::PART;
}
