//! Exact reconfiguration: each step with the steps below it, up to eight tensors, put in their best order.

use crate::lists::Listed;
use alloc::vec::Vec;

use super::tree::{Growing, merge};
use crate::{
    exact::{Problem, solve},
    model::element,
    sorted::sort,
    spec::{Cost, Label},
};

/// Tensors of a reconfiguration.
const MOST: usize = 8;

/// Reconfigures below every step, from the leaves upwards, until nothing changes or `splits` splits were looked at.
pub(super) fn reconfigure(tree: &mut Growing, splits: u64) {
    let mut left = splits;
    loop {
        let mut changed = false;
        for node in tree.upwards() {
            let below = frontier(tree, node);
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
fn frontier(tree: &Growing, node: u32) -> Below {
    let mut below = Below {
        tensors: tree.children[node as usize].to_vec(),
        steps: alloc::vec![node],
    };
    while below.tensors.len() < MOST {
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
    let mut labels: Vec<(Label, u32)> = Vec::new();
    for (at, &tensor) in below.tensors.iter().enumerate() {
        for &label in &tree.labels[tensor as usize] {
            labels.push((label, 1 << at));
        }
    }
    sort(&mut labels);
    let mut problem = Problem::new(below.tensors.len());
    let above = &tree.labels[node as usize];
    for run in labels.chunk_by(|a, b| a.0 == b.0) {
        let carriers = run.iter().fold(0, |carriers, &(_, bit)| carriers | bit);
        let kept = above.binary_search(&run[0].0).is_ok();
        if problem.add(carriers, kept, tree.size(run[0].0)).is_none() {
            return false;
        }
    }
    let costs = below.steps.iter().map(|&step| tree.costs[step as usize]);
    let old = match tree.cost {
        // The first is the step itself.
        Cost::Size => costs.skip(1).fold(0.0, f64::max),
        _ => costs.sum(),
    };
    // The result of the step itself costs the same in any order, and the solver does not count it.
    let own = match (tree.cost, node == tree.root) {
        (Cost::Size, _) | (_, true) => 0.0,
        (cost, false) => {
            let labels = &tree.labels[node as usize];
            let elements: f64 = labels.iter().map(|&l| tree.size(l)).product();
            element(cost) * elements
        }
    };
    let Some(solution) = solve(&problem, tree.cost, f64::INFINITY) else {
        return false;
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
    let tensors = below.tensors.len();
    // Each label as often as a tensor carries it, and once more if it is needed above.
    let carried = below.tensors.iter().chain([&node]);
    let mut users: Vec<Label> = carried
        .flat_map(|&tensor| tree.labels[tensor as usize].iter().copied())
        .listed();
    sort(&mut users);
    let mut users: Vec<(Label, usize)> = users
        .chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len()))
        .listed();
    // The step at the top keeps its number.
    let numbers: Vec<u32> = below
        .tensors
        .iter()
        .chain(below.steps.iter().rev())
        .copied()
        .listed();
    for (step, &(left, right)) in pairs.iter().enumerate() {
        let (left, right) = (numbers[left as usize], numbers[right as usize]);
        let made = numbers[tensors + step];
        let mut kept = Vec::new();
        let (a, b) = (&tree.labels[left as usize], &tree.labels[right as usize]);
        merge(a, b, |label, both| {
            if let Ok(at) = users.binary_search_by_key(&label, |user| user.0) {
                users[at].1 -= usize::from(both);
                if users[at].1 > 1 {
                    kept.push(label);
                }
            }
        });
        tree.labels[made as usize] = kept;
        tree.children[made as usize] = [left, right];
        tree.costs[made as usize] = tree.cost_of(made, left, right);
    }
}
