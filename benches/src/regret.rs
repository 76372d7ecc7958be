//! How much slower the tree that the planner chooses is than the one that turns out to be the fastest: regime `regret`.
//!
//! All trees of small networks are timed, for random sizes that are the same on every run.

use std::hint::black_box;
use std::time::Instant;

use cteinsum::{DynTensor, Einsum, Engine, Order};
use cteinsum_plan::{Chooser, Request, Subscripts};

use crate::fit::shortest;

const NETWORKS: [&str; 10] = [
    "ij,jk,kl->il",
    "bij,bjk,bkl->bil",
    "ijk,ja,ka->ia",
    "bgk,bkd,bk->bgd",
    "i,ij,j->",
    "ij,j,jk->ik",
    "abc,cd,be->ade",
    "ij,jk,kl,lm->im",
    "ab,cb,cd,ad->",
    "ij,jk,kl,l->i",
];

pub(crate) fn run() {
    let mut seed = 1u64;
    // A power of two from 2 to 64, times 1 or 1.5.
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (power, half) = ((seed >> 33) % 6, (seed >> 50) & 1);
        (2usize << power) + ((1usize << power) * half as usize)
    };
    let (mut logs, mut worst, mut cases) = (0.0, 1.0f64, 0.0);
    for spec in NETWORKS {
        let checked = Subscripts::parse(spec)
            .expect("a spec")
            .check()
            .expect("labels");
        let labels = checked.names.len();
        let strategy = checked.strategy(&Request::default()).expect("an order");
        let mut chooser = Chooser::new(strategy, &checked.inputs, &checked.output, labels);
        for _ in 0..5 {
            let sizes: Vec<usize> = (0..labels).map(|_| random()).collect();
            let chosen = chooser.choose(&checked.inputs, &checked.output, &sizes);
            let chosen = time(
                spec,
                &sizes,
                &checked.inputs,
                &chosen.expect("no limit"),
                f64::INFINITY,
            );
            let mut best = chosen;
            for tree in trees(checked.inputs.len()) {
                best = best.min(time(spec, &sizes, &checked.inputs, &tree, 3.0 * chosen));
            }
            let ratio = chosen / best;
            println!(
                "{spec:<24} {:<40} {chosen:>10.0} ns, {ratio:>5.2} times the best",
                format!("{sizes:?}")
            );
            logs += ratio.ln();
            worst = worst.max(ratio);
            cases += 1.0;
        }
    }
    println!(
        "geometric mean {:.3}, worst {worst:.2}",
        f64::exp(logs / cases)
    );
}

/// Nanoseconds of a tree; of one that takes longer than `most`, those of a single run.
fn time(spec: &str, sizes: &[usize], inputs: &[Vec<u16>], tree: &[(u32, u32)], most: f64) -> f64 {
    let tensor = |labels: &Vec<u16>| {
        let shape: Vec<usize> = labels.iter().map(|l| sizes[usize::from(*l)]).collect();
        DynTensor::full(&shape, 1.0)
    };
    let operands: Vec<DynTensor<f64>> = inputs.iter().map(tensor).collect();
    let views: Vec<_> = operands.iter().map(DynTensor::view).collect();
    let einsum = Einsum::parse(spec)
        .expect("a spec")
        .order(Order::Tree(tree.to_vec()));
    let mut engine = Engine::serial();
    let mut contract = || {
        black_box(
            einsum
                .contract(&mut engine, black_box(&views))
                .expect("shapes that fit"),
        );
    };
    contract();
    let start = Instant::now();
    contract();
    let once = start.elapsed().as_nanos() as f64;
    if once > most {
        once
    } else {
        shortest(contract)
    }
}

/// All trees of n leaves: each pair of the tensors that are left, then all trees of what is left then; those that differ in the
/// order of independent steps alone are timed twice.
fn trees(leaves: usize) -> Vec<Vec<(u32, u32)>> {
    fn go(alive: &[u32], next: u32, steps: &mut Vec<(u32, u32)>, all: &mut Vec<Vec<(u32, u32)>>) {
        if alive.len() == 1 {
            all.push(steps.clone());
        }
        for (at, a) in alive.iter().enumerate() {
            for b in &alive[at + 1..] {
                let mut rest: Vec<u32> =
                    alive.iter().copied().filter(|t| t != a && t != b).collect();
                rest.push(next);
                steps.push((*a, *b));
                go(&rest, next + 1, steps, all);
                steps.pop();
            }
        }
    }
    let mut all = Vec::new();
    go(
        &(0..leaves as u32).collect::<Vec<_>>(),
        leaves as u32,
        &mut Vec::new(),
        &mut all,
    );
    all
}
