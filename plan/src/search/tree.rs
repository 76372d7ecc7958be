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
    /// By place in a set.
    pub(super) sizes: Vec<f64>,
    /// By word of a set, where all its labels have one size: the powers of it. The first is 0 where they do not.
    powers: Vec<[f64; 65]>,
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
        let (places, words) = places(sizes);
        // A label without a place of its own has that of its number.
        let place = |label: usize| places.get(label).copied().unwrap_or(label);
        let nodes = leaves + pairs.len();
        let mut children = Vec::with_capacity(nodes);
        children.resize(leaves, [NONE; 2]);
        let mut tree = Growing {
            leaves,
            cost,
            sizes: alloc::vec![0.0; 64 * words],
            powers: alloc::vec![[0.0; 65]; words],
            children,
            words,
            sets: alloc::vec![0; nodes * words],
            costs: alloc::vec![0.0; nodes],
            root: nodes as u32 - 1,
        };
        let all = users(carried, output, sizes.len());
        for (label, &size) in sizes.iter().enumerate() {
            tree.sizes[place(label)] = size.max(1) as f64;
        }
        for (word, row) in tree.powers.iter_mut().enumerate() {
            fill(row, &tree.sizes[64 * word..64 * (word + 1)]);
        }
        for (node, labels) in carried.iter().enumerate() {
            for &label in labels {
                let label = usize::from(label);
                // A label with one user is summed before anything else, whatever the order, and one of size 1 counts for nothing.
                if all[label] > 1 && sizes[label] > 1 {
                    let place = place(label);
                    tree.sets[node * words + place / 64] |= 1 << (place % 64);
                }
            }
        }
        let mut users = all;
        if !places.is_empty() {
            let all = core::mem::replace(&mut users, alloc::vec![0; 64 * words]);
            for (label, &place) in places.iter().enumerate() {
                users[place] = all[label];
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
        let words = self.words;
        let (a, b, kept) = (&a[..words], &b[..words], &kept[..words]);
        let mut word = 0;
        match self.cost {
            Cost::Flops => {
                let mut all = 1.0;
                while word < words {
                    let both = a[word] | b[word];
                    if both != 0 {
                        all *= self.volume(word, both);
                    }
                    word += 1;
                }
                return all;
            }
            Cost::Size if is_root => return 0.0,
            Cost::Size => return self.elements(kept),
            Cost::Time => {}
        }
        let (mut result, mut contracted) = (1.0, 1.0);
        let (mut batches, mut contracts, mut left, mut right) = (0, 0, 0, 0);
        while word < words {
            let (a, b, kept) = (a[word], b[word], kept[word]);
            if a | b == 0 {
                word += 1;
                continue;
            }
            let shared = a & b;
            result *= self.volume(word, kept);
            contracted *= self.volume(word, shared & !kept);
            batches |= shared & kept;
            contracts |= shared & !kept;
            left |= a & !b;
            right |= b & !a;
            word += 1;
        }
        let free = usize::from(left != 0) + usize::from(right != 0);
        let [multiply_add, matrix] = product(self.cost, shape(batches != 0, contracts != 0, free));
        let mut total = multiply_add * (result * contracted);
        if matrix != 0.0 {
            let mut batch = 1.0;
            for (word, kept) in kept.iter().enumerate() {
                batch *= self.volume(word, a[word] & b[word] & kept);
            }
            total += matrix * batch;
        }
        if !is_root {
            total += element(self.cost) * result;
        }
        total
    }

    /// The sizes of the labels of a set, multiplied.
    fn elements(&self, set: &[u64]) -> f64 {
        let (mut elements, mut word) = (1.0, 0);
        while word < set.len() {
            elements *= self.volume(word, set[word]);
            word += 1;
        }
        elements
    }

    /// The sizes of the labels of a word of a set, multiplied.
    #[inline]
    fn volume(&self, word: usize, mut bits: u64) -> f64 {
        let powers = &self.powers[word];
        if powers[0] != 0.0 {
            return powers[bits.count_ones() as usize];
        }
        let sizes = &self.sizes[64 * word..];
        let mut product = 1.0;
        while bits != 0 {
            product *= sizes[bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        product
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

    /// What all steps cost by the model of time.
    pub(super) fn time(mut self) -> f64 {
        if self.cost != Cost::Time {
            self.cost = Cost::Time;
            for node in self.leaves..self.children.len() {
                let [left, right] = self.children[node];
                self.costs[node] = self.cost_of(node as u32, left, right);
            }
        }
        self.total()
    }

    /// Whether some step makes more elements than the smaller one of its two has.
    pub(super) fn grows(&self) -> bool {
        let elements = |node: u32| self.elements(self.set(node));
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
        let mut nodes = Vec::new();
        self.upwards_in(&mut nodes);
        nodes
    }

    /// The same in a list that is there already.
    pub(super) fn upwards_in(&self, nodes: &mut Vec<u32>) {
        let steps = self.children.len() - self.leaves;
        nodes.resize(steps, self.root);
        // From behind, those that are open at the front: together they are no more than there are.
        let (mut open, mut free) = (usize::from(steps > 0), steps);
        nodes[..open].fill(self.root);
        while open > 0 {
            open -= 1;
            let node = nodes[open];
            free -= 1;
            nodes[free] = node;
            for child in self.children[node as usize] {
                if !self.is_leaf(child) {
                    nodes[open] = child;
                    open += 1;
                }
            }
        }
    }
}

/// Labels of one size from which they have words of a set to themselves.
const MANY: usize = 32;

/// The place of each label in a set, nothing if it is the label itself, and the words of a set. What most labels have in common is in words of its own, so that
/// a product of sizes is a power.
fn places(sizes: &[usize]) -> (Vec<usize>, usize) {
    if sizes.len() <= 64 || sizes.iter().all(|size| *size == sizes[0]) {
        return (Vec::new(), sizes.len().div_ceil(64));
    }
    let mut classes: Vec<(usize, usize)> = Vec::new();
    for &size in sizes {
        match classes.iter().position(|class| class.0 == size) {
            Some(at) => classes[at].1 += 1,
            None if classes.len() < 8 => classes.push((size, 1)),
            None => {}
        }
    }
    classes.retain(|class| class.1 >= MANY);
    let mut places = alloc::vec![0; sizes.len()];
    let mut next = 0usize;
    for class in 0..=classes.len() {
        next = next.next_multiple_of(64);
        for (label, size) in sizes.iter().enumerate() {
            let own = classes.iter().position(|class| class.0 == *size);
            if own.unwrap_or(classes.len()) == class {
                places[label] = next;
                next += 1;
            }
        }
    }
    (places, next.div_ceil(64))
}

/// Fills in the powers of the size that the labels of a word have, 0 being none, if they have one.
fn fill(powers: &mut [f64; 65], sizes: &[f64]) {
    let (mut at, mut power) = (0, 1.0);
    while at < 64 && sizes[at] != 0.0 {
        if sizes[at] != sizes[0] {
            powers[0] = 0.0;
            return;
        }
        powers[at] = power;
        power *= sizes[0];
        at += 1;
    }
    powers[at] = power;
}
