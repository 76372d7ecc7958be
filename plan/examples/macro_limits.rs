//! How long a macro plans: the default order, in an unoptimised build as Cargo makes one of a macro.
//!
//! `cargo run -p cteinsum-plan --example macro_limits`, on an idle machine. The limits are 5 ms up to 6 operands, 100 ms up to 64
//! and 1 s at 1,000. Times are the shortest of a few runs, without sizes and with them.

use std::time::{Duration, Instant};

use cteinsum_plan::{Checked, Request};

fn main() {
    for operands in [3, 6, 7, 10, 20, 64, 200, 1000] {
        for (name, inputs) in [
            ("chain", chain(operands)),
            ("lattice", lattice(operands)),
            ("random", random(operands, 2)),
            ("random, labels in many", random(operands, 4)),
        ] {
            let checked = Checked::from_labels(&inputs, &[]).expect("an einsum");
            let blind = Request::default();
            let sizes = Request {
                sizes: vec![Some(8); checked.names.len()],
                ..Request::default()
            };
            let [without, with] = [&blind, &sizes].map(|request| least(&checked, request));
            println!(
                "{operands:>5} {name:<24} {:>9.2} ms {:>9.2} ms",
                without.as_secs_f64() * 1e3,
                with.as_secs_f64() * 1e3,
            );
        }
    }
}

fn least(checked: &Checked, request: &Request) -> Duration {
    let run = |_| {
        let start = Instant::now();
        checked.strategy(request).expect("an order");
        start.elapsed()
    };
    (0..5).map(run).min().expect("five runs")
}

fn chain(operands: usize) -> Vec<Vec<usize>> {
    (0..operands).map(|p| vec![p, p + 1]).collect()
}

/// Bonds to the right and downwards, in rows of about the square root.
fn lattice(operands: usize) -> Vec<Vec<usize>> {
    let width = operands.isqrt();
    let mut inputs = vec![Vec::new(); operands];
    let mut label = 0;
    for at in 0..operands {
        for other in [at + 1, at + width] {
            if other < operands && (other != at + 1 || other % width > 0) {
                inputs[at].push(label);
                inputs[other].push(label);
                label += 1;
            }
        }
    }
    inputs
}

/// A chain, and as many labels more in so many operands each.
fn random(operands: usize, carriers: usize) -> Vec<Vec<usize>> {
    let mut inputs = chain(operands);
    let mut state = 1u64;
    for label in 0..operands {
        for _ in 0..carriers {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let term = &mut inputs[(state >> 33) as usize % operands];
            if !term.contains(&(operands + 1 + label)) {
                term.push(operands + 1 + label);
            }
        }
    }
    inputs
}
