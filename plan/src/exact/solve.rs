//! The search itself, for any sizes.

use crate::lists::Listed;
use alloc::vec::Vec;

use super::problem::{Problem, Set, carried};
use crate::{
    model::{LEAST, element, product, shape},
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
    /// For each subset of two tensors or more, the part that is contracted with the rest of it. Sets of tensors have the
    /// first tensor as their highest bit here, so that of equals the part that is met first is the one to take.
    left: Vec<u32>,
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
            return tensors as u32 - 1 - subset.trailing_zeros();
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
        let shared = |other: &u128| u32::from(other & tensor != 0);
        tensors
            .iter()
            .fold(0, |set, other| set << 1 | shared(other))
    };
    let neighbours: Vec<u32> = tensors.iter().rev().map(neighbours).listed();
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
    let subsets = 1usize << problem.tensors.len();
    let all = subsets - 1;
    let mut room = alloc::vec![1.0f64; 4 * subsets];
    let (reach, room) = room.split_at_mut(subsets);
    let (inside, room) = room.split_at_mut(subsets);
    let (elements, costs) = room.split_at_mut(subsets);
    let easy = problem.products(reach, inside);
    let plain = easy && problem.is_plain();
    let bounded = limit < f64::INFINITY;
    let sets: Vec<Set> = if !easy || bounded || (cost == Cost::Time && !plain) {
        let tensors: Vec<Set> = problem.tensors.iter().rev().copied().listed();
        carried(&tensors, problem.kept)
    } else {
        Vec::new()
    };
    let mut left = alloc::vec![0u32; subsets];
    costs[0] = 0.0;
    for subset in 1..subsets {
        elements[subset] = if bounded || !easy {
            problem.volume(sets[subset])
        } else {
            reach[subset] * inside[subset]
        };
        if subset.is_power_of_two() {
            costs[subset] = 0.0;
            continue;
        }
        // The result is no intermediate.
        let inner = subset != all;
        if (inner && elements[subset] > limit) || !allowed(subset) {
            costs[subset] = f64::INFINITY;
            continue;
        }
        // The parts that hold the first tensor.
        let first = 1 << subset.ilog2();
        let others = subset ^ first;
        let mut other = others;
        let (mut best, mut best_part) = (f64::INFINITY, 0);
        let per_element = 1.0 / elements[subset];
        while other != 0 {
            other = (other - 1) & others;
            let part = first | other;
            let rest = subset ^ part;
            let below = costs[part] + costs[rest];
            let split = if cost == Cost::Size {
                costs[part].max(costs[rest])
            } else if easy {
                let work = reach[subset] * (inside[part] * inside[rest]);
                if cost == Cost::Flops {
                    below + work
                } else if below + LEAST * work >= best {
                    continue;
                } else if plain {
                    // Every size is 2 or more: what is beyond 1 is there.
                    let contracted = 1.5 * (work * per_element);
                    let free = usize::from(elements[part] > contracted)
                        + usize::from(elements[rest] > contracted);
                    let [multiply_add, _] = product(cost, shape(false, contracted > 2.0, free));
                    below + multiply_add * work
                } else {
                    below + step(problem, &sets, cost, part, rest, work)
                }
            } else {
                let contracted = sets[part] & sets[rest] & !sets[subset];
                let work = elements[subset] * problem.volume(contracted);
                below + step(problem, &sets, cost, part, rest, work)
            };
            if split < best {
                (best, best_part) = (split, part);
            }
        }
        let own = if inner { elements[subset] } else { 0.0 };
        let total = match cost {
            Cost::Size => best.max(own),
            _ => best + element(cost) * own,
        };
        costs[subset] = if best_part == 0 {
            total
        } else {
            total.min(CAP)
        };
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

/// What the product of two parts costs, of so many multiply-adds.
#[inline]
fn step(
    problem: &Problem,
    carried: &[u128],
    cost: Cost,
    part: usize,
    rest: usize,
    work: f64,
) -> f64 {
    let (a, b, c) = (carried[part], carried[rest], carried[part | rest]);
    let (batch, contracted) = (a & b & c, a & b & !c);
    let free = usize::from(a & !b != 0) + usize::from(b & !a != 0);
    let [multiply_add, matrix] = product(cost, shape(batch != 0, contracted != 0, free));
    let mut cost = multiply_add * work;
    if matrix != 0.0 {
        cost += matrix * problem.volume(batch);
    }
    cost.min(CAP)
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
