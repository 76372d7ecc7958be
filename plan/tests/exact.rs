//! The exact order against brute force over all trees, costs by the lowered program.

mod common;

use common::Random;
use cteinsum_plan::{
    Chooser, Cost, Label, Network, Order, Program, Request, Rule, Strategy, Subscripts,
};

/// Every contraction tree of some tensors, once each: pairs in SSA form, in every order of merging that has the lowest
/// tensors first. Trees whose steps only change places occur several times, which does no harm.
fn for_every_tree(operands: usize, visit: &mut impl FnMut(&[(u32, u32)])) {
    fn go(
        live: &[u32],
        pairs: &mut Vec<(u32, u32)>,
        next: u32,
        visit: &mut impl FnMut(&[(u32, u32)]),
    ) {
        if live.len() == 1 {
            return visit(pairs);
        }
        for b in 1..live.len() {
            for a in 0..b {
                let mut rest: Vec<u32> = live.to_vec();
                rest.remove(b);
                rest[a] = next;
                pairs.push((live[a], live[b]));
                go(&rest, pairs, next + 1, visit);
                pairs.pop();
            }
        }
    }
    let live: Vec<u32> = (0..operands as u32).collect();
    go(&live, &mut Vec::new(), operands as u32, visit);
}

/// The cost of a tree, by the program that is run.
fn cost_of(program: &Program, sizes: &[usize], cost: Cost) -> (f64, f64) {
    let flops = program.cost(sizes);
    match cost {
        Cost::Flops => ((flops.multiply_adds + flops.additions) as f64, 0.0),
        Cost::Time => (program.time(sizes), 0.0),
        Cost::Size => (
            program.largest_intermediate(sizes) as f64,
            program.time(sizes),
        ),
        other => panic!("{other:?}"),
    }
}

/// A random einsum with its shapes: hyper-labels, one-sided labels, lengths of 1 that broadcast, unconnected operands.
struct Case {
    network: Network,
    shapes: Vec<Vec<usize>>,
}

impl Case {
    fn random(random: &mut Random, operands: usize, broadcasts: bool) -> Case {
        let labels = 1 + random.below(2 * operands);
        let sizes: Vec<usize> = (0..labels)
            .map(|_| match random.below(4) {
                0 => 2,
                1 => 2 + random.below(8),
                2 => 1 << (1 + random.below(9)),
                _ => 1 + random.below(40),
            })
            .collect();
        let mut inputs: Vec<Vec<Label>> = Vec::new();
        for _ in 0..operands {
            let mut term: Vec<Label> = (0..random.below(5))
                .map(|_| random.below(labels) as Label)
                .collect();
            term.sort_unstable();
            term.dedup();
            inputs.push(term);
        }
        let mut output: Vec<Label> = inputs.iter().flatten().copied().collect();
        output.sort_unstable();
        output.dedup();
        output.retain(|_| random.chance(35));
        let shapes = inputs
            .iter()
            .map(|term| {
                term.iter()
                    .map(|&l| match broadcasts && random.chance(20) {
                        true => 1,
                        false => sizes[usize::from(l)].max(if broadcasts { 1 } else { 2 }),
                    })
                    .collect()
            })
            .collect();
        Case {
            network: Network {
                inputs,
                output,
                labels,
                named: labels,
            },
            shapes,
        }
    }

    fn check(&self, cost: Cost, limit: Option<u64>) {
        let shapes: Vec<&[usize]> = self.shapes.iter().map(Vec::as_slice).collect();
        let sizes = self.network.bind(&shapes).unwrap();
        let carried = self.network.carried(&shapes);
        let output: Vec<Label> = self.network.output.clone();
        let output: Vec<Label> = output
            .into_iter()
            .filter(|&l| sizes[usize::from(l)] != 1)
            .collect();
        let lowered = |tree: &[(u32, u32)]| Program::lower(&carried, &output, tree);
        let mut best: Option<(f64, f64)> = None;
        let mut smallest = u64::MAX;
        for_every_tree(carried.len(), &mut |tree| {
            let program = lowered(tree);
            let largest = program.largest_intermediate(&sizes);
            smallest = smallest.min(largest);
            if limit.is_some_and(|limit| largest > limit) {
                return;
            }
            let cost = cost_of(&program, &sizes, cost);
            if best.is_none_or(|known| cost < known) {
                best = Some(cost);
            }
        });
        let strategy = Strategy {
            tree: Default::default(),
            rule: Rule::Exact,
            groups: None,
            cost,
            max_intermediate: limit,
        };
        let network = &self.network;
        let mut chooser = Chooser::new(strategy, &network.inputs, &network.output, network.labels);
        // Twice: nothing of the first choice may be left in the second.
        for _ in 0..2 {
            match (chooser.choose(&carried, &output, &sizes), best) {
                (Ok(tree), Some(best)) => {
                    let found = cost_of(&lowered(&tree), &sizes, cost);
                    let context = format!(
                        "{cost:?} {:?} {:?} {limit:?}: {tree:?}",
                        self.network, self.shapes
                    );
                    assert!(
                        found.0 <= best.0 * (1.0 + 1e-12),
                        "{found:?} > {best:?}: {context}"
                    );
                    assert!(
                        found.1 <= best.1 * (1.0 + 1e-12),
                        "{found:?} > {best:?}: {context}"
                    );
                    if let Some(limit) = limit {
                        assert!(
                            lowered(&tree).largest_intermediate(&sizes) <= limit,
                            "{context}"
                        );
                    }
                }
                (Err(error), None) => {
                    assert_eq!(Some(error.limit), limit);
                    assert_eq!((error.smallest, error.exact), (smallest, true));
                }
                (found, best) => panic!("{found:?}, by brute force {best:?}"),
            }
        }
    }
}

#[test]
fn no_tree_is_better() {
    let mut random = Random::new(5);
    for (operands, rounds) in [(2, 60), (3, 300), (4, 200), (5, 60), (6, 8)] {
        for round in 0..rounds {
            let case = Case::random(&mut random, operands, round % 3 == 0);
            for cost in [Cost::Time, Cost::Flops, Cost::Size] {
                case.check(cost, None);
            }
        }
    }
}

#[test]
fn no_tree_within_a_limit_is_better() {
    let mut random = Random::new(6);
    for (operands, rounds) in [(3, 200), (4, 100), (5, 20)] {
        for round in 0..rounds {
            let case = Case::random(&mut random, operands, round % 3 == 0);
            let limit = 1 << random.below(14);
            for cost in [Cost::Time, Cost::Flops, Cost::Size] {
                case.check(cost, Some(limit));
            }
        }
    }
}

/// The tree that an einsum without any option takes for these sizes, by label in order of first appearance.
fn tree_for(spec: &str, sizes: &[usize], cost: Cost) -> (Program, Vec<(u32, u32)>) {
    let checked = Subscripts::parse(spec).unwrap().check().unwrap();
    let request = Request {
        cost,
        ..Request::default()
    };
    let strategy = checked.strategy(&request).unwrap();
    assert_eq!(strategy.rule, Rule::Exact);
    let mut chooser = Chooser::new(
        strategy,
        &checked.inputs,
        &checked.output,
        checked.names.len(),
    );
    let tree = chooser
        .choose(&checked.inputs, &checked.output, sizes)
        .unwrap()
        .to_vec();
    (
        Program::lower(&checked.inputs, &checked.output, &tree),
        tree,
    )
}

#[test]
fn sizes_decide() {
    let chain = |sizes: &[usize]| tree_for("ij,jk,kl->il", sizes, Cost::Time).1;
    assert_eq!(chain(&[1000, 2, 1000, 2]), [(1, 2), (0, 3)]);
    assert_eq!(chain(&[2, 1000, 2, 1000]), [(0, 1), (3, 2)]);
}

#[test]
fn tensor_renormalization() {
    // The coarse-graining step: four tensors with three axes around a square.
    let (program, _) = tree_for("abi,bcj,cdk,dal->ijkl", &[4; 8], Cost::Flops);
    assert_eq!(program.cost(&[4; 8]).multiply_adds, 6144);
    assert_eq!(program.largest(&[4; 8]), 256);
    // Its worst tree, at 16.
    let sizes = [16; 8];
    let checked = Subscripts::parse("abi,bcj,cdk,dal->ijkl")
        .unwrap()
        .check()
        .unwrap();
    let left = checked.program(&checked.tree(&Order::LeftToRight).unwrap());
    let (best, _) = tree_for("abi,bcj,cdk,dal->ijkl", &sizes, Cost::Flops);
    let ratio = left.cost(&sizes).multiply_adds as f64 / best.cost(&sizes).multiply_adds as f64;
    assert!((1.7..1.9).contains(&ratio), "{ratio}");
}

/// Where a planner that knows only pairs with a common label, or counts a shared label once, goes wrong.
#[test]
fn known_traps() {
    // An outer product of two small vectors first is the best that can be done.
    let (program, tree) = tree_for("i,j,ijk->k", &[3, 3, 1000], Cost::Flops);
    assert_eq!(tree[0], (0, 1), "{tree:?}");
    assert_eq!(program.cost(&[3, 3, 1000]).multiply_adds, 9 + 9000);
    // Attention with a mask: the label of three operands.
    let sizes = [64, 8, 4096, 128];
    let (program, _) = tree_for("bgk,bkd,bk->bgd", &sizes, Cost::Flops);
    let multiply_adds = program.cost(&sizes).multiply_adds;
    assert_eq!(multiply_adds, 64 * 8 * 4096 + 64 * 8 * 4096 * 128);
}

#[test]
fn parentheses_are_law_and_what_they_leave_open_is_chosen() {
    let checked = Subscripts::parse("(ij,jk,kl),lm->im")
        .unwrap()
        .check()
        .unwrap();
    let strategy = checked.strategy(&Request::default()).unwrap();
    assert_eq!(strategy.group_list(4), [vec![0, 1, 2], vec![4, 3]]);
    let mut chooser = Chooser::new(strategy, &checked.inputs, &checked.output, 5);
    let mut choose = |sizes: &[usize]| {
        chooser
            .choose(&checked.inputs, &checked.output, sizes)
            .unwrap()
            .to_vec()
    };
    assert_eq!(choose(&[2, 1000, 2, 1000, 2]), [(0, 1), (4, 2), (5, 3)]);
    assert_eq!(choose(&[1000, 2, 1000, 2, 2]), [(1, 2), (0, 4), (5, 3)]);
}
