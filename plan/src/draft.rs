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
/// Nanoseconds an operand that a quick search takes, as a new set of shapes does anyway.
const QUICK: f64 = 500.0;
/// Nanoseconds of a rotation and of a split in an optimised build, in round numbers.
const ROTATION: f64 = 60.0;
const SPLIT: f64 = 3.0;

/// A tree, and whether the contraction takes so long that a better one is worth a search.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The tree so far.
    pub tree: Tree,
    /// Whether there is more to do.
    later: bool,
}

impl Draft {
    /// Whether [`Strategy::finish`] has something to do.
    pub fn is_final(&self) -> bool {
        !self.later
    }
}

impl Strategy {
    /// The order for sizes that will not change, without what a [`Chooser`] prepares for other ones; with
    /// [`finish`](Strategy::finish), the same tree as it chooses. `carried` and `output` are labels of length other than 1, as
    /// [`Network::carried`] and [`Network::carried_output`] give them; `network` is where they are from, unless the terms have
    /// these very labels, as where there are [plain sizes](crate::Checked::plain_sizes).
    ///
    /// # Errors
    /// If every tree, or the one that is settled, has an intermediate beyond the limit.
    pub fn draft(
        &self,
        network: Option<&Network>,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Result<Draft, IntermediateTooLarge> {
        let labels = sizes.len();
        let tree = match self.rule {
            Rule::Search { .. } if carried.len() > 1 => {
                return self.searched(carried, output, sizes);
            }
            Rule::Exact if carried.len() > FEW => {
                exact_tree(carried, output, labels, sizes, self, 0)?
            }
            _ => {
                let (inputs, kept) = network.map_or((carried, output), |network| {
                    (&network.inputs[..], &network.output[..])
                });
                let mut chooser = Chooser::new(self.clone(), inputs, kept, labels);
                Tree(chooser.choose(carried, output, sizes)?.to_vec())
            }
        };
        Ok(Draft { tree, later: false })
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
        if !draft.later {
            return None;
        }
        self.bettered(&draft.tree, carried, output, sizes)
    }

    /// A better tree than this one for these sizes, if the contraction takes long enough to look for one: first a quick one,
    /// since the time of a tree that is far from the best would be a measure too large, then what a search makes of the better.
    pub(crate) fn bettered(
        &self,
        tree: &Tree,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Option<Tree> {
        let operands = carried.len();
        let time = |tree: &Tree| evaluate(carried, output, sizes, &tree.0, Cost::Time).0;
        if self.groups.is_some() || time(tree) < QUICK * operands as f64 {
            return None;
        }
        let (other, _) = quick(carried, output, sizes, self.cost, true);
        let other = self.if_better(other, tree, carried, output, sizes);
        let best = other.as_ref().unwrap_or(tree);
        let effort = self.worth(operands, time(best));
        let better = effort.and_then(|effort| {
            let found = search_from(Some(best), carried, output, sizes, self.cost, effort);
            self.if_better(found, best, carried, output, sizes)
        });
        better.or(other)
    }

    /// A tree, if it is within the limit and cheaper than another one.
    fn if_better(
        &self,
        tree: Tree,
        other: &Tree,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
    ) -> Option<Tree> {
        let (cost, largest) = evaluate(carried, output, sizes, &tree.0, self.cost);
        let limit = self.max_intermediate;
        let within = limit.is_none_or(|limit| largest <= limit as f64);
        let (known, _) = evaluate(carried, output, sizes, &other.0, self.cost);
        // Rounding is not worth a change.
        (within && cost < known * (1.0 - 1e-9)).then_some(tree)
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
                later: false,
            });
        };
        // What the tree found last takes, if that is known.
        let (mut known, grouped) = (None, self.groups.is_some());
        let mut find = |tensors: &[Vec<Label>], kept: &[Label], cost: Cost| {
            if effort == 0 && cost == self.cost {
                let (tree, time) = quick(tensors, kept, sizes, cost, grouped);
                known = (!grouped).then_some(time);
                return tree;
            }
            known = None;
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
        let time = || evaluate(carried, output, sizes, &best.0, Cost::Time).0;
        let later = effort == 0 && self.groups.is_none() && {
            self.worth(carried.len(), known.unwrap_or_else(time))
                .is_some()
        };
        Ok(Draft { tree: best, later })
    }

    /// What a contraction that takes so many nanoseconds is worth.
    pub(crate) fn worth(&self, operands: usize, time: f64) -> Option<Effort> {
        // At most about two seconds, at least what the search before the sizes were known has done.
        let budget = (time / WORTH).min(2e9);
        let sweep = ROTATION * operands as f64;
        let sweeps = (budget / 4.0 / sweep) as usize;
        (sweeps >= 5 && self.groups.is_none()).then_some(Effort {
            seed: 1,
            exact: 0,
            starts: 2,
            sweeps,
            window: 8,
            splits: (budget / 2.0 / SPLIT) as u64,
        })
    }
}
