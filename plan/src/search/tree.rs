//! A contraction tree that can be changed in place, with the cost of every step.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    greedy::users,
    model::{element, product, shape},
    order::Tree,
    spec::{Cost, Label},
};

/// No node.
const NONE: u32 = u32::MAX;

/// A tree over n leaves: nodes 0..n are the operands, the others steps in any order, the last one made the root.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    pub(super) leaves: usize,
    pub(super) cost: Cost,
    /// By label.
    pub(super) sizes: Vec<f64>,
    /// By node; two times `NONE` for a leaf.
    pub(super) children: Vec<[u32; 2]>,
    /// Words of a set of labels.
    pub(super) words: usize,
    /// The labels that each node carries, as a set: bits, `words` words a node.
    pub(super) sets: Vec<u64>,
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
        let words = sizes.len().div_ceil(64);
        let nodes = leaves + pairs.len();
        let mut tree = Growing {
            leaves,
            cost,
            sizes: sizes.iter().map(|&size| size.max(1) as f64).listed(),
            children: alloc::vec![[NONE; 2]; leaves],
            words,
            sets: alloc::vec![0; nodes * words],
            costs: alloc::vec![0.0; nodes],
            root: nodes as u32 - 1,
        };
        let mut users = users(carried, output, sizes.len());
        for (node, labels) in carried.iter().enumerate() {
            for &label in labels {
                let label = usize::from(label);
                // A label with one user is summed before anything else, whatever the order, and one of size 1 counts for nothing.
                if users[label] > 1 && sizes[label] > 1 {
                    tree.sets[node * words + label / 64] |= 1 << (label % 64);
                }
            }
        }
        for (step, &(left, right)) in pairs.iter().enumerate() {
            let node = leaves + step;
            for word in 0..words {
                let a = tree.sets[left as usize * words + word];
                let b = tree.sets[right as usize * words + word];
                let (mut kept, mut both) = (a | b, a & b);
                while both != 0 {
                    let bit = both.trailing_zeros() as usize;
                    let users = &mut users[64 * word + bit];
                    *users -= 1;
                    if *users == 1 {
                        kept ^= 1 << bit;
                    }
                    both &= both - 1;
                }
                tree.sets[node * words + word] = kept;
            }
            tree.children.push([left, right]);
            tree.costs[node] = tree.cost_of(node as u32, left, right);
        }
        tree
    }

    pub(super) fn is_leaf(&self, node: u32) -> bool {
        (node as usize) < self.leaves
    }

    /// The labels that a node carries.
    pub(super) fn set(&self, node: u32) -> &[u64] {
        let from = node as usize * self.words;
        &self.sets[from..from + self.words]
    }

    /// What the step costs that makes `node`, whose labels are known, of two others.
    pub(super) fn cost_of(&self, node: u32, left: u32, right: u32) -> f64 {
        let is_root = node == self.root;
        self.step(self.set(left), self.set(right), self.set(node), is_root)
    }

    /// What a step costs, from the labels alone.
    pub(super) fn step(&self, a: &[u64], b: &[u64], kept: &[u64], is_root: bool) -> f64 {
        let sizes = &self.sizes[..];
        match self.cost {
            Cost::Flops => {
                let mut all = 1.0;
                for (word, (a, b)) in a.iter().zip(b).enumerate() {
                    all = volume(a | b, 64 * word, sizes, all);
                }
                return all;
            }
            Cost::Size if is_root => return 0.0,
            Cost::Size => {
                let mut result = 1.0;
                for (word, kept) in kept.iter().enumerate() {
                    result = volume(*kept, 64 * word, sizes, result);
                }
                return result;
            }
            Cost::Time => {}
        }
        let (mut result, mut contracted) = (1.0, 1.0);
        let (mut batches, mut contracts, mut left, mut right) = (0, 0, 0, 0);
        for (word, kept) in kept.iter().enumerate() {
            let (a, b) = (a[word], b[word]);
            result = volume(*kept, 64 * word, sizes, result);
            contracted = volume(a & b & !kept, 64 * word, sizes, contracted);
            batches |= a & b & kept;
            contracts |= a & b & !kept;
            left |= a & !b;
            right |= b & !a;
        }
        let free = usize::from(left != 0) + usize::from(right != 0);
        let [multiply_add, matrix] = product(self.cost, shape(batches != 0, contracts != 0, free));
        let mut total = multiply_add * (result * contracted);
        if matrix != 0.0 {
            let mut batch = 1.0;
            for (word, kept) in kept.iter().enumerate() {
                batch = volume(a[word] & b[word] & kept, 64 * word, sizes, batch);
            }
            total += matrix * batch;
        }
        if !is_root {
            total += element(self.cost) * result;
        }
        total
    }

    /// What all steps cost.
    pub(super) fn total(&self) -> f64 {
        let mut total = 0.0;
        for &cost in &self.costs {
            total = match self.cost {
                Cost::Size => cost.max(total),
                _ => cost + total,
            };
        }
        total
    }

    /// Whether some step makes more elements than the smaller one of its two has.
    pub(super) fn grows(&self) -> bool {
        let elements = |node: u32| {
            let mut elements = 1.0;
            for (word, set) in self.set(node).iter().enumerate() {
                elements = volume(*set, 64 * word, &self.sizes, elements);
            }
            elements
        };
        let grows = |step: usize| {
            let [a, b] = self.children[step];
            elements(step as u32) > elements(a).min(elements(b))
        };
        (self.leaves..self.children.len()).any(grows)
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

/// `before` times the sizes of the labels of a word, the first of which is `from`.
#[inline]
fn volume(mut word: u64, from: usize, sizes: &[f64], before: f64) -> f64 {
    let mut product = before;
    while word != 0 {
        product *= sizes[from + word.trailing_zeros() as usize];
        word &= word - 1;
    }
    product
}
