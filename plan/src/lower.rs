//! From a contraction tree to steps that a kernel can run.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{layout, spec::Label};

/// A lowered einsum: one step for one operand, n - 1 for n.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    /// The steps in order; step s makes tensor n + s, the last one the result.
    pub steps: Vec<Step>,
}

/// One contraction of two tensors, or the reduction of a single operand.
///
/// Every label of the two operands is in exactly one of `left_summed`, `right_summed`, `batch`, `contracted`,
/// `left_free` and `right_free`. With `dot_general`'s words: sum each operand over its own `summed` labels, then for
/// each index of `batch`, multiply and sum over `contracted`, into an array over `batch`, `left_free` and `right_free`
/// whose axes are in the order of `result`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Step {
    /// The left operand in SSA form: operands are 0..n, step s makes n + s.
    pub left: usize,
    /// The right operand; `None` in the only step of a single operand.
    pub right: Option<usize>,
    /// The labels that the left operand carries, in the order of its axes.
    pub left_labels: Vec<Label>,
    /// The labels that the right operand carries, in the order of its axes.
    pub right_labels: Vec<Label>,
    /// Labels of the left operand alone that nothing needs afterwards: summed before the product.
    pub left_summed: Vec<Label>,
    /// Labels of the right operand alone that nothing needs afterwards: summed before the product.
    pub right_summed: Vec<Label>,
    /// Labels of both operands that are needed afterwards, in the order of the result.
    pub batch: Vec<Label>,
    /// Labels of both operands that nothing needs afterwards, in the order of the left operand.
    pub contracted: Vec<Label>,
    /// Labels of the left operand alone that are needed afterwards, in the order of the result.
    pub left_free: Vec<Label>,
    /// Labels of the right operand alone that are needed afterwards, in the order of the result.
    pub right_free: Vec<Label>,
    /// The labels of the result in the order of its axes, row-major. In the last step: the distinct labels of the
    /// output that any operand carries, in the order of the output.
    pub result: Vec<Label>,
}

impl Program {
    /// Lowers an einsum along a contraction tree.
    ///
    /// `carried[p]` are the distinct labels that operand p carries with a length other than 1, in the order of its axes
    /// (so that diagonals and broadcasts need no rule here); `output` the labels of the result, of which repeated ones
    /// and those that nobody carries are passed over; `tree` n - 1 pairs in SSA form, as
    /// [`Order::tree`](crate::Order::tree) makes them. A tree of another length gives a program of no meaning.
    ///
    /// A label in several tensors is contracted with the last one that carries it. The axes of an intermediate are in
    /// the order that its consumer reads best: see the `layout` module.
    pub fn lower(carried: &[Vec<Label>], output: &[Label], tree: &[(u32, u32)]) -> Program {
        Program::lower_with(carried, output, tree, &[])
    }

    /// The same for an einsum that is `differentiated` by these tensors, in SSA form, which the layout of intermediates
    /// depends on.
    pub(crate) fn lower_with(
        carried: &[Vec<Label>],
        output: &[Label],
        tree: &[(u32, u32)],
        differentiated: &[bool],
    ) -> Program {
        let labels = carried
            .iter()
            .flatten()
            .chain(output)
            .max()
            .map_or(0, |&l| usize::from(l) + 1);
        // How many live tensors carry a label, and one more if the output names it.
        let mut users = alloc::vec![0u32; labels];
        for &label in carried.iter().flatten() {
            users[usize::from(label)] += 1;
        }
        let mut result: Vec<Label> = Vec::with_capacity(output.len());
        let mut in_output = alloc::vec![false; labels];
        for &label in output {
            if users[usize::from(label)] > 0
                && !core::mem::replace(&mut in_output[usize::from(label)], true)
            {
                result.push(label);
            }
        }
        for &label in &result {
            users[usize::from(label)] += 1;
        }

        if let [only] = carried {
            let summed = only
                .iter()
                .copied()
                .filter(|&l| !in_output[usize::from(l)])
                .listed();
            return Program {
                steps: alloc::vec![Step {
                    left_labels: only.clone(),
                    left_summed: summed,
                    left_free: result.clone(),
                    result,
                    ..Step::default()
                }],
            };
        }
        let mut tensors = carried.to_vec();
        let mut steps = Vec::with_capacity(tree.len());
        let mut in_right = alloc::vec![false; labels];
        for &(left, right) in tree {
            let step = classify(
                (left as usize, right as usize),
                &tensors,
                &mut users,
                &mut in_right,
            );
            tensors.push(step.result.clone());
            steps.push(step);
        }
        if let Some(last) = steps.last_mut() {
            last.result = result;
        }
        layout::assign(&mut steps, carried, differentiated);
        Program { steps }
    }
}

/// Sorts the labels of a pair into groups. The order within the groups and of the result is the layout's business.
fn classify(
    (left, right): (usize, usize),
    tensors: &[Vec<Label>],
    users: &mut [u32],
    in_right: &mut [bool],
) -> Step {
    let mut step = Step {
        left,
        right: Some(right),
        ..Step::default()
    };
    for &label in &tensors[right] {
        in_right[usize::from(label)] = true;
    }
    for &label in &tensors[left] {
        let users = &mut users[usize::from(label)];
        if core::mem::take(&mut in_right[usize::from(label)]) {
            *users -= 1;
            if *users > 1 {
                step.batch.push(label);
            } else {
                step.contracted.push(label);
            }
        } else if *users > 1 {
            step.left_free.push(label);
        } else {
            step.left_summed.push(label);
        }
    }
    for &label in &tensors[right] {
        // What the left operand shares has been taken out again.
        if !core::mem::take(&mut in_right[usize::from(label)]) {
            continue;
        }
        if users[usize::from(label)] > 1 {
            step.right_free.push(label);
        } else {
            step.right_summed.push(label);
        }
    }
    step.result = [&step.batch[..], &step.left_free, &step.right_free].concat();
    step
}
