//! The derivatives of an einsum along its contraction tree.
//!
//! An einsum is linear in each of its tensors, and a step `r = l · m` of the tree contributes `dl = einsum(dr, m)` and
//! `dm = einsum(dr, l)` to the gradients of the step's operands: reverse accumulation (Linnainmaa 1970) over the tree.
//! Each runs over the labels of the step itself, so that one gradient costs as many multiply-adds as its step, and all
//! gradients together at most twice as many as the einsum.

use alloc::vec::Vec;

use crate::{
    cost::StepCost,
    lower::{Program, Step},
    order::Tree,
    spec::{Cost, Label},
};

/// Up to so many operands the order is the best of all for forward and backward steps together.
const EXACT: usize = 5;

/// An einsum and the steps that make its gradients.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// The einsum itself: operands are 0..n, step s makes n + s.
    pub forward: Program,
    /// The steps backward, in order.
    pub backward: Vec<Backward>,
    /// By tensor, in SSA form: whether a step backward reads it.
    pub saved: Vec<bool>,
}

/// One step backward: the gradient of tensor `of`.
#[derive(Clone, Debug)]
pub struct Backward {
    /// The tensor, in SSA form.
    pub of: usize,
    /// The product. Its left operand is the *gradient* of tensor `step.left`, the right one the tensor beside `of`;
    /// its result has the labels of `of` but those that are summed before anything else (see [`Backward::spread`]).
    pub step: Step,
    /// The labels of `of` that the forward step sums in it alone: the gradient is the same for all their indices.
    pub spread: Vec<Label>,
}

impl Gradient {
    /// Derives the steps backward for the operands that are `wanted`, along a tree; the other arguments are those of
    /// [`Program::lower`].
    pub fn new(
        carried: &[Vec<Label>],
        output: &[Label],
        tree: &[(u32, u32)],
        wanted: &[bool],
    ) -> Gradient {
        let mut needed = wanted.to_vec();
        for &(left, right) in tree {
            needed.push(needed[left as usize] || needed[right as usize]);
        }
        if tree.is_empty() {
            needed.push(wanted[0]);
        }
        let forward = Program::lower_with(carried, output, tree, &needed);
        let mut saved = alloc::vec![false; needed.len()];
        let mut backward = Vec::new();
        for (s, step) in forward.steps.iter().enumerate().rev() {
            let from = carried.len() + s;
            if needed[step.left] {
                backward.push(of_left(step, from));
            }
            if let Some(right) = step.right
                && needed[right]
            {
                backward.push(of_right(step, from, right));
            }
        }
        for step in &backward {
            if let Some(beside) = step.step.right {
                saved[beside] = true;
            }
        }
        Gradient {
            forward,
            backward,
            saved,
        }
    }

    /// The arithmetic of all steps for these sizes of the labels, forward and backward.
    pub fn cost(&self, sizes: &[usize]) -> StepCost {
        let mut total = self.forward.cost(sizes);
        for backward in &self.backward {
            let cost = backward.step.cost(sizes);
            total.multiply_adds = total.multiply_adds.saturating_add(cost.multiply_adds);
            total.additions = total.additions.saturating_add(cost.additions);
        }
        total
    }

    /// Predicted nanoseconds of all steps.
    pub fn time(&self, sizes: &[usize]) -> f64 {
        let backward = self.backward.iter().map(|b| b.step.time(sizes));
        self.forward.time(sizes) + backward.sum::<f64>()
    }
}

fn of_left(step: &Step, from: usize) -> Backward {
    let keep = |labels: &[Label]| without(labels, &step.left_summed);
    Backward {
        of: step.left,
        step: Step {
            left: from,
            right: step.right,
            left_labels: step.result.clone(),
            right_labels: step.right_labels.clone(),
            left_summed: Vec::new(),
            right_summed: step.right_summed.clone(),
            batch: step.batch.clone(),
            contracted: step.right_free.clone(),
            left_free: step.left_free.clone(),
            right_free: step.contracted.clone(),
            result: keep(&step.left_labels),
        },
        spread: step.left_summed.clone(),
    }
}

fn of_right(step: &Step, from: usize, right: usize) -> Backward {
    Backward {
        of: right,
        step: Step {
            left: from,
            right: Some(step.left),
            left_labels: step.result.clone(),
            right_labels: step.left_labels.clone(),
            left_summed: Vec::new(),
            right_summed: step.left_summed.clone(),
            batch: step.batch.clone(),
            contracted: step.left_free.clone(),
            left_free: step.right_free.clone(),
            right_free: step.contracted.clone(),
            result: without(&step.right_labels, &step.right_summed),
        },
        spread: step.right_summed.clone(),
    }
}

fn without(labels: &[Label], out: &[Label]) -> Vec<Label> {
    let kept = labels.iter().copied().filter(|l| !out.contains(l));
    kept.collect()
}

/// The best tree for an einsum and its gradients together, of all trees; `None` beyond five operands.
///
/// The other arguments are those of [`Gradient::new`], and the sizes of the labels.
pub fn gradient_tree(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    wanted: &[bool],
    cost: Cost,
) -> Option<Tree> {
    if carried.len() > EXACT {
        return None;
    }
    let mut best: Option<((f64, f64), Tree)> = None;
    let live: Vec<u32> = (0..carried.len() as u32).collect();
    let mut visit = |tree: &[(u32, u32)]| {
        let gradient = Gradient::new(carried, output, tree, wanted);
        let time = gradient.time(sizes);
        let value = match cost {
            Cost::Flops => (gradient.cost(sizes).multiply_adds as f64, time),
            Cost::Size => (gradient.forward.largest_intermediate(sizes) as f64, time),
            Cost::Time => (time, 0.0),
        };
        if best.as_ref().is_none_or(|(least, _)| value < *least) {
            best = Some((value, Tree(tree.to_vec())));
        }
    };
    all_trees(live, &mut Vec::new(), carried.len() as u32, &mut visit);
    best.map(|(_, tree)| tree)
}

type Visitor<'a> = dyn FnMut(&[(u32, u32)]) + 'a;

/// Visits every sequence of pairs; `live` is in the order of first operands, so that the one with the first is left.
fn all_trees(live: Vec<u32>, tree: &mut Vec<(u32, u32)>, next: u32, visit: &mut Visitor<'_>) {
    if live.len() < 2 {
        return visit(tree);
    }
    for left in 0..live.len() {
        for right in left + 1..live.len() {
            let pair = (live[left], live[right]);
            // Steps that do not need each other have one order only: that of their numbers.
            let independent = tree
                .last()
                .is_some_and(|&last| pair.0 + 1 != next && pair.1 + 1 != next && pair < last);
            if independent {
                continue;
            }
            let mut rest = live.clone();
            rest[left] = next;
            rest.remove(right);
            tree.push(pair);
            all_trees(rest, tree, next + 1, visit);
            tree.pop();
        }
    }
}

mod describe;
#[cfg(test)]
mod tests;
