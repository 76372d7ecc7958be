//! The best order of a few tensors within a tree.

use super::tree::Growing;
use crate::{
    model::{LEAST, element, product, shape},
    spec::Cost,
};

/// What an element of an intermediate costs at least: it is one multiply-add or more.
pub(super) fn per_element(cost: Cost) -> f64 {
    match cost {
        Cost::Time => element(cost) + LEAST,
        Cost::Flops | Cost::Size => 1.0,
    }
}

/// Tensors of a window at most.
pub(super) const MOST: usize = 8;
const SUBSETS: usize = 1 << MOST;

/// A step and what is below it: the tensors it is made of, and the steps in between, itself the first. Room for a dynamic
/// program over the subsets of these tensors, to be used again.
///
/// A subset is bits, the first tensor the highest, so that of equals the part that is met first is the one that has the
/// tensors in the order they are given in.
pub(super) struct Window {
    tensors: [u32; MOST],
    pub(super) count: usize,
    steps: [u32; MOST],
    /// The sizes of all labels that some tensor of a subset carries.
    reach: [f64; SUBSETS],
    /// One over the sizes of all labels that only tensors of a subset carry, and the step does not keep.
    inside: [f64; SUBSETS],
    elements: [f64; SUBSETS],
    costs: [f64; SUBSETS],
    left: [u8; SUBSETS],
    /// Splits that were looked at.
    pub(super) splits: u64,
}

impl Window {
    pub(super) fn new() -> Window {
        Window {
            tensors: [0; MOST],
            count: 0,
            steps: [0; MOST],
            reach: [1.0; SUBSETS],
            inside: [1.0; SUBSETS],
            elements: [1.0; SUBSETS],
            costs: [0.0; SUBSETS],
            left: [0; SUBSETS],
            splits: 0,
        }
    }

    pub(super) fn tensors(&self) -> &[u32] {
        &self.tensors[..self.count]
    }

    pub(super) fn steps(&self) -> &[u32] {
        &self.steps[..self.count - 1]
    }

    /// Opens the steps below a node, the most expensive first.
    pub(super) fn open(&mut self, tree: &Growing, node: u32, most: usize) {
        let children = &tree.children[..];
        let costs = &tree.costs[..];
        [self.tensors[0], self.tensors[1]] = children[node as usize];
        self.steps[0] = node;
        self.count = 2;
        while self.count < most {
            let (mut at, mut open, mut dearest) = (0, most, -1.0);
            while at < self.count {
                let tensor = self.tensors[at];
                let cost = costs[tensor as usize];
                if !tree.is_leaf(tensor) && cost > dearest {
                    (open, dearest) = (at, cost);
                }
                at += 1;
            }
            if open == most {
                return;
            }
            let step = self.tensors[open];
            self.steps[self.count - 1] = step;
            [self.tensors[open], self.tensors[self.count]] = children[step as usize];
            self.count += 1;
        }
    }

    /// What the steps cost now; for [`Cost::Size`] without the first, which is the same in any order.
    pub(super) fn known(&self, tree: &Growing) -> f64 {
        let mut known = 0.0f64;
        for (at, &step) in self.steps().iter().enumerate() {
            let cost = tree.costs[step as usize];
            match tree.cost {
                Cost::Size if at == 0 => {}
                Cost::Size => known = known.max(cost),
                _ => known += cost,
            }
        }
        known
    }

    /// The least that the steps can cost, [`pairs`](Window::pairs) then being how; `None` where that takes more than products
    /// of sizes: where there is a batch, whose kind the model asks for, or where they are beyond the range of a float. Orders
    /// that cost `most` or more are not looked at; that or more if it is all.
    pub(super) fn solve(&mut self, tree: &Growing, most: f64) -> Option<f64> {
        let subsets = 1usize << self.count;
        let all = subsets - 1;
        let node = self.steps[0];
        let plain = self.multiply(tree, node);
        self.splits += subsets as u64;
        if self.reach[0] > 1e300 || !plain && tree.cost == Cost::Time {
            return None;
        }
        let (reach, inside) = (&self.reach, &self.inside);
        let (elements, costs, left) = (&mut self.elements, &mut self.costs, &mut self.left);
        let own = element(tree.cost);
        let largest = most / per_element(tree.cost);
        // By bytes, which are within the arrays whatever they are.
        let mut at = 0;
        while at < all {
            at += 1;
            let subset = at as u8;
            let size = reach[at] * inside[at];
            elements[at] = size;
            costs[at] = 0.0;
            if subset.is_power_of_two() {
                continue;
            }
            if size > largest && at != all {
                costs[at] = f64::INFINITY;
                continue;
            }
            let first = 1 << subset.ilog2();
            let others = subset ^ first;
            self.splits += 1 << others.count_ones();
            let mut other = others;
            let (mut best, mut best_part) = (most, 0);
            let reach = reach[at];
            match tree.cost {
                Cost::Flops => {
                    while other != 0 {
                        other = (other - 1) & others;
                        let part = first | other;
                        let (p, r) = (part as usize, (others ^ other) as usize);
                        let below = costs[p] + costs[r];
                        let split = below + reach * (inside[p] * inside[r]);
                        if split < best {
                            (best, best_part) = (split, part);
                        }
                    }
                }
                Cost::Time => {
                    // Every size is 2 or more: what is beyond 1 is there.
                    let per_element = 1.5 / size;
                    while other != 0 {
                        other = (other - 1) & others;
                        let part = first | other;
                        let (p, r) = (part as usize, (others ^ other) as usize);
                        let below = costs[p] + costs[r];
                        let work = reach * (inside[p] * inside[r]);
                        if below + LEAST * work >= best {
                            continue;
                        }
                        let contracted = work * per_element;
                        let free = usize::from(elements[p] > contracted)
                            + usize::from(elements[r] > contracted);
                        let [rate, _] = product(Cost::Time, shape(false, contracted > 2.0, free));
                        let split = below + rate * work;
                        if split < best {
                            (best, best_part) = (split, part);
                        }
                    }
                }
                Cost::Size => {
                    while other != 0 {
                        other = (other - 1) & others;
                        let part = first | other;
                        let (p, r) = (part as usize, (others ^ other) as usize);
                        let split = costs[p].max(costs[r]);
                        if split < best {
                            (best, best_part) = (split, part);
                        }
                    }
                }
            }
            // The result of the root is no intermediate.
            costs[at] = match tree.cost {
                Cost::Size if at == all => best,
                Cost::Size => best.max(size),
                _ if at == all && node == tree.root => best,
                _ => best + own * size,
            };
            left[at] = best_part;
        }
        Some(costs[all])
    }

    /// Fills the products by subset; says whether every label is in two places at most, the step being one. Where the sizes
    /// are too large, the first of the products is.
    fn multiply(&mut self, tree: &Growing, node: u32) -> bool {
        let subsets = 1usize << self.count;
        let (reach, inside) = (&mut self.reach, &mut self.inside);
        reach[..subsets].fill(1.0);
        inside[..subsets].fill(1.0);
        let (mut plain, mut whole) = (true, 1.0);
        // First one over the sizes of labels, by the very tensors that carry them.
        let mut word = 0;
        while word < tree.words {
            let above = tree.sets[node as usize * tree.words + word];
            let mut sets = [0; MOST];
            let (mut at, mut all) = (0, 0);
            while at < self.count {
                sets[at] = tree.sets[self.tensors[at] as usize * tree.words + word];
                all |= sets[at];
                at += 1;
            }
            while all != 0 {
                let bit = all.trailing_zeros();
                all &= all - 1;
                let (mut at, mut carriers) = (0, 0);
                while at < self.count {
                    carriers = carriers << 1 | (sets[at] >> bit & 1) as usize;
                    at += 1;
                }
                let size = tree.sizes[64 * word + bit as usize];
                let kept = above >> bit & 1 == 1;
                whole *= size;
                let inverse = 1.0 / size;
                reach[carriers] *= inverse;
                if !kept {
                    inside[carriers] *= inverse;
                }
                plain &= carriers.count_ones() + u32::from(kept) <= 2;
            }
            word += 1;
        }
        // Then by all subsets of tensors that hold all carriers.
        let mut bit = 1;
        while bit < subsets {
            let mut from = bit;
            while from < subsets {
                let mut subset = from;
                while subset < from + bit {
                    let (with, without) = (subset % SUBSETS, (subset ^ bit) % SUBSETS);
                    reach[with] *= reach[without];
                    inside[with] *= inside[without];
                    subset += 1;
                }
                from += 2 * bit;
            }
            bit <<= 1;
        }
        if whole > 1e300 {
            reach[0] = f64::INFINITY;
            return plain;
        }
        // What only tensors outside a subset carry is not within its reach.
        let all = subsets - 1;
        let mut subset = 0;
        while subset <= all / 2 {
            let (a, b) = (reach[subset], reach[all ^ subset]);
            (reach[subset], reach[all ^ subset]) = (whole * b, whole * a);
            subset += 1;
        }
        plain
    }

    /// The steps of the order found, those below a step before it, as pairs of places: the tensors, then the steps.
    pub(super) fn pairs(&self, pairs: &mut [(usize, usize); MOST]) {
        let mut made = 0;
        self.emit((1 << self.count) - 1, pairs, &mut made);
    }

    fn emit(&self, subset: usize, pairs: &mut [(usize, usize); MOST], made: &mut usize) -> usize {
        if subset.is_power_of_two() {
            return self.count - 1 - subset.trailing_zeros() as usize;
        }
        let part = usize::from(self.left[subset]);
        let left = self.emit(part, pairs, made);
        let right = self.emit(subset ^ part, pairs, made);
        pairs[*made] = (left, right);
        *made += 1;
        self.count + *made - 1
    }
}
