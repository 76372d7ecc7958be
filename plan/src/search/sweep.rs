//! An order in which one tensor takes in the others, one by one.
//!
//! What such a tree lacks is soon put right by reconfiguration, more so than what a greedy tree lacks: its mistakes are near
//! one another.

use alloc::vec::Vec;

use crate::{greedy::users, order::Tree, spec::Label};

/// Begins with the smallest operand and goes on with the neighbour that leaves the smallest result; of equals, with one of
/// those that became neighbours last. On a lattice that is row by row.
pub(super) fn sweep(carried: &[Vec<Label>], output: &[Label], sizes: &[usize]) -> Tree {
    let operands = carried.len();
    let mut users = users(carried, output, sizes.len());
    // Where those with a label are among `carriers`.
    let mut rooms = Vec::with_capacity(sizes.len());
    let mut axes = 0;
    for &users in &users {
        rooms.push((axes, axes));
        axes += users as usize;
    }
    let mut carriers = alloc::vec![0; axes];
    // What an operand multiplies the result by when it is taken in.
    let mut growth = Vec::with_capacity(operands);
    let mut next = 0;
    for (operand, labels) in carried.iter().enumerate() {
        let mut elements = 1.0;
        for &label in labels {
            let label = usize::from(label);
            carriers[rooms[label].1] = operand as u32;
            rooms[label].1 += 1;
            if users[label] > 1 {
                elements *= sizes[label].max(1) as f64;
            }
        }
        growth.push(elements);
        if elements < growth[next] {
            next = operand;
        }
    }
    let mut inside = alloc::vec![false; sizes.len()];
    let mut taken = alloc::vec![false; operands];
    // When an operand last came to share one more label with what is inside.
    let mut met = alloc::vec![0u32; operands];
    let mut neighbours: Vec<u32> = Vec::new();
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(operands);
    let mut result = next as u32;
    for step in 1..operands as u32 {
        taken[next] = true;
        for &label in &carried[next] {
            let label = usize::from(label);
            let size = sizes[label].max(1) as f64;
            let known = core::mem::replace(&mut inside[label], true);
            if known {
                users[label] -= 1;
            }
            // The last one outside makes the label go.
            let last = users[label] == 2;
            let (from, to) = rooms[label];
            for &other in &carriers[from..to] {
                let at = other as usize;
                if taken[at] {
                    continue;
                }
                if !known {
                    growth[at] /= size;
                    if met[at] == 0 {
                        neighbours.push(other);
                    }
                    met[at] = step;
                }
                if last {
                    growth[at] /= size;
                }
            }
        }
        next = match best(&neighbours, &growth, &met) {
            Some(place) => neighbours.swap_remove(place) as usize,
            // Another component.
            None => taken.iter().position(|taken| !taken).unwrap_or(0),
        };
        pairs.push((result, next as u32));
        result = (operands + pairs.len() - 1) as u32;
    }
    Tree::canonical(pairs, operands)
}

/// The place of the neighbour to go on with.
fn best(neighbours: &[u32], growth: &[f64], met: &[u32]) -> Option<usize> {
    let mut best = None;
    let mut least = (f64::INFINITY, 0, 0);
    let mut place = 0;
    while place < neighbours.len() {
        let operand = neighbours[place];
        let (growth, met) = (growth[operand as usize], met[operand as usize]);
        let (known, last, number) = least;
        if growth < known
            || growth == known && (met > last || met == last && operand < number)
            || best.is_none()
        {
            best = Some(place);
            least = (growth, met, operand);
        }
        place += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    /// The same rule, every result worked out afresh.
    fn rescanning(carried: &[Vec<Label>], output: &[Label], sizes: &[usize]) -> Vec<usize> {
        let needed = |labels: &BTreeSet<Label>, outside: &[usize]| -> BTreeSet<Label> {
            let by =
                |l: &Label| output.contains(l) || outside.iter().any(|o| carried[*o].contains(l));
            labels.iter().copied().filter(by).collect()
        };
        let volume = |labels: &BTreeSet<Label>| -> f64 {
            labels
                .iter()
                .map(|l| sizes[usize::from(*l)] as f64)
                .product()
        };
        let mut outside: Vec<usize> = (0..carried.len()).collect();
        let without = |outside: &[usize], at: usize| -> Vec<usize> {
            outside.iter().copied().filter(|o| *o != at).collect()
        };
        let own = |at: usize| -> BTreeSet<Label> {
            let all: Vec<usize> = (0..carried.len()).collect();
            needed(&carried[at].iter().copied().collect(), &without(&all, at))
        };
        let mut next = 0;
        for at in 1..carried.len() {
            if volume(&own(at)) < volume(&own(next)) {
                next = at;
            }
        }
        let mut order = alloc::vec![next];
        let mut met = alloc::vec![0; carried.len()];
        let mut inside = own(next);
        let mut seen: BTreeSet<Label> = carried[next].iter().copied().collect();
        outside = without(&outside, next);
        for &at in &outside {
            met[at] = usize::from(carried[at].iter().any(|l| seen.contains(l)));
        }
        while !outside.is_empty() {
            let key = |at: usize| {
                let all = &inside | &own(at);
                volume(&needed(&all, &without(&outside, at)))
            };
            let better = |a: usize, b: usize| {
                (key(a), usize::MAX - met[a], a) < (key(b), usize::MAX - met[b], b)
            };
            next = outside[0];
            for &at in &outside {
                if met[at] > 0 && (met[next] == 0 || better(at, next)) {
                    next = at;
                }
            }
            order.push(next);
            let all = &inside | &own(next);
            outside = without(&outside, next);
            inside = needed(&all, &outside);
            for &at in &outside {
                let fresh = |l: &Label| carried[next].contains(l) && !seen.contains(l);
                if carried[at].iter().any(fresh) {
                    met[at] = order.len();
                }
            }
            seen.extend(&carried[next]);
        }
        order
    }

    #[test]
    fn takes_in_what_leaves_the_smallest_result() {
        let mut random = crate::search::Random::new(5);
        for round in 0..1500 {
            let operands = 2 + random.below(8) as usize;
            let labels = 2 + random.below(9);
            let mut term = |most: u64| {
                let mut term: Vec<Label> = Vec::new();
                for _ in 0..random.below(most) {
                    let label = random.below(labels) as Label;
                    if !term.contains(&label) {
                        term.push(label);
                    }
                }
                term
            };
            let carried: Vec<Vec<Label>> = (0..operands).map(|_| term(5)).collect();
            let mut output = term(4);
            output.retain(|l| carried.iter().any(|term| term.contains(l)));
            let sizes: Vec<usize> = (0..labels).map(|_| 2 << random.below(4)).collect();
            let tree = sweep(&carried, &output, &sizes);
            // The operands in the order in which they come in; of the first two the pair does not tell.
            let leaf = |&(a, b): &(u32, u32)| [a, b].into_iter().filter(|t| *t < operands as u32);
            let order: Vec<usize> = tree.0.iter().flat_map(leaf).map(|t| t as usize).collect();
            let mut expected = rescanning(&carried, &output, &sizes);
            if expected[0] > expected[1] {
                expected.swap(0, 1);
            }
            assert_eq!(
                order, expected,
                "round {round}: {carried:?} {output:?} {sizes:?}"
            );
        }
    }
}
