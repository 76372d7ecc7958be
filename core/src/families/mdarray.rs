//! The arrays of mdarray: shapes of constant and run-time lengths, and of dynamic rank.
//!
//! All of them lend a `Slice`, which has a pointer to index 0, lengths and strides. Results are stored by rows, in place if
//! all lengths are constants, else in a vector that mdarray takes over.

use core::fmt::Debug;
use std::borrow::Cow;

use mdarray::{Array, DynRank, Layout, Shape, Slice};

use super::strided;
use crate::dims::{AnyRank, Axis, Const, Dims, Dyn};
use crate::error::EinsumError;
use crate::family::{Family, Pending, Results};
use crate::fixed::{FixedStrides, Lengths, Ready};
use crate::operand::{Operand, View, ViewMut};
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::short::Short;
use crate::tensor::{DynTensorView, DynTensorViewMut, TensorView, TensorViewMut};

/// The family of mdarray's arrays. A result of one to six axes is an `Array` whose lengths are constants where the
/// operands' types settle them; with more axes, or if their number is known at run time only, one of dynamic rank.
#[derive(Clone, Copy, Debug)]
pub struct Mdarray;
impl Family for Mdarray {
    type Then<F: Family> = Self;
}

/// A dimension of mdarray: `mdarray::Const` or `usize`.
pub trait Length: mdarray::Dim {
    /// The same for einsum.
    type Axis: Axis;
}
impl<const N: usize> Length for mdarray::Const<N> {
    type Axis = Const<N>;
}
impl Length for usize {
    type Axis = Dyn;
}

/// An axis as mdarray writes it.
pub trait Dimension: Axis {
    /// The dimension.
    type Dim: Length + 'static;
}
impl<const N: usize> Dimension for Const<N> {
    type Dim = mdarray::Const<N>;
}
impl Dimension for Dyn {
    type Dim = usize;
}

/// The shapes: tuples of up to six dimensions, and `DynRank`.
pub trait Axes: Shape + 'static {
    /// The list of axes.
    type List: Dims;
    /// Whether all lengths are constants: then an array has its elements in place.
    const CONSTANT: bool;
    /// A view with as many.
    type View<'a, T: Scalar>: View<Elem = T>
    where
        Self: 'a;
    /// A mutable view with as many.
    type ViewMut<'a, T: Scalar>: ViewMut<Elem = T>
    where
        Self: 'a;
    /// The view of a whole array.
    fn view<T: Scalar, L: Layout>(array: &Slice<T, Self, L>) -> Self::View<'_, T>;
    /// The mutable view of a whole array.
    fn view_mut<T: Scalar, L: Layout>(array: &mut Slice<T, Self, L>) -> Self::ViewMut<'_, T>;
}

macro_rules! fixed_rank {
    ($($rank:literal $six:ident [$($x:ident)*];)*) => {$(
        impl<$($x: Length + 'static),*> Axes for ($($x,)*) {
            type List = fixed_rank!(list $($x)*);
            const CONSTANT: bool = true $(&& $x::SIZE.is_some())*;
            type View<'a, T: Scalar> = TensorView<'a, T, $rank>;
            type ViewMut<'a, T: Scalar> = TensorViewMut<'a, T, $rank>;
            #[inline]
            fn view<T: Scalar, L: Layout>(array: &Slice<T, Self, L>) -> TensorView<'_, T, $rank> {
                let shape = core::array::from_fn(|axis| array.dim(axis));
                let strides = core::array::from_fn(|axis| array.stride(axis));
                // SAFETY: every index of a borrowed `Slice` leads from its pointer over its strides to an initialised
                // element of one allocation, and nobody writes to it.
                unsafe { strided::view(array.as_ptr(), shape, strides) }
            }
            #[inline]
            fn view_mut<T: Scalar, L: Layout>(
                array: &mut Slice<T, Self, L>,
            ) -> TensorViewMut<'_, T, $rank> {
                let shape = core::array::from_fn(|axis| array.dim(axis));
                let strides = core::array::from_fn(|axis| array.stride(axis));
                // SAFETY: as above; a mutably borrowed `Slice` gives out a mutable reference for each index, so that
                // they lead to different elements.
                unsafe { strided::view_mut(array.as_mut_ptr(), shape, strides) }
            }
        }
        fixed_rank!(result $six [$($x)*] $rank);
    )*};
    (list) => { () };
    (list $a:ident $($p:ident)*) => { ($a::Axis, fixed_rank!(list $($p)*)) };
    (axes) => { () };
    (axes $a:ident $($p:ident)*) => { ($a, fixed_rank!(axes $($p)*)) };
    (result element $x:tt $rank:literal) => {};
    (result array [$($x:ident)*] $rank:literal) => {
        impl<T: Scalar, $($x: Dimension),*> Results<T, fixed_rank!(axes $($x)*)> for Mdarray {
            type Out = Array<T, ($($x::Dim,)*)>;
            const IN_PLACE: Option<FixedStrides<'static>> = Some(FixedStrides::RowMajor);
            #[inline]
            fn in_place(ready: impl Ready<T>) -> Self::Out {
                in_place::<T, ($($x::Dim,)*)>(ready, const { &<fixed_rank!(axes $($x)*) as Dims>::LENGTHS })
            }
            fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
                compute::<T, ($($x::Dim,)*), $rank>(pending)
            }
        }
    };
}
fixed_rank! {
    0 element [];
    1 array [A];
    2 array [A B];
    3 array [A B C];
    4 array [A B C D];
    5 array [A B C D E];
    6 array [A B C D E F];
}

impl Axes for DynRank {
    type List = AnyRank;
    const CONSTANT: bool = false;
    type View<'a, T: Scalar> = DynTensorView<'a, T>;
    type ViewMut<'a, T: Scalar> = DynTensorViewMut<'a, T>;
    fn view<T: Scalar, L: Layout>(array: &Slice<T, Self, L>) -> DynTensorView<'_, T> {
        let strides = dyn_strides(array);
        let shape = array.dims();
        // SAFETY: every index of a borrowed `Slice` leads from its pointer over its strides to an initialised element of
        // one allocation, and nobody writes to it.
        unsafe { strided::dyn_view(array.as_ptr(), shape, &strides) }
    }
    fn view_mut<T: Scalar, L: Layout>(array: &mut Slice<T, Self, L>) -> DynTensorViewMut<'_, T> {
        let strides = dyn_strides(array);
        let pointer = array.as_mut_ptr();
        let shape = array.dims();
        // SAFETY: as above; a mutably borrowed `Slice` gives out a mutable reference for each index, so that they lead to
        // different elements.
        unsafe { strided::dyn_view_mut(pointer, shape, &strides) }
    }
}

fn dyn_strides<T, L: Layout>(array: &Slice<T, DynRank, L>) -> Short<isize> {
    let mut strides = Short::zeroed(array.rank());
    for (axis, stride) in strides.iter_mut().enumerate() {
        *stride = array.stride(axis);
    }
    strides
}

/// Dense arrays are stored by rows.
const fn dense(dense: bool) -> Option<FixedStrides<'static>> {
    if dense {
        Some(FixedStrides::RowMajor)
    } else {
        None
    }
}

macro_rules! operands {
    ($([$($generics:tt)*] $array:ty, $dense:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, S: Axes, $($generics)*> Operand for $array {
            type Elem = T;
            type Dims = S::List;
            type Family = Mdarray;
            type View<'v>
                = S::View<'v, T>
            where
                Self: 'v;
            const STRIDES: Option<FixedStrides<'static>> = dense($dense);
            #[inline]
            fn operand_view(&self) -> S::View<'_, T> {
                S::view(self)
            }
        }
    )*};
}

macro_rules! outputs {
    ($([$($generics:tt)*] $array:ty, $dense:expr;)*) => {$(
        operands!([$($generics)*] $array, $dense;);
        #[diagnostic::do_not_recommend]
        impl<T: Scalar, S: Axes, $($generics)*> OperandMut for $array {
            type Elem = T;
            type Dims = S::List;
            type ViewMut<'v>
                = S::ViewMut<'v, T>
            where
                Self: 'v;
            const STRIDES: Option<FixedStrides<'static>> = dense($dense);
            #[inline]
            fn operand_view_mut(&mut self) -> S::ViewMut<'_, T> {
                S::view_mut(self)
            }
        }
    )*};
}

operands! {
    [L: Layout] mdarray::View<'_, T, S, L>, L::IS_DENSE;
}
outputs! {
    [] Array<T, S>, true;
    [L: Layout] mdarray::ViewMut<'_, T, S, L>, L::IS_DENSE;
    [L: Layout] Slice<T, S, L>, L::IS_DENSE;
}

/// # Errors
/// If mdarray cannot hold the shape: it has no elements, but some of its lengths multiply to more than a `usize`.
fn array<T: Scalar, S: Axes>(
    subscripts: Cow<'static, str>,
    shape: &[usize],
    elements: Vec<T>,
) -> Result<Array<T, S>, EinsumError> {
    match shape.iter().try_fold(1usize, |n, &len| n.checked_mul(len)) {
        Some(_) => Ok(Array::from(elements).into_shape(S::from_dims(shape))),
        None => Err(EinsumError::TooLarge {
            subscripts,
            shape: shape.to_vec(),
        }),
    }
}

fn compute<T: Scalar, S: Axes, const N: usize>(
    mut pending: Pending<'_, T>,
) -> Result<Array<T, S>, EinsumError> {
    if S::CONSTANT {
        let shape: [usize; N] = pending.shape()?;
        let mut out = Array::from_elem(S::from_dims(&shape), T::ZERO);
        pending.write(S::view_mut(&mut out))?;
        return Ok(out);
    }
    let subscripts = pending.terms[0].plan.text();
    let (shape, elements) = pending.row_major::<N>()?;
    array(subscripts, &shape, elements)
}

/// The result of a call whose lengths are all constants.
#[inline(always)]
fn in_place<T: Scalar, S: Axes>(ready: impl Ready<T>, lengths: &Lengths) -> Array<T, S> {
    let mut out = Array::from_elem(S::from_dims(lengths.as_slice()), T::ZERO);
    // SAFETY: an `Array` is dense: its elements, as many as the lengths say, lie in row-major order.
    unsafe { ready.write(out.as_mut_ptr()) };
    out
}

fn dynamic<T: Scalar>(pending: Pending<'_, T>) -> Result<Array<T, DynRank>, EinsumError> {
    let subscripts = pending.terms[0].plan.text();
    let tensor = pending.tensor()?;
    let shape = tensor.shape().to_vec();
    array(subscripts, &shape, tensor.into_vec())
}

/// More axes than a shape of mdarray names.
type Seven<A, B, C, D, E, F, G, Rest> = (A, (B, (C, (D, (E, (F, (G, Rest)))))));
impl<T: Scalar, A, B, C, D, E, F, G, Rest> Results<T, Seven<A, B, C, D, E, F, G, Rest>>
    for Mdarray
{
    type Out = Array<T, DynRank>;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        dynamic(pending)
    }
}

impl<T: Scalar> Results<T, AnyRank> for Mdarray {
    type Out = Array<T, DynRank>;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        dynamic(pending)
    }
}
