//! The arrays of ndarray.
//!
//! An array hands out its pointer to index 0, its shape and its strides in elements, which is all that a view is.
//! Results are made of a vector in row-major order, which ndarray takes over.

use core::fmt::Debug;
use std::borrow::Cow;

use ndarray::{
    Array, ArrayBase, ArrayD, ArrayRef, Data, DataMut, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5,
    Ix6, IxDyn,
};

use crate::dims::{self, AnyRank, Axis, Dims};
use crate::error::EinsumError;
use crate::family::{Family, Pending, Results};
use crate::operand::{Operand, View, ViewMut};
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{DynTensorView, DynTensorViewMut, TensorView, TensorViewMut};

/// The family of ndarray's arrays. Results of one to six axes are `Array1` to `Array6`; with more of them, or if their
/// number is known at run time only, `ArrayD`.
#[derive(Clone, Copy, Debug)]
pub struct Ndarray;
impl Family for Ndarray {
    type Then<F: Family> = Self;
}

/// The dimension types: `Ix0` to `Ix6` and `IxDyn`.
pub trait Axes: Dimension + 'static {
    /// The list of axes.
    type List: Dims;
    /// A view with as many.
    type View<'a, T: Scalar>: View<Elem = T>
    where
        Self: 'a;
    /// A mutable view with as many.
    type ViewMut<'a, T: Scalar>: ViewMut<Elem = T>
    where
        Self: 'a;
    /// The view of a whole array.
    fn view<T: Scalar>(array: &ArrayRef<T, Self>) -> Self::View<'_, T>;
    /// The mutable view of a whole array.
    fn view_mut<T: Scalar>(array: &mut ArrayRef<T, Self>) -> Self::ViewMut<'_, T>;
}

macro_rules! fixed_rank {
    ($($rank:literal $dimension:ty),*) => {$(
        impl Axes for $dimension {
            type List = <dims::Rank<$rank> as dims::Axes>::List;
            type View<'a, T: Scalar> = TensorView<'a, T, $rank>;
            type ViewMut<'a, T: Scalar> = TensorViewMut<'a, T, $rank>;
            #[inline]
            fn view<T: Scalar>(array: &ArrayRef<T, Self>) -> TensorView<'_, T, $rank> {
                let (shape, strides) = layout(array);
                // SAFETY: every index of a borrowed `ArrayRef` leads from `as_ptr` over its strides to an initialised
                // element of one allocation, the product of its lengths fits `isize`, and nobody writes to it.
                unsafe { TensorView::from_raw_parts(array.as_ptr(), shape, strides) }
            }
            #[inline]
            fn view_mut<T: Scalar>(array: &mut ArrayRef<T, Self>) -> TensorViewMut<'_, T, $rank> {
                let (shape, strides) = layout(array);
                // SAFETY: as above; a mutably borrowed `ArrayRef` is unshared, and its indices lead to different
                // elements, as each of them gives out a mutable reference.
                unsafe { TensorViewMut::from_raw_parts(array.as_mut_ptr(), shape, strides) }
            }
        }
    )*};
}
fixed_rank!(0 Ix0, 1 Ix1, 2 Ix2, 3 Ix3, 4 Ix4, 5 Ix5, 6 Ix6);

fn layout<T, D: Dimension, const N: usize>(array: &ArrayRef<T, D>) -> ([usize; N], [isize; N]) {
    let (mut shape, mut strides) = ([0; N], [0; N]);
    shape.copy_from_slice(array.shape());
    strides.copy_from_slice(array.strides());
    (shape, strides)
}

impl Axes for IxDyn {
    type List = AnyRank;
    type View<'a, T: Scalar> = DynTensorView<'a, T>;
    type ViewMut<'a, T: Scalar> = DynTensorViewMut<'a, T>;
    fn view<T: Scalar>(array: &ArrayRef<T, Self>) -> DynTensorView<'_, T> {
        // SAFETY: every index of a borrowed `ArrayRef` leads from `as_ptr` over its strides to an initialised element
        // of one allocation, the product of its lengths fits `isize`, and nobody writes to it.
        unsafe { DynTensorView::from_raw_parts(array.as_ptr(), array.shape(), array.strides()) }
    }
    fn view_mut<T: Scalar>(array: &mut ArrayRef<T, Self>) -> DynTensorViewMut<'_, T> {
        let pointer = array.as_mut_ptr();
        // SAFETY: as above; a mutably borrowed `ArrayRef` is unshared, and its indices lead to different elements, as
        // each of them gives out a mutable reference.
        unsafe { DynTensorViewMut::from_raw_parts(pointer, array.shape(), array.strides()) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, D: Axes> Operand for ArrayRef<T, D> {
    type Elem = T;
    type Dims = D::List;
    type Family = Ndarray;
    type View<'a> = D::View<'a, T>;
    #[inline]
    fn operand_view(&self) -> D::View<'_, T> {
        D::view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, D: Axes> OperandMut for ArrayRef<T, D> {
    type Elem = T;
    type Dims = D::List;
    type ViewMut<'a> = D::ViewMut<'a, T>;
    #[inline]
    fn operand_view_mut(&mut self) -> D::ViewMut<'_, T> {
        D::view_mut(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, S: Data<Elem = T>, D: Axes> Operand for ArrayBase<S, D> {
    type Elem = T;
    type Dims = D::List;
    type Family = Ndarray;
    type View<'a>
        = D::View<'a, T>
    where
        Self: 'a;
    #[inline]
    fn operand_view(&self) -> D::View<'_, T> {
        D::view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, S: DataMut<Elem = T>, D: Axes> OperandMut for ArrayBase<S, D> {
    type Elem = T;
    type Dims = D::List;
    type ViewMut<'a>
        = D::ViewMut<'a, T>
    where
        Self: 'a;
    #[inline]
    fn operand_view_mut(&mut self) -> D::ViewMut<'_, T> {
        D::view_mut(self)
    }
}

/// The array of a shape and its elements in row-major order, for what einsum that is known.
///
/// # Errors
/// If ndarray cannot hold the shape: it has no elements, but its other lengths multiply to more than an `isize`.
fn array<T: Scalar, D: Dimension>(
    subscripts: Cow<'static, str>,
    shape: D,
    elements: Vec<T>,
) -> Result<Array<T, D>, EinsumError> {
    let lengths = shape.slice().to_vec();
    Array::from_shape_vec(shape, elements).map_err(|_| EinsumError::TooLarge {
        subscripts,
        shape: lengths,
    })
}

macro_rules! results {
    ($($rank:literal $dimension:ident [$($axis:ident)*];)*) => {$(
        impl<T: Scalar, $($axis: Axis),*> Results<T, results!(list $($axis)*)> for Ndarray {
            type Out = Array<T, $dimension>;
            fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
                let subscripts = pending.terms[0].plan.text();
                let (shape, elements) = pending.row_major::<$rank>()?;
                array(subscripts, ndarray::Dim(shape), elements)
            }
        }
    )*};
    (list) => { () };
    (list $a:ident $($p:ident)*) => { ($a, results!(list $($p)*)) };
}
results! {
    1 Ix1 [A];
    2 Ix2 [A B];
    3 Ix3 [A B C];
    4 Ix4 [A B C D];
    5 Ix5 [A B C D E];
    6 Ix6 [A B C D E F];
}

fn dynamic<T: Scalar>(pending: Pending<'_, T>) -> Result<ArrayD<T>, EinsumError> {
    let subscripts = pending.terms[0].plan.text();
    let tensor = pending.tensor()?;
    let shape = IxDyn(tensor.shape());
    array(subscripts, shape, tensor.into_vec())
}

/// More axes than `Ix6` has.
type Seven<A, B, C, D, E, F, G, Rest> = (A, (B, (C, (D, (E, (F, (G, Rest)))))));
impl<T: Scalar, A, B, C, D, E, F, G, Rest> Results<T, Seven<A, B, C, D, E, F, G, Rest>>
    for Ndarray
{
    type Out = ArrayD<T>;
    fn compute(pending: Pending<'_, T>) -> Result<ArrayD<T>, EinsumError> {
        dynamic(pending)
    }
}

impl<T: Scalar> Results<T, AnyRank> for Ndarray {
    type Out = ArrayD<T>;
    fn compute(pending: Pending<'_, T>) -> Result<ArrayD<T>, EinsumError> {
        dynamic(pending)
    }
}
