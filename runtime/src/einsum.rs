//! Subscripts known only at run time.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cteinsum_plan::{Checked, Label, Order, OrderError, Subscripts, Tree};

use crate::engine::plan::Plan;
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
use crate::error::EinsumError;
use crate::scalar::Scalar;
use crate::tensor::{DynTensor, DynTensorView, DynTensorViewMut};

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
    /// The tree of an order that does not depend on sizes.
    fixed: Option<Tree>,
    /// Tells einsums apart in an engine's memory. Clones share it, a changed order gets a new one.
    id: u64,
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Einsum {
    /// Reads subscripts, as `einsum!` reads them: `"ij,jk->ik"`. Parentheses fix the order.
    ///
    /// # Errors
    /// [`EinsumError::Subscripts`] with every mistake of the text.
    pub fn parse(subscripts: &str) -> Result<Self, EinsumError> {
        let (read, mut mistakes) = Subscripts::parse_lossy(subscripts);
        match read.check() {
            Ok(checked) if mistakes.is_empty() => return Ok(Self::new_checked(checked)),
            Ok(_) => {}
            Err(more) => mistakes.extend(more),
        }
        mistakes.sort_by_key(|m| m.span);
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
            fixed: None,
            id: next_id(),
        }
    }

    /// Fixes the order of contraction. Without it the order is greedy by the real sizes.
    ///
    /// # Errors
    /// [`EinsumError::Order`] if the order does not contract all operands to one, or if the subscripts have
    /// parentheses, which fix the order already.
    pub fn order(self, order: &Order) -> Result<Self, EinsumError> {
        let fixed = match order {
            Order::Greedy if self.checked.groups.is_none() => None,
            Order::Greedy => {
                return Err(EinsumError::Order {
                    subscripts: self.checked.text.clone().into(),
                    error: OrderError::Parentheses,
                });
            }
            order => Some(
                self.checked
                    .tree(order)
                    .map_err(|error| EinsumError::Order {
                        subscripts: self.checked.text.clone().into(),
                        error,
                    })?,
            ),
        };
        Ok(Einsum {
            fixed,
            id: next_id(),
            ..self
        })
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
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).collect();
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
    pub fn contract_into<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[DynTensorView<'_, T>],
        mut out: DynTensorViewMut<'_, T>,
        alpha: T,
        beta: T,
    ) -> Result<(), EinsumError> {
        let raw: Vec<Raw<'_, T>> = operands.iter().map(Raw::new).collect();
        T::__einsum_into(
            engine,
            Plan::Parsed(self),
            &raw,
            &RawMut::new(&mut out),
            alpha,
            beta,
        )
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn checked(&self) -> &Checked {
        &self.checked
    }

    pub(crate) fn tree(
        &self,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Cow<'_, [(u32, u32)]> {
        match &self.fixed {
            Some(tree) => Cow::Borrowed(&tree.0),
            None => Cow::Owned(
                Order::Greedy
                    .tree(carried, output, sizes, self.checked.groups.as_ref())
                    .expect("a greedy order always exists")
                    .0,
            ),
        }
    }
}
