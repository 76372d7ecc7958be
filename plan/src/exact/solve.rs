//! The search itself, for any sizes.

use crate::lists::Listed;
use alloc::vec::Vec;

use super::problem::{Problem, carried, volume};
use crate::{
    model::{element, parts, product, shape},
    spec::Cost,
};

/// Costs saturate here: infinite is what the limit forbids.
const CAP: f64 = 1e300;

/// A cheapest tree.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// What it costs by the model, without what all orders have in common; for [`Cost::Size`] the elements of the
    /// largest intermediate.
    pub(crate) cost: f64,
    /// For each subset of two tensors or more, the part that is contracted with the rest of it.
    pub(crate) left: Vec<u32>,
}

impl Solution {
    /// The tree in SSA form, operands of a step before it, the first tensor of each pair left.
    pub(crate) fn pairs(&self, tensors: usize) -> Vec<(u32, u32)> {
        let mut pairs = Vec::with_capacity(tensors.saturating_sub(1));
        let all = self.left.len() as u32 - 1;
        self.emit(all, tensors, &mut pairs);
        pairs
    }

    /// Emits the steps of a subset and returns the number of its result. As deep as the tree, which is low.
    fn emit(&self, subset: u32, tensors: usize, pairs: &mut Vec<(u32, u32)>) -> u32 {
        if subset & (subset - 1) == 0 {
            return subset.trailing_zeros();
        }
        let part = self.left[subset as usize];
        let left = self.emit(part, tensors, pairs);
        let right = self.emit(subset ^ part, tensors, pairs);
        pairs.push((left, right));
        (tensors + pairs.len() - 1) as u32
    }
}

/// The cheapest tree whose intermediates have at most `limit` elements each; `None` if there is none.
///
/// For [`Cost::Size`] it is the tree with the smallest largest intermediate, and of those the one that takes the
/// least time.
pub(crate) fn solve_within(problem: &Problem, cost: Cost, limit: f64) -> Option<Solution> {
    let solution = solve(problem, cost, limit)?;
    if cost != Cost::Size {
        return Some(solution);
    }
    let size = solution.cost;
    let fast = solve(problem, Cost::Time, size)?;
    Some(Solution {
        cost: size,
        left: fast.left,
    })
}

/// One pass; of [`Cost::Size`], any tree with the smallest largest intermediate.
pub(crate) fn solve(problem: &Problem, cost: Cost, limit: f64) -> Option<Solution> {
    pass(problem, cost, limit, &|_| true)
}

/// The cheapest of the trees without outer products; `None` if the tensors are not connected by labels.
pub(crate) fn solve_connected(problem: &Problem, cost: Cost) -> Option<Solution> {
    let tensors = &problem.tensors;
    let neighbours = |&tensor: &u128| {
        let shared = |(at, other): (usize, &u128)| u32::from(other & tensor != 0) << at;
        tensors.iter().enumerate().map(shared).sum::<u32>()
    };
    let neighbours: Vec<u32> = tensors.iter().map(neighbours).listed();
    let connected = |subset: usize| {
        let subset = subset as u32;
        let (mut reached, mut open) = (0, subset & subset.wrapping_neg());
        while open != 0 {
            reached |= open;
            let mut next = 0;
            while open != 0 {
                next |= neighbours[open.trailing_zeros() as usize];
                open &= open - 1;
            }
            open = next & subset & !reached;
        }
        reached == subset
    };
    pass(problem, cost, f64::INFINITY, &connected)
}

fn pass(
    problem: &Problem,
    cost: Cost,
    limit: f64,
    allowed: &dyn Fn(usize) -> bool,
) -> Option<Solution> {
    let carried = carried(problem);
    let all = carried.len() - 1;
    let mut costs = alloc::vec![0.0f64; all + 1];
    let mut left = alloc::vec![0u32; all + 1];
    let largest = cost == Cost::Size;
    for subset in 1..=all {
        let first = subset & subset.wrapping_neg();
        if subset == first {
            continue;
        }
        let elements = problem.volume(carried[subset]);
        // The result is no intermediate.
        let inner = subset != all;
        if (inner && elements > limit) || !allowed(subset) {
            costs[subset] = f64::INFINITY;
            continue;
        }
        let own = if inner { elements } else { 0.0 };
        let (mut best, mut best_part) = (f64::INFINITY, 0);
        // The parts that hold the first tensor.
        let others = subset ^ first;
        let mut other = (others - 1) & others;
        loop {
            let part = first | other;
            let rest = subset ^ part;
            let below = if largest {
                costs[part].max(costs[rest])
            } else {
                costs[part] + costs[rest]
            };
            // A term is never negative.
            if below <= best && below < f64::INFINITY {
                let split = if largest {
                    below
                } else {
                    step(problem, &carried, cost, [part, rest], elements, below)
                };
                let split = split.min(CAP);
                if split < best || split == best && before(part as u32, best_part as u32) {
                    (best, best_part) = (split, part);
                }
            }
            if other == 0 {
                break;
            }
            other = (other - 1) & others;
        }
        costs[subset] = if largest {
            best.max(own)
        } else {
            best + element(cost) * parts(problem.real, subset as u32) * own
        };
        if best_part != 0 {
            costs[subset] = costs[subset].min(CAP);
        }
        left[subset] = best_part as u32;
    }
    if !all.is_power_of_two() && left[all] == 0 {
        return None;
    }
    Some(Solution {
        cost: costs[all],
        left,
    })
}

/// Of equals, the part comes first that has the tensors in the order they are given in: `(0·1)·2` before `0·(1·2)`.
pub(super) fn before(part: u32, other: u32) -> bool {
    part.reverse_bits() > other.reverse_bits()
}

/// What the product of two parts costs, and what is below it. In the order of the [table](super::Table), so that the two
/// choose the same tree.
#[inline]
fn step(
    problem: &Problem,
    carried: &[u128],
    cost: Cost,
    [part, rest]: [usize; 2],
    elements: f64,
    below: f64,
) -> f64 {
    let (a, b, c) = (carried[part], carried[rest], carried[part | rest]);
    let (batch, contracted) = (a & b & c, a & b & !c);
    let free = usize::from(a & !b != 0) + usize::from(b & !a != 0);
    let [multiply_add, matrix] = product(cost, shape(batch != 0, contracted != 0, free));
    let multiply_add =
        multiply_add * parts(problem.real, part as u32) * parts(problem.real, rest as u32);
    let mut cost = below + multiply_add * (elements * volume(contracted, &problem.sizes));
    if matrix != 0.0 {
        cost += matrix * volume(batch, &problem.sizes);
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 65,536 subsets of the 4x4 grid of bond 8: nothing is below the known figure.
    #[test]
    fn four_by_four_grid() {
        let mut problem = Problem::new(16);
        for at in 0..16u32 {
            if at % 4 < 3 {
                problem.add(1 << at | 1 << (at + 1), false, 8.0);
            }
            if at < 12 {
                problem.add(1 << at | 1 << (at + 4), false, 8.0);
            }
        }
        let best = solve_connected(&problem, Cost::Flops).unwrap();
        assert_eq!(best.cost, 1_720_384.0);
    }
}
