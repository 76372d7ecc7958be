//! Orders of many operands: known figures, and searches against the exact optimum.

mod common;

use std::time::Instant;

use common::Random;
use cteinsum_plan::{Checked, Chooser, Cost, Order, Program, Request, Rule};

/// A network of two-dimensional grid points, each bond a label of its own, contracted to a number.
fn grid(rows: usize, columns: usize) -> Checked {
    let mut inputs = vec![Vec::new(); rows * columns];
    let mut label = 0;
    for at in 0..rows * columns {
        for other in [
            (at % columns + 1 < columns).then_some(at + 1),
            (at + columns < rows * columns).then_some(at + columns),
        ]
        .into_iter()
        .flatten()
        {
            inputs[at].push(label);
            inputs[other].push(label);
            label += 1;
        }
    }
    Checked::from_labels(&inputs, &[]).unwrap()
}

fn chain(operands: usize) -> Checked {
    let inputs: Vec<[usize; 2]> = (0..operands).map(|p| [p, p + 1]).collect();
    Checked::from_labels(&inputs, &[0, operands]).unwrap()
}

/// The tree and program for sizes that are all the same.
fn planned(checked: &Checked, order: Order, size: usize, cost: Cost) -> Program {
    let request = Request {
        order,
        cost,
        sizes: vec![Some(size); checked.names.len()],
        ..Request::default()
    };
    checked.program(&checked.strategy(&request).unwrap().tree)
}

fn multiply_adds(program: &Program, size: usize) -> u64 {
    program.cost(&[size; 1024]).multiply_adds
}

/// `(0, 1)` for every operand but one.
fn first_two(operands: usize) -> Order {
    Order::Path(vec![vec![0, 1]; operands - 1])
}

#[test]
fn six_matrices_and_a_vector() {
    let inputs: Vec<Vec<usize>> = (0..7)
        .map(|p| if p < 6 { vec![p, p + 1] } else { vec![6] })
        .collect();
    let checked = Checked::from_labels(&inputs, &[0]).unwrap();
    for order in [Order::Auto, Order::Optimal] {
        for cost in [Cost::Flops, Cost::Time] {
            let program = planned(&checked, order.clone(), 256, cost);
            assert_eq!(multiply_adds(&program, 256), 6 * 256 * 256);
        }
    }
    let left = planned(&checked, Order::LeftToRight, 256, Cost::Flops);
    assert_eq!(multiply_adds(&left, 256), 5 * (1 << 24) + (1 << 16));
    let pairs = planned(&checked, first_two(7), 256, Cost::Flops);
    assert_eq!(multiply_adds(&pairs, 256) / 1000, 100_663);
    assert_eq!(pairs.largest(&[256; 8]), 1 << 24);
}

#[test]
fn four_by_four_grid() {
    let checked = grid(4, 4);
    for (order, most) in [
        (Order::Auto, 1_721_000),
        (Order::Optimal, 1_720_384),
        (Order::Search { seed: 1, effort: 1 }, 1_720_384),
    ] {
        let program = planned(&checked, order, 8, Cost::Flops);
        let multiply_adds = multiply_adds(&program, 8);
        assert!(multiply_adds <= most, "{multiply_adds}");
        assert!(program.largest(&[8; 32]) <= 4096);
    }
    let left = planned(&checked, Order::LeftToRight, 8, Cost::Flops);
    assert_eq!((multiply_adds(&left, 8) + 500) / 1000, 9_577);
    let pairs = planned(&checked, first_two(16), 8, Cost::Flops);
    assert_eq!(multiply_adds(&pairs, 8) / 100_000, 3_031);
}

#[test]
fn a_search_does_not_lose_to_greedy() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let operands = 7 + random.below(12);
        let labels = operands + random.below(operands);
        let inputs: Vec<Vec<usize>> = (0..operands)
            .map(|_| {
                let mut term: Vec<usize> = (0..1 + random.below(4))
                    .map(|_| random.below(labels))
                    .collect();
                term.sort_unstable();
                term.dedup();
                term
            })
            .collect();
        let mut output: Vec<usize> = inputs.iter().flatten().copied().collect();
        output.sort_unstable();
        output.dedup();
        output.retain(|_| random.chance(15));
        let checked = Checked::from_labels(&inputs, &output).unwrap();
        let sizes: Vec<usize> = (0..checked.names.len())
            .map(|_| 2 + random.below(30))
            .collect();
        for cost in [Cost::Flops, Cost::Time, Cost::Size] {
            let price = |order: Order| {
                let request = Request {
                    order,
                    cost,
                    sizes: sizes.iter().copied().map(Some).collect(),
                    ..Request::default()
                };
                let strategy = checked.strategy(&request).unwrap();
                let program = checked.program(&strategy.tree);
                let mut all = sizes.clone();
                all.push(1);
                match cost {
                    Cost::Flops => program.cost(&all).multiply_adds as f64,
                    Cost::Time => program.time(&all),
                    _ => program.largest_intermediate(&all) as f64,
                }
            };
            let greedy = price(Order::Greedy);
            let auto = price(Order::Auto);
            let search = price(Order::Search { seed: 7, effort: 1 });
            let context = format!("round {round}, {cost:?}: {inputs:?}->{output:?} {sizes:?}");
            assert!(
                auto <= greedy * (1.0 + 1e-9),
                "{auto} > {greedy}, {context}"
            );
            assert!(
                search <= greedy * (1.0 + 1e-9),
                "{search} > {greedy}, {context}"
            );
        }
    }
}

#[test]
fn several_trees_for_several_sizes() {
    let checked = grid(4, 4);
    let strategy = checked.strategy(&Request::default()).unwrap();
    let Rule::Among(trees) = &strategy.rule else {
        panic!("{strategy:?}");
    };
    assert!((1..=8).contains(&trees.len()));
    assert_eq!(trees[0], strategy.tree);
    for (at, tree) in trees.iter().enumerate() {
        assert!(!trees[..at].contains(tree));
    }
    // The same on every run.
    assert_eq!(checked.strategy(&Request::default()).unwrap(), strategy);
}

#[test]
fn quick_without_optimisation() {
    for (name, checked, bound) in [
        ("chain of 64", chain(64), 2.0),
        ("grid 8x8", grid(8, 8), 2.0),
        ("chain of 1000", chain(1000), 10.0),
        ("grid 30x30", grid(30, 30), 10.0),
    ] {
        let start = Instant::now();
        let strategy = checked.strategy(&Request::default()).unwrap();
        let took = start.elapsed();
        let sizes: Vec<usize> = vec![8; checked.names.len() + 1];
        if name == "grid 8x8" {
            for effort in 1..=2 {
                let start = Instant::now();
                let program = planned(&checked, Order::Search { seed: 1, effort }, 8, Cost::Flops);
                println!(
                    "{effort}: {:?} {:e}",
                    start.elapsed(),
                    program.cost(&sizes).multiply_adds as f64
                );
            }
        }
        let program = checked.program(&strategy.tree);
        println!("{name}: {took:?}, {:?}", program.cost(&sizes));
        // The work is a fraction of this, even on a slow and busy machine.
        assert!(took.as_secs_f64() < bound, "{name} took {took:?}");
    }
}

/// What a long contraction is worth, and that it is the same in a second choice.
#[test]
fn a_long_contraction_is_refined() {
    let checked = grid(6, 6);
    let strategy = checked.strategy(&Request::default()).unwrap();
    let known = strategy.tree.clone();
    let labels = checked.names.len();
    let choose = |size: usize| {
        let mut chooser = Chooser::new(strategy.clone(), &checked.inputs, &[], labels);
        let tree = chooser.choose(&checked.inputs, &[], &vec![size; labels]);
        tree.unwrap().to_vec()
    };
    let Rule::Among(trees) = &strategy.rule else {
        panic!("{strategy:?}");
    };
    // Short: one of those known.
    assert!(trees.iter().any(|tree| tree.0 == choose(2)));
    let sizes = vec![6; labels + 1];
    let long = choose(6);
    let time = |tree: &[(u32, u32)]| Program::lower(&checked.inputs, &[], tree).time(&sizes);
    assert!(time(&long) <= time(&known.0) * (1.0 + 1e-9));
    assert_eq!(choose(6), long);
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// A random 3-regular graph, as the benchmark of planners has it: three stubs a vertex paired anew until there are no loops
/// and no double edges.
fn regular(vertices: usize) -> Checked {
    let mut seed = vertices as u64;
    loop {
        let mut stubs: Vec<usize> = (0..3 * vertices).map(|s| s / 3).collect();
        for at in (1..stubs.len()).rev() {
            seed += 1;
            stubs.swap(at, (mixed(seed * 7919) % (at as u64 + 1)) as usize);
        }
        let edge = |e: &[usize]| (e[0].min(e[1]), e[0].max(e[1]));
        let mut edges: Vec<(usize, usize)> = stubs.chunks(2).map(edge).collect();
        edges.sort_unstable();
        if edges.windows(2).any(|e| e[0] == e[1]) || edges.iter().any(|e| e.0 == e.1) {
            continue;
        }
        let mut inputs = vec![Vec::new(); vertices];
        for (label, (a, b)) in edges.into_iter().enumerate() {
            inputs[a].push(label);
            inputs[b].push(label);
        }
        return Checked::from_labels(&inputs, &[]).unwrap();
    }
}

/// Of bond 2, against the best of cotengra 0.8.3 (KaHyPar and greedy with reconfiguration, 60 s) and of omeco's TreeSA 0.2.6
/// (ten runs of 15,000 sweeps).
#[test]
fn long_range_networks() {
    for (vertices, cotengra, tree_sa) in [
        (30, 1_448, 1_448),
        (50, 7_456, 7_400),
        (70, 80_888, 77_832),
        (100, 1_733_024, 1_580_104),
    ] {
        let checked = regular(vertices);
        let best = |order: Order| {
            let program = planned(&checked, order, 2, Cost::Flops);
            multiply_adds(&program, 2) as f64
        };
        let unasked = best(Order::Auto);
        assert!(unasked <= f64::from(cotengra), "{vertices}: {unasked}");
        let searched = best(Order::Search { seed: 1, effort: 1 });
        let most = 1.01 * f64::from(tree_sa);
        assert!(searched <= most, "{vertices}: {searched}");
        let searched = best(Order::Search { seed: 1, effort: 2 });
        assert!(searched <= f64::from(tree_sa), "{vertices}: {searched}");
    }
}

/// Orders for a call alone, in about the time of the contraction: far from the best, but not by the orders of magnitude that
/// greedy ones are.
#[test]
fn long_range_networks_at_once() {
    for (vertices, best) in [(76, 181_766), (80, 364_488), (90, 380_232)] {
        let checked = regular(vertices);
        let request = Request {
            order: Order::Search { seed: 1, effort: 0 },
            cost: Cost::Flops,
            ..Request::default()
        };
        let strategy = checked.late_strategy(&request).unwrap();
        let (inputs, sizes) = (&checked.inputs, vec![2; checked.names.len()]);
        let draft = strategy.draft(None, inputs, &[], &sizes).unwrap();
        let found = multiply_adds(&checked.program(&draft.tree), 2);
        assert!(found < 8 * best, "{vertices}: {found}");
    }
}
