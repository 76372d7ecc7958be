//! The matrices, columns and rows of faer.
//!
//! Its views hand out a pointer to index 0 and strides in elements, of any sign, 0 included. A matrix of its own pads the
//! columns, so a result is made first and written into afterwards.

use core::fmt::Debug;

use faer::{Col, ColMut, ColRef, Mat, MatMut, MatRef, Row, RowMut, RowRef, Shape, Stride};

use super::strided;
use crate::dims::{Axis, Dyn};
use crate::error::EinsumError;
use crate::family::{Family, Pending, Results};
use crate::operand::Operand;
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{TensorView, TensorViewMut};

/// The family of faer's matrices. A result of one axis is a `Col`, one of two axes a `Mat`; results of more are tensors.
#[derive(Clone, Copy, Debug)]
pub struct Faer;
impl Family for Faer {
    type Then<F: Family> = Self;
}

/// One axis with these methods for its length and stride, or two.
macro_rules! layout {
    ($array:ident: $(($len:ident $stride:ident))*) => {
        ([$($array.$len().unbound()),*], [$(layout!(stride $array.$stride())),*])
    };
    (stride $stride:expr) => { $stride.element_stride() };
}

macro_rules! operands {
    ($rank:literal, $dims:ty, $axes:tt: $([$($generics:tt)*] $array:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $($generics)*> Operand for $array {
            type Elem = T;
            type Dims = $dims;
            type Family = Faer;
            type View<'v>
                = TensorView<'v, T, $rank>
            where
                Self: 'v;
            #[inline]
            fn operand_view(&self) -> TensorView<'_, T, $rank> {
                let (shape, strides) = operands!(layout self $axes);
                // SAFETY: every index of a borrowed array of faer leads from its pointer over its strides to an
                // initialised element of one allocation, and nobody writes to it.
                unsafe { strided::view(self.as_ptr(), shape, strides) }
            }
        }
    )*};
    (layout $array:ident [$($axis:tt)*]) => { layout!($array: $($axis)*) };
}

macro_rules! outputs {
    ($rank:literal, $dims:ty, $axes:tt: $([$($generics:tt)*] $array:ty;)*) => {$(
        operands!($rank, $dims, $axes: [$($generics)*] $array;);
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, $($generics)*> OperandMut for $array {
            type Elem = T;
            type Dims = $dims;
            type ViewMut<'v>
                = TensorViewMut<'v, T, $rank>
            where
                Self: 'v;
            #[inline]
            fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, $rank> {
                let (shape, strides) = operands!(layout self $axes);
                // SAFETY: as for reading; the array has its elements for itself, is borrowed mutably, and gives out a
                // mutable reference for each index, so that they lead to different elements.
                unsafe { strided::view_mut(self.as_ptr_mut(), shape, strides) }
            }
        }
    )*};
}

operands! { 2, (Dyn, (Dyn, ())), [(nrows row_stride)(ncols col_stride)]:
    [R: Shape, C: Shape, RS: Stride, CS: Stride] MatRef<'_, T, R, C, RS, CS>;
}
outputs! { 2, (Dyn, (Dyn, ())), [(nrows row_stride)(ncols col_stride)]:
    [R: Shape, C: Shape] Mat<T, R, C>;
    [R: Shape, C: Shape, RS: Stride, CS: Stride] MatMut<'_, T, R, C, RS, CS>;
}
operands! { 1, (Dyn, ()), [(nrows row_stride)]:
    [R: Shape, RS: Stride] ColRef<'_, T, R, RS>;
}
outputs! { 1, (Dyn, ()), [(nrows row_stride)]:
    [R: Shape] Col<T, R>;
    [R: Shape, RS: Stride] ColMut<'_, T, R, RS>;
}
operands! { 1, (Dyn, ()), [(ncols col_stride)]:
    [C: Shape, CS: Stride] RowRef<'_, T, C, CS>;
}
outputs! { 1, (Dyn, ()), [(ncols col_stride)]:
    [C: Shape] Row<T, C>;
    [C: Shape, CS: Stride] RowMut<'_, T, C, CS>;
}

impl<T: Scalar, A: Axis> Results<T, (A, ())> for Faer {
    type Out = Col<T>;
    fn compute(mut pending: Pending<'_, T>) -> Result<Col<T>, EinsumError> {
        let [rows] = pending.shape()?;
        let mut out = Col::from_fn(rows, |_| T::ZERO);
        pending.write(out.operand_view_mut())?;
        Ok(out)
    }
}
impl<T: Scalar, A: Axis, B: Axis> Results<T, (A, (B, ()))> for Faer {
    type Out = Mat<T>;
    fn compute(mut pending: Pending<'_, T>) -> Result<Mat<T>, EinsumError> {
        let [rows, columns] = pending.shape()?;
        let mut out = Mat::from_fn(rows, columns, |_, _| T::ZERO);
        pending.write(out.operand_view_mut())?;
        Ok(out)
    }
}
crate::tensor_results!(Faer: 3.., dyn);
