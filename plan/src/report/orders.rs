//! The order of a plan in the forms that others read.

use alloc::{format, string::String, vec::Vec};

use super::PlanReport;

impl PlanReport {
    /// The contraction tree: the operands are 0..n, step s contracts its pair and makes n + s.
    pub fn tree(&self) -> &[(u32, u32)] {
        &self.tree.0
    }

    /// The order as opt_einsum's and JAX's path: each step takes the tensors at these positions out of the list and puts
    /// their contraction at its end. A single operand has the path `[[0]]`.
    pub fn path(&self) -> Vec<Vec<u32>> {
        let operands = self.operands() as u32;
        if operands == 1 {
            return alloc::vec![alloc::vec![0]];
        }
        let mut list: Vec<u32> = (0..operands).collect();
        let mut path = Vec::with_capacity(self.tree.0.len());
        for (made, &(left, right)) in (operands..).zip(&self.tree.0) {
            let mut positions = Vec::with_capacity(2);
            for (position, id) in list.iter().enumerate() {
                if *id == left || *id == right {
                    positions.push(position as u32);
                }
            }
            list.retain(|&id| id != left && id != right);
            list.push(made);
            path.push(positions);
        }
        path
    }

    /// The option of `einsum!` that fixes this order: `order = tree([(0, 1), (3, 2)])`.
    ///
    /// There is nothing to fix for one operand or two: a tree without steps, or with one.
    pub fn order(&self) -> String {
        let pair = |(left, right): &(u32, u32)| format!("({left}, {right})");
        let pairs: Vec<String> = self.tree.0.iter().map(pair).collect();
        format!("order = tree([{}])", pairs.join(", "))
    }
}
