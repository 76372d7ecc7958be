//! The memory of choosers: what the choice of an order can prepare for a plan and ranks, done once.

use cteinsum_plan::{Chooser, IntermediateTooLarge, Label, Network};

use crate::engine::plan::{Plan, PlanKey};

/// Plans to remember. A program has few whose order is not settled.
const MOST: usize = 1024;

/// One chooser a plan and ranks. What an einsum computes does not depend on which are remembered.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// In the order of the keys: the plan, the operands that are real among complex ones, the ranks of all.
    choosers: Vec<(PlanKey, u32, Box<[usize]>, Chooser)>,
}

impl Orders {
    pub(crate) const fn new() -> Self {
        Orders {
            choosers: Vec::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.choosers.clear();
    }

    /// The contraction tree of a plan, for operands that carry these labels, and sizes.
    #[allow(clippy::too_many_arguments)] // the key of a chooser, and what it chooses by
    pub(crate) fn tree<R>(
        &mut self,
        plan: Plan<'_>,
        real: u32,
        network: &Network,
        carried: &[Vec<Label>],
        output: &[Label],
        sizes: &[usize],
        then: impl FnOnce(&[(u32, u32)]) -> R,
    ) -> Result<R, IntermediateTooLarge> {
        if let Some(tree) = plan.settled() {
            return Ok(then(tree));
        }
        let new = || {
            Chooser::mixed(
                plan.strategy(),
                &network.inputs,
                &network.output,
                network.labels,
                real,
            )
        };
        let mut once;
        let chooser = match plan.key() {
            Some(key) => {
                let ranks = || network.inputs.iter().map(Vec::len);
                let found = self.choosers.binary_search_by(|(known, parts, its, _)| {
                    known
                        .cmp(&key)
                        .then(parts.cmp(&real))
                        .then_with(|| its.iter().copied().cmp(ranks()))
                });
                let at = found.unwrap_or_else(|at| {
                    let full = self.choosers.len() >= MOST;
                    if full {
                        self.choosers.clear();
                    }
                    let at = if full { 0 } else { at };
                    self.choosers
                        .insert(at, (key, real, ranks().collect(), new()));
                    at
                });
                &mut self.choosers[at].3
            }
            None => {
                once = new();
                &mut once
            }
        };
        Ok(then(&chooser.choose(carried, output, sizes)?))
    }
}
