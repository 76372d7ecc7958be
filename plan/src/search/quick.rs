//! The order for sizes that are known only when a program runs: in a microsecond or two a tensor.

use alloc::vec::Vec;

use super::{
    anneal::{WARM, anneal},
    random::Random,
    reconfigure::reconfigure_some,
    sweep::sweep,
    tree::Growing,
};
use crate::{
    greedy::{Score, greedy_by},
    model::LEAST,
    order::Tree,
    spec::{Cost, Label},
};

/// Nanoseconds an operand that a contraction takes at least where windows are worth their time.
const SHORT: f64 = 100.0;
/// For this many operands and times, windows alone serve well; a second start would take longer than all else.
const FEW: usize = 16;
const ENOUGH: core::ops::Range<f64> = 1_000.0..12_500.0;
/// Nanoseconds an operand from which more will be done before the contraction is run.
const LONG: f64 = 1e6;
/// Sweeps of the first annealing, and nanoseconds an operand that each must be worth: a few times what it takes.
const SWEEPS: usize = 12;
const SWEEP: f64 = 160.0;
/// Nanoseconds an operand from which a longer search comes before the contraction is run.
const SEARCHED: f64 = 1.2e5;

/// A tree for these sizes, and the time that it is predicted to take.
///
/// The start is a sweep, improved by rotations that cost less and by a pass of exact windows; where that makes anything
/// grow, also a greedy tree, the better one of the two improved ones being taken. Not where that is still to come, the
/// contraction being long, unless all is to be done now. Then it is annealed, longer each time, as long as the contraction is worth
/// that and a tenth is gained. What is done depends on operands and costs alone.
pub(crate) fn quick(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    cost: Cost,
    now: bool,
) -> (Tree, f64) {
    let operands = carried.len();
    let improved = |tree: &Tree, known: f64| {
        let mut growing = Growing::new(carried, output, sizes, &tree.0, cost);
        anneal(&mut growing, 0.0, 3, &mut Random::new(1));
        let time = time(growing.total(), cost);
        // What is far behind will not catch up.
        if time > SHORT * operands as f64 && growing.total() < 4.0 * known {
            reconfigure_some(&mut growing, 6, 3);
        }
        growing
    };
    let mut best = improved(&sweep(carried, output, sizes), f64::INFINITY);
    let known = best.total();
    let per_operand = time(known, cost) / operands as f64;
    let fine = operands <= FEW && ENOUGH.contains(&per_operand) || per_operand > LONG && !now;
    if !fine && best.grows() {
        let greedy = greedy_by(Score::Growth, carried, output, sizes, None);
        let other = improved(&greedy, known);
        if other.total() < known {
            best = other;
        }
    }
    // As long as it pays: what is found is far from the best where labels lead everywhere.
    let mut sweeps = if fine { usize::MAX } else { SWEEPS };
    loop {
        let total = best.total();
        let per_operand = time(total, cost) / operands as f64;
        if per_operand < SWEEP * sweeps as f64 || per_operand > SEARCHED {
            return (best.tree(), best.time());
        }
        let mut other = best.clone();
        anneal(&mut other, WARM, sweeps, &mut Random::new(1));
        reconfigure_some(&mut other, 6, 3);
        sweeps = match other.total() {
            better if better < 0.9 * total => 2 * sweeps,
            _ => usize::MAX,
        };
        if other.total() < total {
            best = other;
        }
    }
}

/// About how many nanoseconds the contraction takes.
fn time(total: f64, cost: Cost) -> f64 {
    match cost {
        Cost::Flops => LEAST * total,
        _ => total,
    }
}
