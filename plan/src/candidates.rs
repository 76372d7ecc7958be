//! The trees among which the sizes choose, where there are too many operands for an exact choice.

use crate::lists::Listed;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::{
    evaluate::evaluate,
    groups::Groups,
    nested::in_groups,
    order::Tree,
    search::{Effort, Random, disturbed, search},
    spec::{Cost, Label},
};

/// Trees to keep.
const MOST: usize = 8;

/// What is known of an einsum before its sizes are.
pub(crate) struct Network<'a> {
    pub(crate) carried: &'a [Vec<Label>],
    pub(crate) output: &'a [Label],
    /// The sizes that are expected.
    pub(crate) sizes: &'a [usize],
    /// Whether these are given for all labels.
    pub(crate) known: bool,
    pub(crate) groups: Option<&'a Groups>,
}

impl Network<'_> {
    /// The cheapest trees found for several regimes of sizes, each once, the one for the expected sizes first.
    ///
    /// Every one of them is the cheapest of all for one regime, so that none is beaten by another for all sizes.
    pub(crate) fn candidates(&self, cost: Cost, effort: Effort) -> Vec<Tree> {
        let mut regimes = alloc::vec![self.sizes.to_vec()];
        // With sizes, no other regimes; with many operands, no time for them.
        if !self.known && self.carried.len() <= 64 {
            let mut random = Random::new(effort.seed);
            regimes.push(self.sizes.iter().map(|size| (size / 8).max(2)).listed());
            let few = self.carried.len() <= 16;
            for _ in 0..if few { 2 } else { 0 } {
                regimes.push(disturbed(&disturbed(self.sizes, &mut random), &mut random));
            }
        }
        let share = Effort {
            splits: effort.splits / regimes.len() as u64,
            sweeps: effort.sweeps.div_ceil(regimes.len()),
            ..effort
        };
        let mut found: Vec<Tree> = Vec::new();
        for sizes in &regimes {
            let tree = self.tree(sizes, cost, share);
            if !found.contains(&tree) {
                found.push(tree);
            }
        }
        let mut trees: Vec<Tree> = Vec::new();
        for sizes in &regimes {
            let price = |tree: &Tree| evaluate(self.carried, self.output, sizes, &tree.0, cost).0;
            let best = found.iter().min_by(|a, b| price(a).total_cmp(&price(b)));
            if let Some(best) = best
                && !trees.contains(best)
                && trees.len() < MOST
            {
                trees.push(best.clone());
            }
        }
        trees
    }

    /// The tree for some sizes, groups obeyed.
    fn tree(&self, sizes: &[usize], cost: Cost, effort: Effort) -> Tree {
        let Some(groups) = self.groups else {
            return search(self.carried, self.output, sizes, cost, effort);
        };
        let order = |tensors: &[Vec<Label>], kept: &[Label]| {
            Ok::<_, Infallible>(search(tensors, kept, sizes, cost, effort).0)
        };
        match in_groups(self.carried, self.output, sizes.len(), groups, order) {
            Ok(tree) => tree,
            Err(never) => match never {},
        }
    }
}
