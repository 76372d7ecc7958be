//! The trees among which the sizes choose, where there are too many operands for an exact choice.

use crate::lists::Listed;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::{
    evaluate::evaluate,
    groups::Groups,
    nested::in_groups,
    order::Tree,
    search::{Effort, Random, disturbed, search, search_from},
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
        // With sizes, no other regimes; with very many operands, no time for them.
        if !self.known && self.carried.len() <= 512 {
            let smaller = |by: usize| self.sizes.iter().map(|size| (size / by).max(2)).listed();
            regimes.push(smaller(8));
            regimes.push(smaller(32));
            let mut random = Random::new(effort.seed);
            let few = self.carried.len() <= 16;
            for _ in 0..if few { 2 } else { 0 } {
                regimes.push(disturbed(&disturbed(self.sizes, &mut random), &mut random));
            }
        }
        let price = |tree: &Tree, sizes: &[usize]| {
            evaluate(self.carried, self.output, sizes, &tree.0, cost).0
        };
        let cheapest = |trees: &[Tree], sizes: &[usize]| {
            let prices = |a: &&Tree, b: &&Tree| price(a, sizes).total_cmp(&price(b, sizes));
            trees.iter().min_by(prices).cloned()
        };
        // What is good for some sizes is not far from what is good for others: the first regime is searched, the others
        // from there.
        let nearby = Effort {
            starts: 1,
            splits: effort.splits / 4,
            ..effort
        };
        let mut found: Vec<Tree> = Vec::new();
        for sizes in &regimes {
            let start = cheapest(&found, sizes);
            let effort = if found.is_empty() { effort } else { nearby };
            let tree = self.tree(start.as_ref(), sizes, cost, effort);
            if !found.contains(&tree) {
                found.push(tree);
            }
        }
        let mut trees: Vec<Tree> = Vec::new();
        for sizes in &regimes {
            if let Some(best) = cheapest(&found, sizes)
                && !trees.contains(&best)
                && trees.len() < MOST
            {
                trees.push(best);
            }
        }
        trees
    }

    /// The tree for some sizes, groups obeyed.
    fn tree(&self, start: Option<&Tree>, sizes: &[usize], cost: Cost, effort: Effort) -> Tree {
        let Some(groups) = self.groups else {
            return search_from(start, self.carried, self.output, sizes, cost, effort);
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
