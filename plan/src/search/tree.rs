//! A contraction tree that can be changed in place, with the cost of every step.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    model::{element, product, shape},
    order::Tree,
    sorted::sort,
    spec::{Cost, Label},
};

/// No node.
const NONE: u32 = u32::MAX;

/// A tree over n leaves: nodes 0..n are the operands, the others steps in any order, the last one made the root.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    pub(super) leaves: usize,
    pub(super) cost: Cost,
    pub(super) sizes: Vec<f64>,
    /// By node; two times `NONE` for a leaf.
    pub(super) children: Vec<[u32; 2]>,
    /// The labels that a node carries, in increasing order.
    pub(super) labels: Vec<Vec<Label>>,
    /// What each step costs, its result included; for [`Cost::Size`] the elements of the result.
    pub(super) costs: Vec<f64>,
    pub(super) root: u32,
}

impl Growing {
    pub(crate) fn new(
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
        pairs: &[(u32, u32)],
        cost: Cost,
    ) -> Growing {
        let leaves = carried.len();
        let mut users = alloc::vec![0u32; sizes.len()];
        for &label in carried.iter().flatten() {
            users[usize::from(label)] += 1;
        }
        let mut named = alloc::vec![false; sizes.len()];
        for &label in output {
            if !core::mem::replace(&mut named[usize::from(label)], true) {
                users[usize::from(label)] += 1;
            }
        }
        let nodes = leaves + pairs.len();
        let mut tree = Growing {
            leaves,
            cost,
            sizes: sizes.iter().map(|&size| size.max(1) as f64).listed(),
            children: alloc::vec![[NONE; 2]; leaves],
            labels: Vec::with_capacity(nodes),
            costs: alloc::vec![0.0; nodes],
            root: nodes as u32 - 1,
        };
        for labels in carried {
            let needed = labels.iter().copied();
            let mut labels: Vec<Label> = needed.filter(|&l| users[usize::from(l)] > 1).listed();
            sort(&mut labels);
            tree.labels.push(labels);
        }
        for (step, &(left, right)) in pairs.iter().enumerate() {
            let node = leaves + step;
            let mut kept = Vec::new();
            merge(
                &tree.labels[left as usize],
                &tree.labels[right as usize],
                |label, both| {
                    let users = &mut users[usize::from(label)];
                    *users -= u32::from(both);
                    if *users > 1 {
                        kept.push(label);
                    }
                },
            );
            tree.labels.push(kept);
            tree.children.push([left, right]);
            tree.costs[node] = tree.cost_of(node as u32, left, right);
        }
        tree
    }

    pub(super) fn is_leaf(&self, node: u32) -> bool {
        (node as usize) < self.leaves
    }

    pub(super) fn size(&self, label: Label) -> f64 {
        self.sizes[usize::from(label)]
    }

    /// What the step costs that makes `node`, whose labels are known, of two others.
    pub(super) fn cost_of(&self, node: u32, left: u32, right: u32) -> f64 {
        let kept = &self.labels[node as usize];
        self.step(
            &self.labels[left as usize],
            &self.labels[right as usize],
            kept,
            node == self.root,
        )
    }

    /// What a step costs, from the labels alone.
    pub(super) fn step(&self, a: &[Label], b: &[Label], kept: &[Label], is_root: bool) -> f64 {
        let result: f64 = kept.iter().map(|&l| self.size(l)).product();
        if self.cost == Cost::Size {
            return if is_root { 0.0 } else { result };
        }
        let (mut batch, mut contracted) = (1.0, 1.0);
        let (mut batches, mut contracts) = (false, false);
        let (mut shared, mut at) = (0, 0);
        merge(a, b, |label, both| {
            while at < kept.len() && kept[at] < label {
                at += 1;
            }
            if !both {
                return;
            }
            shared += 1;
            if kept.get(at) == Some(&label) {
                batches = true;
                batch *= self.size(label);
            } else {
                contracts = true;
                contracted *= self.size(label);
            }
        });
        let free = usize::from(a.len() > shared) + usize::from(b.len() > shared);
        let [multiply_add, matrix] = product(self.cost, shape(batches, contracts, free));
        let moved = if is_root {
            0.0
        } else {
            element(self.cost) * result
        };
        multiply_add * (result * contracted) + matrix * batch + moved
    }

    /// The tree in SSA form, operands of a step before it.
    pub(crate) fn tree(&self) -> Tree {
        if self.leaves < 2 {
            return Tree::default();
        }
        let mut number: Vec<u32> = (0..self.children.len() as u32).listed();
        let mut pairs = Vec::with_capacity(self.leaves - 1);
        for node in self.upwards() {
            let [left, right] = self.children[node as usize];
            pairs.push((number[left as usize], number[right as usize]));
            number[node as usize] = (self.leaves + pairs.len() - 1) as u32;
        }
        Tree::canonical(pairs, self.leaves)
    }

    /// All steps, each after those whose results it reads.
    pub(super) fn upwards(&self) -> Vec<u32> {
        let mut nodes = Vec::with_capacity(self.leaves);
        let mut open = alloc::vec![self.root];
        while let Some(node) = open.pop() {
            if !self.is_leaf(node) {
                nodes.push(node);
                open.extend(self.children[node as usize]);
            }
        }
        nodes.reverse();
        nodes
    }
}

/// Walks the union of two increasing lists; `both` says whether a label is in both.
pub(super) fn merge(a: &[Label], b: &[Label], mut visit: impl FnMut(Label, bool)) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            core::cmp::Ordering::Less => {
                visit(a[i], false);
                i += 1;
            }
            core::cmp::Ordering::Greater => {
                visit(b[j], false);
                j += 1;
            }
            core::cmp::Ordering::Equal => {
                visit(a[i], true);
                i += 1;
                j += 1;
            }
        }
    }
    for &label in &a[i..] {
        visit(label, false);
    }
    for &label in &b[j..] {
        visit(label, false);
    }
}
