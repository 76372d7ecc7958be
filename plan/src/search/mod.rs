//! Orders of many tensors: a deterministic search, bounded by work and never by the clock.
//!
//! Few operands are put in their best order without outer products by dynamic programming. Of more, the first start is the
//! best of two greedy trees and two that take in one operand after the other, then greedy ones for sizes that a seeded
//! generator has disturbed, and every third start is the best tree so far. Each is annealed by rotations of its edges (Kalachev, Panteleev and Yung, "Recursive multi-tensor
//! contraction for XEB verification of quantum circuits", 2021; as the TreeSA of OMEinsum does) where the effort allows
//! it, and then improved by exact reconfiguration of subtrees of up to eight leaves until nothing changes (Gray and
//! Kourtis, "Hyper-optimized tensor network contraction", 2021). Arithmetic is products, sums and comparisons of
//! floats alone, which are the same on every machine.

mod anneal;
mod quick;
mod random;
mod reconfigure;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;
mod window;

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    evaluate::evaluate,
    exact::{Problem, solve_connected},
    greedy::{Score, greedy_by},
    order::Tree,
    spec::{Cost, Label},
};
use anneal::{HOT, WARM};
pub(crate) use quick::quick;
pub(crate) use random::Random;
use sweep::sweep;
use tree::Growing;

/// Operands times labels beyond which nothing but greedy is done.
const MOST: usize = 1 << 27;

/// What a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) seed: u64,
    /// Operands up to which all trees without outer products are looked at.
    pub(crate) exact: usize,
    /// Trees to start from.
    pub(crate) starts: usize,
    /// Sweeps of annealing over all edges, for each start.
    pub(crate) sweeps: usize,
    /// Leaves of the subtrees that are put in their best order.
    pub(crate) window: usize,
    /// Splits that exact reconfigurations may look at, for all starts together.
    pub(crate) splits: u64,
}

impl Effort {
    /// What a macro does unasked, in an unoptimised build: a fraction of a second for any number of operands.
    pub(crate) fn low(operands: usize) -> Effort {
        Effort {
            seed: 1,
            exact: 10,
            // Many short ones find more than few long ones. Sets of labels are longer, too, where there are many.
            starts: match operands {
                0..=64 => 6,
                65..=256 => 12,
                _ => 1,
            },
            sweeps: match operands {
                0..=64 => (12_000 / operands.max(1)).min(400),
                65..=256 => 30_000 / operands,
                _ => 40_000 / operands,
            },
            window: 8,
            splits: match operands {
                0..=64 => 600_000,
                65..=256 => 2_000_000,
                _ => 1_000_000,
            },
        }
    }

    /// The levels of `search(seed = …, effort = …)`: many starts find what a long annealing of one does not.
    pub(crate) fn level(seed: u64, level: u32) -> Effort {
        let level = level.min(6);
        Effort {
            seed,
            exact: 16,
            starts: 4 * 3usize.pow(level),
            sweeps: 250 * 2usize.pow(level),
            window: 8,
            splits: 200_000 * 10u64.pow(level),
        }
    }
}

/// The cheapest tree found.
pub(crate) fn search(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    cost: Cost,
    effort: Effort,
) -> Tree {
    search_from(None, carried, output, sizes, cost, effort)
}

/// The same, from a tree that is known already.
pub(crate) fn search_from(
    start: Option<&Tree>,
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    cost: Cost,
    effort: Effort,
) -> Tree {
    let price = |tree: &Tree| evaluate(carried, output, sizes, &tree.0, cost).0;
    let cheaper = |a: Tree, b: Tree| if price(&b) < price(&a) { b } else { a };
    let mut random = Random::new(effort.seed);
    let mut plain = sweep(carried, output, sizes);
    for score in [Score::Growth, Score::Result] {
        plain = cheaper(plain, greedy_by(score, carried, output, sizes, None));
    }
    plain = cheaper(plain, Tree::left_to_right(carried.len()));
    if let Some(known) = start {
        plain = cheaper(known.clone(), plain);
    }
    let rounds = effort.starts.max(1);
    let share = effort.splits / (rounds + 1) as u64;
    let improved = |tree: &Tree, hot: f64, sweeps: usize, random: &mut Random| {
        let mut growing = Growing::new(carried, output, sizes, &tree.0, cost);
        anneal::anneal(&mut growing, hot, sweeps, random);
        reconfigure::reconfigure(&mut growing, effort.window, share);
        growing.tree()
    };
    if carried.len() <= effort.exact {
        let size = |label: Label| sizes[usize::from(label)];
        let (problem, _) = Problem::of_labels(carried, output, sizes.len(), size);
        // Not annealed: an outer product is sometimes better.
        let best = improved(&plain, HOT, 0, &mut random);
        if let Some(exact) = solve_connected(&problem, cost) {
            return cheaper(best, Tree(exact.pairs(carried.len())));
        }
    }
    // Sets of labels for every step of a giant would take more memory than the search is worth.
    if carried.len() * sizes.len() > MOST {
        return plain;
    }
    let mut best = improved(&plain, HOT, 0, &mut random);
    for round in 0..if effort.sweeps == 0 { 0 } else { rounds } {
        let (tree, hot) = match round % 3 {
            0 if round == 0 => (plain.clone(), WARM),
            // Of the best so far, what is nearby.
            2 => (best.clone(), WARM),
            _ => (
                greedy_by(
                    Score::Growth,
                    carried,
                    output,
                    &disturbed(sizes, &mut random),
                    None,
                ),
                HOT,
            ),
        };
        best = cheaper(best, improved(&tree, hot, effort.sweeps, &mut random));
    }
    best
}

/// Each size times a factor from a quarter to four.
pub(crate) fn disturbed(sizes: &[usize], random: &mut Random) -> Vec<usize> {
    let disturb = |&size: &usize| {
        let factor = 16 + random.below(241);
        (size.max(1).saturating_mul(factor as usize) / 64).max(1)
    };
    sizes.iter().map(disturb).listed()
}
