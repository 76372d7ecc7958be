//! Orders for sizes that are known, one call at a time: what must be settled at once, and what a long contraction is worth.

use alloc::vec::Vec;
use core::convert::Infallible;

use crate::{
    evaluate::evaluate,
    nested::in_groups,
    network::Network,
    order::Tree,
    search::{Effort, quick, search, search_from},
    spec::{Cost, Label},
    strategy::{Chooser, FEW, IntermediateTooLarge, Rule, Strategy, exact_tree},
};

/// A contraction takes at least this many times the time of a search that is made for it.
const WORTH: f64 = 100.0;
/// Nanoseconds of a rotation and of a split in an optimised build, in round numbers.
const ROTATION: f64 = 80.0;
const SPLIT: f64 = 5.0;

/// A tree, and whether the contraction takes so long that a better one is worth a search.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The tree so far.
    pub tree: Tree,
    later: Option<Effort>,
}

impl Draft {
    /// Whether [`Strategy::finish`] has something to do.
    pub fn is_final(&self) -> bool {
        self.later.is_none()
    }
}

impl Strategy {
    /// The order for sizes that will not change, without what a [`Chooser`] prepares for other ones; with
    /// [`finish`](Strategy::finish), the same tree as it chooses. `carried` and `output` are labels of length other than 1, as
    /// [`Network::carried`] and [`Network::carried_output`] give them.
    ///
    /// # Errors
    /// If every tree, or the one that is settled, has an intermediate beyond the limit.
    pub fn draft(
        &self,
        network: &Network,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Result<Draft, IntermediateTooLarge> {
        let labels = network.labels;
        let tree = match self.rule {
            Rule::Search { .. } if carried.len() > 1 => {
                return self.searched(carried, output, sizes);
            }
            Rule::Exact if carried.len() > FEW => exact_tree(carried, output, labels, sizes, self)?,
            _ => {
                let mut chooser =
                    Chooser::new(self.clone(), &network.inputs, &network.output, labels);
                Tree(chooser.choose(carried, output, sizes)?.to_vec())
            }
        };
        Ok(Draft { tree, later: None })
    }

    /// A better tree than that of the draft, if the contraction is long enough for a search to find one.
    ///
    /// How much is searched depends on the predicted time alone, so that a call computes the same whatever was computed
    /// before.
    pub fn finish(
        &self,
        draft: &Draft,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Option<Tree> {
        self.refined(&draft.tree, draft.later?, carried, output, sizes)
    }

    /// What [`Rule::Search`] finds at once.
    pub(crate) fn searched(
        &self,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Result<Draft, IntermediateTooLarge> {
        let Rule::Search { seed, effort } = self.rule else {
            return Ok(Draft {
                tree: self.tree.clone(),
                later: None,
            });
        };
        let mut total = 0.0;
        let mut find = |tensors: &[Vec<Label>], kept: &[Label], cost: Cost| {
            if effort == 0 && cost == self.cost {
                let (tree, price) = quick(tensors, kept, sizes, cost);
                total += price;
                return tree;
            }
            let effort = match effort {
                0 => Effort::low(tensors.len()),
                effort => Effort::level(seed, effort),
            };
            search(tensors, kept, sizes, cost, effort)
        };
        let mut tree = |cost: Cost| match &self.groups {
            None => find(carried, output, cost),
            Some(groups) => {
                let find = |tensors: &[Vec<Label>], kept: &[Label]| {
                    Ok::<_, Infallible>(find(tensors, kept, cost).0)
                };
                match in_groups(carried, output, sizes.len(), groups, find) {
                    Ok(tree) => tree,
                    Err(never) => match never {},
                }
            }
        };
        let mut best = tree(self.cost);
        if let Some(limit) = self.max_intermediate {
            let largest = |tree: &Tree| evaluate(carried, output, sizes, &tree.0, Cost::Size).0;
            if largest(&best) > limit as f64 {
                best = tree(Cost::Size);
            }
            let smallest = largest(&best);
            if smallest > limit as f64 {
                return Err(IntermediateTooLarge {
                    limit,
                    smallest: smallest as u64,
                    exact: false,
                });
            }
        }
        let time = match self.cost {
            Cost::Time => total,
            _ => evaluate(carried, output, sizes, &best.0, Cost::Time).0,
        };
        let later = match effort {
            0 => self.worth(carried.len(), time),
            _ => None,
        };
        Ok(Draft { tree: best, later })
    }

    /// What a contraction that takes so many nanoseconds is worth.
    pub(crate) fn worth(&self, operands: usize, time: f64) -> Option<Effort> {
        // At most about two seconds, at least what the search before the sizes were known has done.
        let budget = (time / WORTH).min(2e9);
        let sweep = ROTATION * operands as f64;
        let sweeps = (budget / 4.0 / sweep) as usize;
        (sweeps >= 20 && self.groups.is_none()).then_some(Effort {
            seed: 1,
            exact: 0,
            starts: 2,
            sweeps,
            window: 8,
            splits: (budget / 2.0 / SPLIT) as u64,
        })
    }

    /// A tree that a search makes of another one, if it is better.
    pub(crate) fn refined(
        &self,
        tree: &Tree,
        effort: Effort,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Option<Tree> {
        let better = search_from(Some(tree), carried, output, sizes, self.cost, effort);
        let (cost, largest) = evaluate(carried, output, sizes, &better.0, self.cost);
        let limit = self.max_intermediate;
        let within = limit.is_none_or(|limit| largest <= limit as f64);
        let (known, _) = evaluate(carried, output, sizes, &tree.0, self.cost);
        // Rounding is not worth a change.
        (within && cost < known * (1.0 - 1e-9)).then_some(better)
    }
}
