//! Einsums of real and complex arrays together, and of elements that are converted.

use num_complex::Complex;

use super::Einsum;
use crate::engine::plan::Plan;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::operand::Operand;
use crate::scalar::{Real, Scalar};
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};
use crate::widen::{Widen, widened};

/// An operand of [`Einsum::contract_mixed`]: real numbers or complex ones. [`From`] makes it of a view.
#[derive(Clone, Debug)]
pub struct MixedView<'a, R: Real>(Either<'a, R>)
where
    Complex<R>: Scalar;

#[derive(Clone, Debug)]
enum Either<'a, R: Real>
where
    Complex<R>: Scalar,
{
    Part(DynTensorView<'a, R>),
    Whole(DynTensorView<'a, Complex<R>>, bool),
}

impl<'a, R: Real> From<DynTensorView<'a, R>> for MixedView<'a, R>
where
    Complex<R>: Scalar,
{
    fn from(view: DynTensorView<'a, R>) -> Self {
        MixedView(Either::Part(view))
    }
}
impl<'a, R: Real> From<DynTensorView<'a, Complex<R>>> for MixedView<'a, R>
where
    Complex<R>: Scalar,
{
    fn from(view: DynTensorView<'a, Complex<R>>) -> Self {
        MixedView(Either::Whole(view, false))
    }
}

impl<R: Real> MixedView<'_, R>
where
    Complex<R>: Scalar,
{
    /// The same elements, which count as their complex conjugates.
    #[must_use]
    pub fn conj(mut self) -> Self {
        if let Either::Whole(_, conj) = &mut self.0 {
            *conj ^= true;
        }
        self
    }

    fn raw(&self) -> Raw<'_, Complex<R>> {
        match &self.0 {
            Either::Part(view) => Raw::among(&[Raw::new(view)])[0],
            Either::Whole(view, conj) => Raw::new(view).conjugated(*conj),
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
    pub fn contract_mixed<R: Real>(
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
    pub fn contract_mixed_into<R: Real>(
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
    /// As [`contract`](Einsum::contract), the elements converted to `A` before: `acc = A` of the macros.
    ///
    /// ```
    /// use cteinsum::{Einsum, Engine, Tensor};
    /// # fn main() -> Result<(), cteinsum::EinsumError> {
    /// let x = Tensor::from_vec([3], vec![100i8, 100, -50]);
    /// let norm = Einsum::parse("i,i->")?;
    /// let y = norm.contract_acc::<i32, i8>(&mut Engine::serial(), &[x.as_dyn(), x.as_dyn()])?;
    /// assert_eq!(y.as_slice(), [22_500]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`contract`](Einsum::contract).
    pub fn contract_acc<A: Scalar, T: Widen<A>>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<DynTensor<A>, EinsumError> {
        self.check_order()?;
        let wide: Vec<_> = operands
            .iter()
            .map(|o| widened::<A, DynTensorView<'_, T>>(o))
            .collect();
        let views: Vec<_> = wide.iter().map(|w| w.operand_view()).collect();
        let raw: Vec<Raw<'_, A>> = views.iter().map(Raw::new).collect();
        let fresh = A::__einsum(engine, Plan::Parsed(self), &raw, MemoryOrder::RowMajor)?;
        Ok(fresh.into_dyn())
    }
}
