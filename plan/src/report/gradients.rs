//! What a plan says about gradients.

use alloc::{format, string::String, vec, vec::Vec};

use super::{Plan, PlanReport, words};
use crate::{
    gradient::{Gradient, gradient_tree},
    spec::Label,
    strategy::Rule,
};

/// Every label has this size where none is known.
const EQUAL: usize = 64;

impl PlanReport {
    /// The einsum with the gradients of these operands: forward and backward steps, what is saved between them, and,
    /// for given sizes, what they cost. The order is that of `einsum_vjp!`: up to five operands the best for both.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn gradients(&self, wrt: &[usize]) -> String {
        let equal = vec![EQUAL; self.names.len()];
        let sizes = self.sizes.as_deref().unwrap_or(&equal);
        let longer = |labels: &[Label]| -> Vec<Label> {
            let labels = words::distinct(labels).into_iter();
            labels
                .filter(|&label| sizes[usize::from(label)] != 1)
                .collect()
        };
        let carried: Vec<Vec<Label>> = self.inputs.iter().map(|term| longer(term)).collect();
        let output = longer(&self.output);
        let mut wanted = vec![false; carried.len()];
        for &operand in wrt {
            wanted[operand] = true;
        }
        let strategy = &self.strategy;
        let free = strategy.rule == Rule::Exact
            && strategy.groups.is_none()
            && strategy.max_intermediate.is_none();
        let best = match free {
            true => gradient_tree(&carried, &output, sizes, &wanted, strategy.cost),
            false => None,
        };
        let tree = best.as_ref().unwrap_or(&self.tree);
        let gradient = Gradient::new(&carried, &output, &tree.0, &wanted);
        let text = gradient.describe(&|label| self.names[usize::from(label)].clone());
        match &self.sizes {
            None => text,
            Some(sizes) => {
                let forward = gradient.forward.cost(sizes).multiply_adds;
                let backward = gradient.cost(sizes).multiply_adds - forward;
                format!("{text}\n  multiply-adds: {forward} forward, {backward} backward")
            }
        }
    }
}

impl Plan {
    /// The same with the gradients of these operands.
    #[must_use]
    pub const fn differentiated(mut self, wrt: &'static [usize]) -> Plan {
        self.wrt = wrt;
        self
    }

    /// [`PlanReport::gradients`].
    pub fn gradients(&self, wrt: &[usize]) -> String {
        self.report().gradients(wrt)
    }
}
