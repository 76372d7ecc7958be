//! The matrices and vectors of nalgebra.
//!
//! A vector is a matrix of one column there: one type, to which einsum can give one label or two ([`Lines`]). Lengths
//! that the type knows are constants for einsum as well.

use core::fmt::Debug;
use core::marker::PhantomData;

use nalgebra::{
    ArrayStorage, DMatrix, DVector, Dim, Matrix, RawStorageMut, SMatrix, Storage, VecStorage,
};

use super::strided;
use crate::dims::{Axis, Const, Dims, Dyn, HasAtLeast, HasRank, Part, ReverseOnto, SameRank};
use crate::error::EinsumError;
use crate::family::{Family, Pending, Results};
use crate::fixed::{FixedStrides, Ready};
use crate::operand::Operand;
use crate::output::OperandMut;
use crate::scalar::Scalar;
use crate::tensor::{TensorView, TensorViewMut};

/// The family of nalgebra's matrices. A result of one axis is a vector, one of two axes a matrix; each length is static
/// where the operands' types settle it, else dynamic. Results of more axes are tensors.
#[derive(Clone, Copy, Debug)]
pub struct Nalgebra;
impl Family for Nalgebra {
    type Then<F: Family> = Self;
}

/// A dimension of nalgebra: `nalgebra::Const` or `nalgebra::Dyn`.
pub trait Length: Dim {
    /// The same for einsum.
    type Axis: Axis;
}
impl<const N: usize> Length for nalgebra::Const<N> {
    type Axis = Const<N>;
}
impl Length for nalgebra::Dyn {
    type Axis = Dyn;
}

/// The axes of a matrix with `R` rows and `C` columns. Two labels stand for both; one stands for the rows if the type says
/// that there is one column, and for the columns of a row vector.
///
/// Beside `...` a column is a vector and everything else a matrix. For that the number of columns must be dynamic or a
/// number up to 64 (a type cannot tell a generic number from 1).
#[derive(Clone, Copy, Debug)]
pub struct Lines<R, C>(PhantomData<(R, C)>);
impl<R: Axis, C: Axis> Dims for Lines<R, C> {
    const NEW: Self = Lines(PhantomData);
    const PART: Option<Part> = match C::LEN {
        Some(1) => COLUMN,
        _ => None,
    };
}

impl<R: Axis, C: Axis> HasRank<2> for Lines<R, C> {
    type Axes = (R, (C, ()));
    type Itself = Self;
}
impl<R: Axis> HasRank<1> for Lines<R, Const<1>> {
    type Axes = (R, ());
    type Itself = Self;
    const PART: Option<Part> = COLUMN;
}
impl HasRank<1> for Lines<Const<1>, Dyn> {
    type Axes = (Dyn, ());
    type Itself = Self;
    const PART: Option<Part> = ROW;
}
const COLUMN: Option<Part> = Some(Part { first: 0, count: 1 });
const ROW: Option<Part> = Some(Part { first: 1, count: 1 });

/// A number of columns that is known to be 1 or not to be 1.
pub trait Columns: Axis {
    /// The axes of a matrix with so many columns.
    type Axes<R: Axis>: Dims;
}
impl Columns for Const<1> {
    type Axes<R: Axis> = (R, ());
}
impl Columns for Dyn {
    type Axes<R: Axis> = (R, (Self, ()));
}

impl<R: Axis, C: Columns<Axes<R>: HasAtLeast<1>>> HasAtLeast<1> for Lines<R, C> {
    type First = <C::Axes<R> as HasAtLeast<1>>::First;
    type Rest = <C::Axes<R> as HasAtLeast<1>>::Rest;
}
impl<R: Axis, C: Columns<Axes<R>: HasAtLeast<2>>> HasAtLeast<2> for Lines<R, C> {
    type First = <C::Axes<R> as HasAtLeast<2>>::First;
    type Rest = <C::Axes<R> as HasAtLeast<2>>::Rest;
}
impl<T, R: Axis, C: Columns<Axes<R>: ReverseOnto<T>>> ReverseOnto<T> for Lines<R, C> {
    type Out = <C::Axes<R> as ReverseOnto<T>>::Out;
}
impl<L, R: Axis, C: Columns<Axes<R>: SameRank<L>>> SameRank<L> for Lines<R, C> {
    type Axes = C::Axes<R>;
}

macro_rules! columns {
    ($($n:literal)*) => {$(
        impl Columns for Const<$n> {
            type Axes<R: Axis> = (R, (Self, ()));
        }
        impl HasRank<1> for Lines<Const<1>, Const<$n>> {
            type Axes = (Const<$n>, ());
            type Itself = Self;
            const PART: Option<Part> = ROW;
        }
    )*};
}
columns!(0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
    41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64);

/// As einsum counts: the strides of nalgebra are not negative, and fit wherever they matter.
fn layout<T, R: Dim, C: Dim, S: nalgebra::RawStorage<T, R, C>>(
    matrix: &Matrix<T, R, C, S>,
) -> ([usize; 2], [isize; 2]) {
    let ((rows, columns), (row, column)) = (matrix.shape(), matrix.strides());
    ([rows, columns], [row as isize, column as isize])
}

/// The strides that a storage knows while compiling.
const fn strides<R: Length, C: Length>() -> Option<FixedStrides<'static>> {
    match const { (R::Axis::LEN, C::Axis::LEN) } {
        (Some(_), Some(_)) => Some(FixedStrides::Given(const { &[known::<R>(), known::<C>()] })),
        _ => None,
    }
}

const fn known<S: Length>() -> isize {
    match S::Axis::LEN {
        Some(stride) => stride as isize,
        None => 0,
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, R: Length, C: Length, S> Operand for Matrix<T, R, C, S>
where
    S: Storage<T, R, C, RStride: Length, CStride: Length>,
{
    type Elem = T;
    type Dims = Lines<R::Axis, C::Axis>;
    type Family = Nalgebra;
    type View<'a>
        = TensorView<'a, T, 2>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = strides::<S::RStride, S::CStride>();
    #[inline]
    fn operand_view(&self) -> TensorView<'_, T, 2> {
        let (shape, strides) = layout(self);
        // SAFETY: a storage (an unsafe trait) leads every index inside its shape over its strides to an initialised
        // element of its buffer, and is borrowed as long as the view.
        unsafe { strided::view(self.as_ptr(), shape, strides) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, R: Length, C: Length, S> OperandMut for Matrix<T, R, C, S>
where
    S: Storage<T, R, C, RStride: Length, CStride: Length> + RawStorageMut<T, R, C>,
{
    type Elem = T;
    type Dims = Lines<R::Axis, C::Axis>;
    type ViewMut<'a>
        = TensorViewMut<'a, T, 2>
    where
        Self: 'a;
    const STRIDES: Option<FixedStrides<'static>> = strides::<S::RStride, S::CStride>();
    #[inline]
    fn operand_view_mut(&mut self) -> TensorViewMut<'_, T, 2> {
        let (shape, strides) = layout(self);
        // SAFETY: as above; a mutable storage has its elements for itself, is borrowed mutably, and gives out a mutable
        // reference for each index, so that they lead to different elements.
        unsafe { strided::view_mut(self.as_mut_ptr(), shape, strides) }
    }
}

impl<T: Scalar> Results<T, (Dyn, ())> for Nalgebra {
    type Out = DVector<T>;
    fn compute(pending: Pending<'_, T>) -> Result<DVector<T>, EinsumError> {
        let ([_], elements) = pending.column_major()?;
        Ok(DVector::from_vec(elements))
    }
}
impl<T: Scalar> Results<T, (Dyn, (Dyn, ()))> for Nalgebra {
    type Out = DMatrix<T>;
    fn compute(pending: Pending<'_, T>) -> Result<DMatrix<T>, EinsumError> {
        let ([rows, columns], elements) = pending.column_major()?;
        Ok(DMatrix::from_vec(rows, columns, elements))
    }
}
impl<T: Scalar, const C: usize> Results<T, (Dyn, (Const<C>, ()))> for Nalgebra {
    type Out = Matrix<
        T,
        nalgebra::Dyn,
        nalgebra::Const<C>,
        VecStorage<T, nalgebra::Dyn, nalgebra::Const<C>>,
    >;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        let ([rows, _], elements) = pending.column_major()?;
        let (rows, columns) = (nalgebra::Dyn(rows), nalgebra::Const);
        Ok(Matrix::from_data(VecStorage::new(rows, columns, elements)))
    }
}
impl<T: Scalar, const R: usize> Results<T, (Const<R>, (Dyn, ()))> for Nalgebra {
    type Out = Matrix<
        T,
        nalgebra::Const<R>,
        nalgebra::Dyn,
        VecStorage<T, nalgebra::Const<R>, nalgebra::Dyn>,
    >;
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        let ([_, columns], elements) = pending.column_major()?;
        let (rows, columns) = (nalgebra::Const, nalgebra::Dyn(columns));
        Ok(Matrix::from_data(VecStorage::new(rows, columns, elements)))
    }
}
impl<T: Scalar, const R: usize> Results<T, (Const<R>, ())> for Nalgebra {
    type Out = SMatrix<T, R, 1>;
    const IN_PLACE: Option<FixedStrides<'static>> = Some(FixedStrides::ColumnMajor);
    #[inline]
    fn in_place(ready: impl Ready<T>) -> Self::Out {
        // SAFETY: a static matrix is an array of its columns, and nothing else is in it.
        unsafe { ready.make() }
    }
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        let mut out = [[T::ZERO; R]];
        pending.write(TensorViewMut::from_slice([R], &mut out[0]))?;
        Ok(Matrix::from_array_storage(ArrayStorage(out)))
    }
}
impl<T: Scalar, const R: usize, const C: usize> Results<T, (Const<R>, (Const<C>, ()))>
    for Nalgebra
{
    type Out = SMatrix<T, R, C>;
    const IN_PLACE: Option<FixedStrides<'static>> = Some(FixedStrides::ColumnMajor);
    #[inline]
    fn in_place(ready: impl Ready<T>) -> Self::Out {
        // SAFETY: as above.
        unsafe { ready.make() }
    }
    #[inline]
    fn compute(pending: Pending<'_, T>) -> Result<Self::Out, EinsumError> {
        let mut out = Matrix::from_array_storage(ArrayStorage([[T::ZERO; R]; C]));
        pending.write(out.operand_view_mut())?;
        Ok(out)
    }
}
crate::tensor_results!(Nalgebra: 3.., dyn);
