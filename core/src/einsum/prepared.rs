//! An einsum whose order is chosen for known shapes.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use cteinsum_plan::{Draft, Label, Listed, Network, Tree};

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
    einsum: Einsum,
    shapes: Arc<[Box<[usize]>]>,
    /// The order so far.
    draft: Draft,
    /// The same einsum with the order settled: at once, or when it is first needed.
    settled: OnceLock<Einsum>,
}

/// What an order is chosen for. Without a network, operands and result carry the labels of their terms.
struct Case<'a> {
    network: Option<Network>,
    carried: Cow<'a, [Vec<Label>]>,
    output: Cow<'a, [Label]>,
    sizes: Vec<usize>,
}

impl<'a> Case<'a> {
    fn new(einsum: &'a Einsum, shapes: &[&[usize]]) -> Result<Self, EinsumError> {
        let checked = einsum.checked();
        if let Some(sizes) = checked.plain_sizes(shapes) {
            return Ok(Case {
                network: None,
                carried: Cow::Borrowed(&checked.inputs),
                output: Cow::Borrowed(&checked.output),
                sizes,
            });
        }
        let plan = Plan::Parsed(einsum);
        let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).listed();
        let network = plan
            .network(&ranks)
            .map_err(|error| EinsumError::rank(plan, error))?;
        let sizes = network
            .bind(shapes)
            .map_err(|error| EinsumError::size(plan, &network, error))?;
        Ok(Case {
            carried: Cow::Owned(network.carried(shapes)),
            output: Cow::Owned(network.carried_output(&sizes)),
            network: Some(network),
            sizes,
        })
    }
}

impl PreparedEinsum {
    pub(super) fn new(einsum: &Einsum, shapes: &[&[usize]]) -> Result<Self, EinsumError> {
        einsum.check_order()?;
        let Case {
            network,
            carried,
            output,
            sizes,
        } = Case::new(einsum, shapes)?;
        let draft = einsum
            .strategy()
            .draft(network.as_ref(), &carried, &output, &sizes)
            .map_err(|error| EinsumError::intermediate(Plan::Parsed(einsum), error))?;
        Ok(PreparedEinsum {
            einsum: einsum.clone(),
            shapes: shapes.iter().map(|&shape| shape.into()).collect(),
            draft,
            settled: OnceLock::new(),
        })
    }

    /// The einsum in its order.
    fn settled(&self) -> &Einsum {
        self.settled.get_or_init(|| {
            let tree = if self.draft.is_final() {
                None
            } else {
                self.finished()
            };
            let tree = tree.unwrap_or_else(|| self.draft.tree.clone());
            self.einsum.settled(tree)
        })
    }

    #[cold]
    fn finished(&self) -> Option<Tree> {
        let shapes: Vec<&[usize]> = self.shapes.iter().map(|shape| &**shape).listed();
        // The shapes have been checked.
        let case = Case::new(&self.einsum, &shapes).ok()?;
        let strategy = self.einsum.strategy();
        strategy.finish(&self.draft, &case.carried, &case.output, &case.sizes)
    }

    /// The subscripts as written.
    pub fn subscripts(&self) -> &str {
        self.einsum.subscripts()
    }

    /// The contraction tree: the operands are 0..n, step s contracts its pair and makes n + s.
    pub fn tree(&self) -> &[(u32, u32)] {
        &self.settled().strategy().tree.0
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
        self.settled().contract(engine, operands)
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
        self.settled()
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
        self.settled().explain(engine, operands)
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
