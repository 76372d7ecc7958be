//! Einsums of real and complex arrays together.

use num_complex::Complex;

use super::Einsum;
use crate::engine::plan::Plan;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};

/// An operand of [`Einsum::contract_mixed`]: real numbers or complex ones. [`From`] makes it of a view.
#[derive(Clone, Debug)]
pub enum MixedView<'a, R: Scalar>
where
    Complex<R>: Scalar,
{
    /// An array of real numbers.
    Real(DynTensorView<'a, R>),
    /// An array of complex numbers.
    Complex(DynTensorView<'a, Complex<R>>),
    /// An array of complex numbers that count as their conjugates.
    Conjugate(DynTensorView<'a, Complex<R>>),
}

macro_rules! from_views {
    ($($t:ty),*) => {$(
        impl<'a> From<DynTensorView<'a, $t>> for MixedView<'a, $t> {
            fn from(view: DynTensorView<'a, $t>) -> Self {
                MixedView::Real(view)
            }
        }
        impl<'a> From<DynTensorView<'a, Complex<$t>>> for MixedView<'a, $t> {
            fn from(view: DynTensorView<'a, Complex<$t>>) -> Self {
                MixedView::Complex(view)
            }
        }
    )*};
}
from_views!(f32, f64);

impl<R: Scalar> MixedView<'_, R>
where
    Complex<R>: Scalar,
{
    fn raw(&self) -> Raw<'_, Complex<R>> {
        match self {
            MixedView::Real(view) => Raw::among(&[Raw::new(view)])[0],
            MixedView::Complex(view) => Raw::new(view),
            MixedView::Conjugate(view) => Raw::new(view).conjugated(true),
        }
    }
}

impl Einsum {
    /// As [`contract`](Einsum::contract), of real and complex arrays. A real array is not promoted: its steps with real ones
    /// take a quarter of the work of complex numbers, its steps with complex ones half.
    ///
    /// ```
    /// use cteinsum::{Complex, Einsum, Engine, Tensor};
    /// # fn main() -> Result<(), cteinsum::EinsumError> {
    /// let a = Tensor::from_vec([2], vec![2.0, 3.0]);
    /// let z = Tensor::from_vec([2], vec![Complex::new(1.0, 1.0), Complex::new(0.0, 1.0)]);
    /// let dot = Einsum::parse("i,i->")?;
    /// let y = dot.contract_mixed(&mut Engine::serial(), &[a.as_dyn().into(), z.as_dyn().into()])?;
    /// assert_eq!(y.as_slice(), [Complex::new(2.0, 5.0)]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`contract`](Einsum::contract).
    pub fn contract_mixed<R: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[MixedView<'_, R>],
    ) -> Result<DynTensor<Complex<R>>, EinsumError>
    where
        Complex<R>: Scalar,
    {
        self.check_order()?;
        let raw: Vec<Raw<'_, Complex<R>>> = operands.iter().map(MixedView::raw).collect();
        let order = MemoryOrder::RowMajor;
        Ok(Scalar::__einsum(engine, Plan::Parsed(self), &raw, order)?.into_dyn())
    }

    /// As [`contract_into`](Einsum::contract_into), of real and complex arrays.
    ///
    /// # Errors
    /// As [`contract_into`](Einsum::contract_into).
    pub fn contract_mixed_into<R: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[MixedView<'_, R>],
        mut out: DynTensorViewMut<'_, Complex<R>>,
        alpha: Complex<R>,
        beta: Complex<R>,
    ) -> Result<(), EinsumError>
    where
        Complex<R>: Scalar,
    {
        self.check_order()?;
        let raw: Vec<Raw<'_, Complex<R>>> = operands.iter().map(MixedView::raw).collect();
        let out = RawMut::new(&mut out);
        Scalar::__einsum_into(engine, Plan::Parsed(self), &raw, &out, alpha, beta)
    }
}
