//! The memory of choosers: what the choice of an order can prepare for a plan and ranks, done once.

use std::collections::BTreeMap;

use cteinsum_plan::{Chooser, IntermediateTooLarge, Label, Network};

use crate::engine::plan::{Plan, PlanKey};

/// Plans to remember. A program has few whose order is not settled.
const MOST: usize = 1024;

/// One chooser a plan and ranks. What an einsum computes does not depend on which are remembered.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    choosers: BTreeMap<(PlanKey, Box<[usize]>), Chooser>,
}

impl Orders {
    pub(crate) const fn new() -> Self {
        Orders {
            choosers: BTreeMap::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.choosers.clear();
    }

    /// The contraction tree of a plan, for operands that carry these labels, and sizes.
    pub(crate) fn tree<R>(
        &mut self,
        plan: Plan<'_>,
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
            Chooser::new(
                plan.strategy(),
                &network.inputs,
                &network.output,
                network.labels,
            )
        };
        let mut once;
        let chooser = match plan.key() {
            Some(key) => {
                let ranks = network.inputs.iter().map(Vec::len).collect();
                if self.choosers.len() >= MOST {
                    self.choosers.clear();
                }
                self.choosers.entry((key, ranks)).or_insert_with(new)
            }
            None => {
                once = new();
                &mut once
            }
        };
        Ok(then(&chooser.choose(carried, output, sizes)?))
    }
}
