//! Nested arrays `[[T; M]; N]`, whose lengths are all constants; `Vec` and slices of elements and of nested arrays.

use crate::dims::{Axis, Const, Dyn};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::error::EinsumError;
use crate::family::{Family, NoFamily, Results};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::family::{Pending, Tensors};
use crate::fixed::{FixedStrides, Ready};
use crate::operand::Operand;
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{TensorView, TensorViewMut};

/// The family of nested arrays. A result is an array if all its lengths are constants, else a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Arrays;
impl Family for Arrays {
    type Then<F: Family> = Self;
}

/// A list of constant axes as a nested array.
pub trait Nest<T: Scalar>: Sized {
    /// [`Nested`] if all axes are constants, else [`NotConstant`].
    type Kind;
}
/// The nested array of a list of constant axes, and how it is made.
#[derive(Debug)]
pub struct Nested<X>(X);
/// What a list with an axis of run-time length is.
#[derive(Debug)]
pub struct NotConstant;

impl<T: Scalar> Nest<T> for () {
    type Kind = Nested<T>;
}
impl<T: Scalar, const N: usize, R: Nest<T, Kind: Wrap>> Nest<T> for (Const<N>, R) {
    type Kind = <R::Kind as Wrap>::With<N>;
}
impl<T: Scalar, R> Nest<T> for (Dyn, R) {
    type Kind = NotConstant;
}

/// One more axis outside.
pub trait Wrap {
    /// With an axis of length `N` outside.
    type With<const N: usize>: Wrap;
}
impl<X> Wrap for Nested<X> {
    type With<const N: usize> = Nested<[X; N]>;
}
impl Wrap for NotConstant {
    type With<const N: usize> = NotConstant;
}

/// What a result is, by what its list of axes is as an array.
pub trait Make<T: Scalar, D> {
    /// The array or tensor.
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
    fn make(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError>;
}
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
impl<T: Scalar, D> Make<T, D> for NotConstant
where
    Tensors: Results<T, D>,
{
    type Out = <Tensors as Results<T, D>>::Out;
    const IN_PLACE: Option<FixedStrides<'static>> = None;
    fn in_place(ready: impl Ready<T>) -> Self::Out {
        Tensors::in_place(ready)
    }
    fn make(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        Tensors::compute(pending)
    }
}

/// Each rank of nested arrays: as an operand, as `out =`, and as a result. The axes are given from the first to the
/// last, so that the array is `[[T; last]; first]`.
macro_rules! arrays {
    ($($rank:literal: $($axis:ident $any:ident)*;)*) => {$(
        arrays!(@ $rank [$($axis)*] [$($any)*] arrays!(type $($axis)*), arrays!(dims $($axis)*), arrays!(any $($any)*));
    )*};
    (@ $rank:literal [$($axis:ident)*] [$($any:ident)*] $array:ty, $dims:ty, $list:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $axis: usize),*> Operand for $array {
            type Elem = T;
            type Dims = $dims;
            type Family = Arrays;
            type View<'a> = TensorView<'a, T, $rank>;
            const STRIDES: Option<FixedStrides<'static>> = Some(FixedStrides::RowMajor);
            #[inline]
            fn operand_view(&self) -> TensorView<'_, T, $rank> {
                // SAFETY: a nested array of this shape, borrowed as long as the view.
                unsafe { TensorView::of_array(core::ptr::from_ref(self).cast(), [$($axis),*]) }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $axis: usize),*> OperandMut for $array {
            type Elem = T;
            type Dims = $dims;
            type ViewMut<'a> = TensorViewMut<'a, T, $rank>;
            const STRIDES: Option<FixedStrides<'static>> = Some(FixedStrides::RowMajor);
            #[inline]
            fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, $rank> {
                // SAFETY: a nested array of this shape, borrowed mutably as long as the view.
                unsafe { TensorViewMut::of_array(core::ptr::from_mut(self).cast(), [$($axis),*]) }
            }
        }

        impl<T: Scalar, D, $(const $axis: usize),*> Make<T, D> for Nested<$array> {
            type Out = $array;
            const IN_PLACE: Option<FixedStrides<'static>> = Some(FixedStrides::RowMajor);
            #[inline]
            fn in_place(ready: impl Ready<T>) -> $array {
                // SAFETY: a nested array is its elements in row-major order.
                unsafe { ready.make() }
            }
            #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
            #[inline]
            fn make(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
                let mut out = arrays!(zeros $($axis)*);
                pending.write(out.operand_view_mut())?;
                Ok(out)
            }
        }

        impl<T: Scalar, $($any: Axis),*> Results<T, $list> for Arrays
        where
            $list: Nest<T, Kind: Make<T, $list>>,
        {
            type Out = <<$list as Nest<T>>::Kind as Make<T, $list>>::Out;
            const IN_PLACE: Option<FixedStrides<'static>> = <<$list as Nest<T>>::Kind as Make<T, $list>>::IN_PLACE;
            #[inline]
            fn in_place(ready: impl Ready<T>) -> Self::Out {
                <<$list as Nest<T>>::Kind as Make<T, $list>>::in_place(ready)
            }
            #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
            #[inline]
            fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
                <<$list as Nest<T>>::Kind as Make<T, $list>>::make(pending)
            }
        }
    };
    (type) => { T };
    (type $n:ident $($axis:ident)*) => { [arrays!(type $($axis)*); $n] };
    (dims) => { () };
    (dims $n:ident $($axis:ident)*) => { (Const<$n>, arrays!(dims $($axis)*)) };
    (any) => { () };
    (any $a:ident $($any:ident)*) => { ($a, arrays!(any $($any)*)) };
    (zeros) => { T::ZERO };
    (zeros $n:ident $($axis:ident)*) => { [arrays!(zeros $($axis)*); $n] };
}
arrays! {
    1: N0 A0;
    2: N0 A0 N1 A1;
    3: N0 A0 N1 A1 N2 A2;
    4: N0 A0 N1 A1 N2 A2 N3 A3;
    5: N0 A0 N1 A1 N2 A2 N3 A3 N4 A4;
    6: N0 A0 N1 A1 N2 A2 N3 A3 N4 A4 N5 A5;
}
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
crate::tensor_results!(Arrays: 7.., dyn);

/// `Vec`s and slices: of elements, and of nested arrays, whose elements are one block too.
macro_rules! lists {
    ($($list:ty: $rank:literal [$($axis:ident)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $axis: usize),*> Operand for $list {
            type Elem = T;
            type Dims = (Dyn, arrays!(dims $($axis)*));
            type Family = NoFamily;
            type View<'a> = TensorView<'a, T, $rank>;
            #[inline]
            fn operand_view(&self) -> TensorView<'_, T, $rank> {
                TensorView::from_slice([self.len(), $($axis),*], lists!(flat as_flattened (self) $($axis)*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $(const $axis: usize),*> OperandMut for $list {
            type Elem = T;
            type Dims = (Dyn, arrays!(dims $($axis)*));
            type ViewMut<'a> = TensorViewMut<'a, T, $rank>;
            #[inline]
            fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, $rank> {
                TensorViewMut::from_slice([self.len(), $($axis),*], lists!(flat as_flattened_mut (self) $($axis)*))
            }
        }
    )*};
    (flat $flatten:ident ($list:expr)) => { $list };
    (flat $flatten:ident ($list:expr) $n:ident $($axis:ident)*) => {
        lists!(flat $flatten ($list.$flatten()) $($axis)*)
    };
}
lists! {
    [T]: 1 [];
    [[T; N]]: 2 [N];
    [[[T; M]; N]]: 3 [N M];
}
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
lists! {
    Vec<T>: 1 [];
    Vec<[T; N]>: 2 [N];
    Vec<[[T; M]; N]>: 3 [N M];
}

/// Lists of `Vec`s are no operands: their rows lie apart. What these impls would be if they held says of such an operand
/// what its elements are, so that nothing but the operand itself is reported.
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod rows {
    use super::{Const, Dyn, NoFamily, Operand, Scalar, TensorView};

    /// Nothing is.
    pub trait OneBlock {}

    macro_rules! rows {
        ($($list:ty: $axis:ty $(, $n:ident)?;)*) => {$(
            #[diagnostic::do_not_recommend]
            #[doc(hidden)]
            impl<T: Scalar $(, const $n: usize)?> Operand for $list
            where
                $list: OneBlock,
            {
                type Elem = T;
                type Dims = ($axis, (Dyn, ()));
                type Family = NoFamily;
                type View<'a> = TensorView<'a, T, 2>;
                fn operand_view(&self) -> TensorView<'_, T, 2> {
                    unreachable!("nothing is `OneBlock`")
                }
            }
        )*};
    }
    rows! {
        Vec<Vec<T>>: Dyn;
        [Vec<T>]: Dyn;
        [Vec<T>; N]: Const<N>, N;
    }
}
