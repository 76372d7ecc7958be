//! The search against costs that are worked out afresh, and against the exact optimum.

use alloc::vec::Vec;

use super::{Random, anneal::anneal, reconfigure::reconfigure, tree::Growing};
use crate::{
    evaluate::evaluate,
    exact::{Problem, solve},
    greedy::greedy,
    order::Tree,
    spec::{Cost, Label},
};

const COSTS: [Cost; 3] = [Cost::Flops, Cost::Time, Cost::Size];

/// A connected network: a ring or a random tree of bonds and some more, sizes of a few kinds or of many.
struct Case {
    carried: Vec<Vec<Label>>,
    output: Vec<Label>,
    sizes: Vec<usize>,
}

impl Case {
    fn new(operands: usize, random: &mut Random) -> Case {
        let mut carried: Vec<Vec<Label>> = alloc::vec![Vec::new(); operands];
        let mut labels = 0;
        for operand in 1..operands {
            for _ in 0..1 + random.below(2) {
                let other = random.below(operand as u64) as usize;
                carried[operand].push(labels);
                carried[other].push(labels);
                labels += 1;
            }
        }
        let mut output = Vec::new();
        for label in 0..labels {
            if random.below(12) == 0 {
                output.push(label);
            }
        }
        // A label in three operands or more.
        for _ in 0..random.below(3) {
            for term in &mut carried {
                if random.below(3) == 0 {
                    term.push(labels);
                }
            }
            labels += 1;
        }
        let kinds = 1 + random.below(3);
        let many = random.below(3) == 0;
        let sizes = (0..labels)
            .map(|_| match many {
                true => 2 + random.below(40) as usize,
                false => [3, 2, 7][random.below(kinds) as usize],
            })
            .collect();
        Case {
            carried,
            output,
            sizes,
        }
    }

    fn price(&self, tree: &Tree, cost: Cost) -> f64 {
        evaluate(&self.carried, &self.output, &self.sizes, &tree.0, cost).0
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.max(b)
}

/// Sets of one word and of several, words of one size and of mixed ones.
#[test]
fn costs_are_those_of_the_tree() {
    let mut random = Random::new(11);
    for round in 0..120 {
        let case = Case::new(3 + random.below(90) as usize, &mut random);
        let (carried, output, sizes) = (&case.carried, &case.output, &case.sizes);
        let start = greedy(carried, output, sizes, None);
        for cost in COSTS {
            let mut growing = Growing::new(carried, output, sizes, &start.0, cost);
            let first = growing.total();
            assert!(close(first, case.price(&start, cost)), "{round} {cost:?}");
            anneal(&mut growing, 0.5, 3, &mut random);
            assert!(close(growing.total(), case.price(&growing.tree(), cost)));
            let annealed = growing.total();
            reconfigure(&mut growing, 6, 30_000);
            let after = growing.total();
            assert!(after <= annealed * (1.0 + 1e-9), "{round} {cost:?}");
            assert!(close(after, case.price(&growing.tree(), cost)));
        }
    }
}

/// A window that holds the whole tree finds the best of all orders, whatever the tree was.
#[test]
fn a_window_of_all_is_exact() {
    let mut random = Random::new(12);
    for round in 0..300 {
        let case = Case::new(3 + random.below(5) as usize, &mut random);
        let (carried, output, sizes) = (&case.carried, &case.output, &case.sizes);
        let size = |label: Label| sizes[usize::from(label)];
        let (problem, _) = Problem::of_labels(carried, output, sizes.len(), size);
        for cost in COSTS {
            let best = solve(&problem, cost, f64::INFINITY).unwrap();
            let best = case.price(
                &Tree::canonical(best.pairs(carried.len()), carried.len()),
                cost,
            );
            let start = Tree::left_to_right(carried.len());
            let mut growing = Growing::new(carried, output, sizes, &start.0, cost);
            reconfigure(&mut growing, 8, u64::MAX);
            let found = case.price(&growing.tree(), cost);
            assert!(close(found, best), "{round} {cost:?}: {found} {best}");
        }
    }
}
