//! Subscripts known only at run time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use cteinsum_plan::{
    Checked, Cost, Listed, Order, OrderError, Request, Rule, Strategy, Subscripts, Tree, sort_by,
};

use crate::engine::plan::Plan;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};

#[cfg(feature = "algebras")]
mod algebra;
mod mixed;
mod prepared;

pub use mixed::MixedView;
pub use prepared::PreparedEinsum;

/// An einsum whose subscripts are known only at run time.
///
/// The same parser, planner and engine as behind `einsum!`: equal subscripts, an equal order and equal operands
/// give the same bits.
///
/// ```
/// use cteinsum::{Einsum, Engine, Tensor};
/// # fn main() -> Result<(), cteinsum::EinsumError> {
/// let a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]);
/// let product = Einsum::parse("ij,jk->ik")?;
/// let c = product.contract(&mut Engine::serial(), &[a.as_dyn(), a.as_dyn()])?;
/// assert_eq!(c.as_slice(), [7.0, 10.0, 15.0, 22.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Einsum {
    checked: Arc<Checked>,
    request: Request,
    /// What is wrong with the order of the request.
    order_error: Option<OrderError>,
    /// The order, or how the sizes decide it: made when it is first needed.
    strategy: OnceLock<Strategy>,
    /// Tells einsums apart in an engine's memory. Clones share it, a changed order gets a new one.
    id: u64,
}

/// A number that no other einsum has.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Einsum {
    /// Reads subscripts, as `einsum!` reads them: `"ij,jk->ik"`. Parentheses fix the order.
    ///
    /// # Errors
    /// [`EinsumError::Subscripts`] with every mistake of the text.
    pub fn parse(subscripts: &str) -> Result<Self, EinsumError> {
        if let Some(checked) = Checked::plain(subscripts) {
            return Ok(Self::new_checked(checked));
        }
        let (read, mut mistakes) = Subscripts::parse_lossy(subscripts);
        match read.check() {
            Ok(checked) if mistakes.is_empty() => return Ok(Self::new_checked(checked)),
            Ok(_) => {}
            Err(more) => mistakes.extend(more),
        }
        sort_by(&mut mistakes, |a, b| a.span < b.span);
        Err(EinsumError::Subscripts {
            subscripts: subscripts.to_owned().into(),
            mistakes,
        })
    }

    /// An einsum over integer labels: `Einsum::new(&[&[0, 1], &[1, 2]], &[0, 2])`.
    ///
    /// # Errors
    /// [`EinsumError::Labels`] if an output label is in no input, or if there are no inputs.
    pub fn new(inputs: &[&[usize]], output: &[usize]) -> Result<Self, EinsumError> {
        Ok(Self::new_checked(Checked::from_labels(inputs, output)?))
    }

    fn new_checked(checked: Checked) -> Self {
        Einsum {
            checked: Arc::new(checked),
            request: Request::default(),
            order_error: None,
            strategy: OnceLock::new(),
            id: next_id(),
        }
    }

    /// Says in which order to contract. Without it the order is [`Order::Auto`].
    ///
    /// An order that is none of these operands, or one beside parentheses, which fix the order already, is an
    /// [`EinsumError::Order`] of everything that is done with the einsum.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        let parentheses = self.checked.groups.is_some() && order != Order::Auto;
        self.order_error = match self.checked.check_order(&order) {
            Ok(()) => parentheses.then_some(OrderError::Parentheses),
            Err(error) => Some(error),
        };
        self.request.order = order;
        self.renewed()
    }

    /// Says what the order is to make small; without it the time.
    #[must_use]
    pub fn minimize(mut self, cost: Cost) -> Self {
        self.request.cost = cost;
        self.renewed()
    }

    /// Bounds the elements of each intermediate. A contraction for whose sizes no order stays within the bound is
    /// refused with [`EinsumError::Intermediate`].
    #[must_use]
    pub fn max_intermediate(mut self, elements: u64) -> Self {
        self.request.max_intermediate = Some(elements);
        self.renewed()
    }

    /// The same einsum to be ordered anew.
    fn renewed(self) -> Self {
        Einsum {
            strategy: OnceLock::new(),
            id: next_id(),
            ..self
        }
    }

    /// The subscripts as written.
    pub fn subscripts(&self) -> &str {
        &self.checked.text
    }

    /// Contracts the operands. The result is new and row-major; a result without axes has rank 0.
    ///
    /// # Errors
    /// If the number of operands, a rank or a size does not fit; nothing is computed then.
    pub fn contract<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<DynTensor<T>, EinsumError> {
        self.check_order()?;
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).listed();
        let fresh = T::__einsum(engine, Plan::Parsed(self), &raw, MemoryOrder::RowMajor)?;
        Ok(fresh.into_dyn())
    }

    /// Contracts the operands into `out`: `out <- alpha * result + beta * out`.
    ///
    /// Where `beta` is zero, `out` is not read. Its shape is the result's: an output does not broadcast. Where a
    /// label stands twice in the output, only its diagonal gets a result; elsewhere the result counts as 0.
    ///
    /// # Errors
    /// If the number of operands, a rank, a size or the shape of `out` does not fit; `out` is unchanged then.
    ///
    /// # Examples
    /// ```
    /// use cteinsum::{Einsum, Engine, Tensor};
    ///
    /// let a = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]).into_dyn();
    /// let mut sums = Tensor::from_vec([2], vec![10.0, 20.0]).into_dyn();
    /// let rows = Einsum::parse("ij->i")?;
    /// // sums <- 1 * rows + 1 * sums
    /// rows.contract_into(&mut Engine::serial(), &[a.view()], sums.view_mut(), 1.0, 1.0)?;
    /// assert_eq!(sums.as_slice(), [13.0, 27.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contract_into<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
        mut out: DynTensorViewMut<'_, T>,
        alpha: T,
        beta: T,
    ) -> Result<(), EinsumError> {
        self.check_order()?;
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).listed();
        T::__einsum_into(
            engine,
            Plan::Parsed(self),
            &raw,
            &RawMut::new(&mut out),
            alpha,
            beta,
        )
    }

    /// Chooses the order for operands of these shapes, once: what [`contract`](Einsum::contract) does at the first call
    /// with them. Where the contraction takes long, the order is improved by a longer search (a hundredth of the time at
    /// most) when it is first needed.
    ///
    /// ```
    /// use cteinsum::{Cost, Einsum, Engine, Order, Tensor};
    /// # fn main() -> Result<(), cteinsum::EinsumError> {
    /// let e = Einsum::parse("ij,jk->ik")?.order(Order::Optimal).minimize(Cost::Time).max_intermediate(1 << 28);
    /// let plan = e.prepare(&[&[64, 32], &[32, 16]])?;
    /// let (a, b) = (Tensor::full([64, 32], 1.0), Tensor::full([32, 16], 2.0));
    /// let c = plan.contract(&mut Engine::serial(), &[a.as_dyn(), b.as_dyn()])?;
    /// assert_eq!(c.as_slice()[0], 64.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the number of operands, a rank or a size does not fit, or no order keeps within the bound on intermediates.
    pub fn prepare(&self, shapes: &[&[usize]]) -> Result<PreparedEinsum, EinsumError> {
        PreparedEinsum::new(self, shapes)
    }

    /// The plan before sizes are known: the order as far as it is settled, costs as polynomials.
    ///
    /// # Errors
    /// [`EinsumError::Order`] if the order is none of these operands.
    #[cfg(feature = "report")]
    pub fn plan(&self) -> Result<cteinsum_plan::PlanReport, EinsumError> {
        self.check_order()?;
        let strategy = match self.strategy() {
            // A tree for the sizes that are expected; calls have no use for one.
            late if matches!(late.rule, Rule::Exact | Rule::Greedy) => {
                let early = self.checked.strategy(&self.request);
                early.unwrap_or_else(|_| late.clone())
            }
            known => known.clone(),
        };
        Ok(cteinsum_plan::PlanReport::of_checked(
            &self.checked,
            strategy,
        ))
    }

    /// Says what [`contract`](Einsum::contract) with these operands runs: order, costs, and for each step the kernels and
    /// why it is these. Prepares the call as `contract` does, and computes nothing.
    ///
    /// ```
    /// use cteinsum::{Einsum, Engine, Kernel, Tensor};
    /// # fn main() -> Result<(), cteinsum::EinsumError> {
    /// let (a, x) = (Tensor::full([64, 32], 1.0), Tensor::full([32], 2.0));
    /// let e = Einsum::parse("ij,j->i")?;
    /// let explanation = e.explain(&mut Engine::serial(), &[a.as_dyn(), x.as_dyn()])?;
    /// assert_eq!(explanation.routes()[0][0].kernel, Kernel::Gemv);
    /// println!("{explanation}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`contract`](Einsum::contract).
    #[cfg(feature = "report")]
    pub fn explain<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
    ) -> Result<crate::Explanation, EinsumError> {
        self.check_order()?;
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).listed();
        crate::engine::execute::shape(engine, Plan::Parsed(self), &raw)?;
        Ok(engine.explain().expect("a call that was just prepared"))
    }

    /// The same einsum in this order, whatever the sizes are: a tree of its operands.
    fn settled(&self, tree: Tree) -> Einsum {
        let strategy = Strategy {
            tree,
            rule: Rule::Settled,
            groups: None,
            cost: self.request.cost,
            max_intermediate: None,
        };
        Einsum {
            strategy: OnceLock::from(strategy),
            ..self.clone().renewed()
        }
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn checked(&self) -> &Checked {
        &self.checked
    }

    pub(crate) fn strategy(&self) -> &Strategy {
        self.strategy.get_or_init(|| {
            let late = self.checked.late_strategy(&self.request);
            let strategy = match &late {
                // What a macro prepares before it knows sizes, so that equal requests have equal orders, and equal bits;
                // unless the caller asks for a quick order, which no macro has. Other rules need no tree yet.
                Ok(found) if matches!(found.rule, Rule::Search { .. }) && !self.is_quick() => {
                    self.checked.strategy(&self.request)
                }
                _ => late,
            };
            strategy.expect("contracted only with an order of its operands")
        })
    }

    /// Whether a quick order is asked for.
    fn is_quick(&self) -> bool {
        matches!(self.request.order, Order::Search { effort: 0, .. })
    }

    fn check_order(&self) -> Result<(), EinsumError> {
        match &self.order_error {
            None => Ok(()),
            Some(error) => Err(EinsumError::Order {
                subscripts: self.checked.text.clone().into(),
                error: error.clone(),
            }),
        }
    }
}
