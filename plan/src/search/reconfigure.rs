//! Exact reconfiguration: each step with the steps below it, a window of up to eight tensors, put in their best order.

use alloc::vec::Vec;

use super::tree::Growing;
use crate::{
    exact::{Problem, solve},
    model::element,
    spec::Cost,
};

/// Tensors of a reconfiguration at most.
const MOST: usize = 8;

/// Reconfigures below every step, from the leaves upwards, until nothing changes or `splits` splits were looked at.
pub(super) fn reconfigure(tree: &mut Growing, window: usize, splits: u64) {
    let mut left = splits;
    loop {
        let mut changed = false;
        for node in tree.upwards() {
            let below = frontier(tree, node, window.min(MOST));
            let count = 3u64.pow(below.tensors.len() as u32) / 2;
            if below.tensors.len() < 3 {
                continue;
            }
            if left < count {
                return;
            }
            left -= count;
            changed |= improve(tree, node, &below);
        }
        if !changed {
            return;
        }
    }
}

/// A step and what is below it: the tensors it is made of, and the steps in between, itself among them.
struct Below {
    tensors: Vec<u32>,
    steps: Vec<u32>,
}

/// Opens the most expensive steps first.
fn frontier(tree: &Growing, node: u32, most: usize) -> Below {
    let mut below = Below {
        tensors: tree.children[node as usize].to_vec(),
        steps: alloc::vec![node],
    };
    while below.tensors.len() < most {
        let mut open: Option<usize> = None;
        for (at, &tensor) in below.tensors.iter().enumerate() {
            let dearer = |best: usize| {
                tree.costs[tensor as usize] > tree.costs[below.tensors[best] as usize]
            };
            if !tree.is_leaf(tensor) && open.is_none_or(dearer) {
                open = Some(at);
            }
        }
        let Some(at) = open else { break };
        let step = below.tensors.swap_remove(at);
        below.steps.push(step);
        below.tensors.extend(tree.children[step as usize]);
    }
    below
}

/// Puts the tensors of a frontier in their best order, if that is better than theirs.
fn improve(tree: &mut Growing, node: u32, below: &Below) -> bool {
    let mut problem = Problem::new(below.tensors.len());
    for word in 0..tree.words {
        let above = tree.set(node)[word];
        let mut sets = [0; MOST];
        let mut all = 0;
        for (at, &tensor) in below.tensors.iter().enumerate() {
            sets[at] = tree.set(tensor)[word];
            all |= sets[at];
        }
        while all != 0 {
            let bit = all.trailing_zeros() as usize;
            all &= all - 1;
            let mut carriers = 0;
            for (at, set) in sets.iter().enumerate() {
                carriers |= ((set >> bit & 1) as u32) << at;
            }
            let size = tree.sizes[64 * word + bit];
            if problem.add(carriers, above >> bit & 1 == 1, size).is_none() {
                return false;
            }
        }
    }
    let costs = below.steps.iter().map(|&step| tree.costs[step as usize]);
    let old = match tree.cost {
        // The first is the step itself.
        Cost::Size => costs.skip(1).fold(0.0, f64::max),
        _ => costs.sum(),
    };
    let Some(solution) = solve(&problem, tree.cost, f64::INFINITY) else {
        return false;
    };
    // The result of the step itself costs the same in any order, and the solver does not count it.
    let own = match (tree.cost, node == tree.root) {
        (Cost::Size, _) | (_, true) => 0.0,
        (cost, false) => element(cost) * problem.volume(problem.kept),
    };
    // Rounding is not worth a change.
    if solution.cost + own >= old * (1.0 - 1e-9) {
        return false;
    }
    let pairs = solution.pairs(below.tensors.len());
    rebuild(tree, node, below, &pairs);
    true
}

/// Puts other steps in the place of those of a frontier.
fn rebuild(tree: &mut Growing, node: u32, below: &Below, pairs: &[(u32, u32)]) {
    let words = tree.words;
    // The step at the top keeps its number.
    let mut numbers = below.tensors.clone();
    numbers.extend(below.steps.iter().rev());
    let mut used = alloc::vec![false; numbers.len()];
    for (step, &(left, right)) in pairs.iter().enumerate() {
        used[left as usize] = true;
        used[right as usize] = true;
        let at = below.tensors.len() + step;
        let (made, a, b) = (numbers[at], numbers[left as usize], numbers[right as usize]);
        for word in 0..words {
            // What is needed above, or by what is not contracted yet.
            let mut needed = tree.set(node)[word];
            for (other, &number) in numbers[..at].iter().enumerate() {
                if !used[other] {
                    needed |= tree.set(number)[word];
                }
            }
            let both = tree.set(a)[word] | tree.set(b)[word];
            // The step at the top keeps its labels, too.
            if made != node {
                tree.sets[made as usize * words + word] = both & needed;
            }
        }
        tree.children[made as usize] = [a, b];
        tree.costs[made as usize] = tree.cost_of(made, a, b);
    }
}
