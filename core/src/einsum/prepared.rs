//! An einsum whose order is chosen for known shapes.

use std::sync::Arc;

use cteinsum_plan::{Chooser, Listed, Tree};

use super::Einsum;
use crate::engine::Engine;
use crate::engine::plan::Plan;
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};

/// An einsum ordered for operands of given shapes: [`Einsum::prepare`] makes it.
///
/// It holds the order and nothing of an engine: threads can share it, each with an engine of its own, and it takes
/// operands of any element type and any strides. Its results have the bits of [`Einsum::contract`].
#[derive(Clone, Debug)]
pub struct PreparedEinsum {
    /// The order is settled.
    einsum: Einsum,
    shapes: Arc<[Box<[usize]>]>,
}

impl PreparedEinsum {
    pub(super) fn new(einsum: &Einsum, shapes: &[&[usize]]) -> Result<Self, EinsumError> {
        einsum.check_order()?;
        let plan = Plan::Parsed(einsum);
        let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).listed();
        let network = plan
            .network(&ranks)
            .map_err(|error| EinsumError::rank(plan, error))?;
        let sizes = network
            .bind(shapes)
            .map_err(|error| EinsumError::size(plan, &network, error))?;
        let carried = network.carried(shapes);
        let output = network.carried_output(&sizes);
        let (inputs, labels) = (&network.inputs, network.labels);
        let mut chooser = Chooser::new(einsum.strategy().clone(), inputs, &network.output, labels);
        let chosen = chooser
            .choose(&carried, &output, &sizes)
            .map_err(|error| EinsumError::intermediate(plan, error))?;
        Ok(PreparedEinsum {
            einsum: einsum.settled(Tree(chosen.to_vec())),
            shapes: shapes.iter().map(|&shape| shape.into()).collect(),
        })
    }

    /// The subscripts as written.
    pub fn subscripts(&self) -> &str {
        self.einsum.subscripts()
    }

    /// The contraction tree: the operands are 0..n, step s contracts its pair and makes n + s.
    pub fn tree(&self) -> &[(u32, u32)] {
        &self.einsum.strategy().tree.0
    }

    /// Contracts operands of the shapes prepared for. The result is new and row-major; a result without axes has rank 0.
    ///
    /// # Errors
    /// If the number of operands or a shape is another one; nothing is computed then.
    pub fn contract<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<DynTensor<T>, EinsumError> {
        self.check(operands)?;
        self.einsum.contract(engine, operands)
    }

    /// Contracts operands of the shapes prepared for into `out`: `out <- alpha * result + beta * out`, as
    /// [`Einsum::contract_into`] does.
    ///
    /// # Errors
    /// If the number of operands or a shape is another one, that of `out` included; `out` is unchanged then.
    pub fn contract_into<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
        out: DynTensorViewMut<'_, T>,
        alpha: T,
        beta: T,
    ) -> Result<(), EinsumError> {
        self.check(operands)?;
        self.einsum
            .contract_into(engine, operands, out, alpha, beta)
    }

    /// [`Einsum::explain`] for operands of the shapes prepared for.
    ///
    /// # Errors
    /// If the number of operands or a shape is another one.
    #[cfg(feature = "report")]
    pub fn explain<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<crate::Explanation, EinsumError> {
        self.check(operands)?;
        self.einsum.explain(engine, operands)
    }

    fn check<T: Scalar>(&self, operands: &[DynTensorView<'_, T>]) -> Result<(), EinsumError> {
        if operands.len() != self.shapes.len() {
            return Err(EinsumError::OperandCount {
                subscripts: self.subscripts().to_owned().into(),
                terms: self.shapes.len(),
                operands: operands.len(),
            });
        }
        for (operand, (view, shape)) in operands.iter().zip(&*self.shapes).enumerate() {
            if view.shape() != &**shape {
                return Err(EinsumError::Shape {
                    subscripts: self.subscripts().to_owned().into(),
                    operand,
                    expected: shape.to_vec(),
                    found: view.shape().to_vec(),
                });
            }
        }
        Ok(())
    }
}
