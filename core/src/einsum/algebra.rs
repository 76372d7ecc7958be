//! Einsums in an algebra.

use super::Einsum;
use crate::algebra::Algebra;
use crate::engine::plan::Plan;
use crate::engine::sum::Term;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};

impl Einsum {
    /// As [`contract`](Einsum::contract), in an [algebra](crate::algebra).
    ///
    /// ```
    /// use cteinsum::algebra::MinPlus;
    /// use cteinsum::{Einsum, Engine, Tensor};
    /// # fn main() -> Result<(), cteinsum::EinsumError> {
    /// let road = Tensor::from_vec([2, 2], vec![0.0, 3.0, 3.0, 0.0]);
    /// let way = Einsum::parse("ij,jk->ik")?;
    /// let two = way.contract_in::<MinPlus, _>(&mut Engine::serial(), &[road.as_dyn(), road.as_dyn()])?;
    /// assert_eq!(two.as_slice(), [0.0, 3.0, 3.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`contract`](Einsum::contract).
    pub fn contract_in<A: Algebra<T>, T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<DynTensor<T>, EinsumError> {
        self.check_order()?;
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).collect();
        let term = self.term(&raw, A::ONE);
        Ok(A::__fresh(engine, &[term], MemoryOrder::RowMajor)?.into_dyn())
    }

    /// As [`contract_into`](Einsum::contract_into), in an [algebra](crate::algebra): `out <- alpha ⊗ result ⊕ beta ⊗ out`.
    /// Where `beta` is the zero of the algebra, `out` is not read.
    ///
    /// # Errors
    /// As [`contract_into`](Einsum::contract_into).
    pub fn contract_into_in<A: Algebra<T>, T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
        mut out: DynTensorViewMut<'_, T>,
        alpha: T,
        beta: T,
    ) -> Result<(), EinsumError> {
        self.check_order()?;
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).collect();
        let term = self.term(&raw, alpha);
        A::__into(engine, &[term], &RawMut::new(&mut out), beta)
    }

    fn term<'a, T>(&'a self, operands: &'a [Raw<'a, T>], alpha: T) -> Term<'a, T> {
        Term {
            plan: Plan::Parsed(self),
            operands,
            alpha,
        }
    }
}
