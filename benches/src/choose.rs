//! What it costs to choose an order for the sizes of a call: regime `choose`.
//!
//! The least time of many batches: what the choice takes when nothing disturbs it.

use std::hint::black_box;
use std::time::Instant;

use cteinsum_plan::{Chooser, Request, Subscripts};

pub(crate) fn run() {
    for spec in [
        "ij,jk,kl->il",
        "bgk,bkd,bk->bgd",
        "ij,jk,kl,lm->im",
        "abc,apd,bpqe,cqf->def",
        "pi,qj,ijkl,rk,sl->pqrs",
        "ij,jk,kl,lm,mn,no->io",
        "iP,sP,PQ,jQ,tQ,ti,sj->",
    ] {
        let checked = Subscripts::parse(spec)
            .expect("valid subscripts")
            .check()
            .expect("known labels");
        let labels = checked.names.len();
        let strategy = checked.strategy(&Request::default()).expect("an order");
        let start = Instant::now();
        let mut chooser = Chooser::new(strategy, &checked.inputs, &checked.output, labels);
        let made = start.elapsed();
        let sizes: Vec<Vec<usize>> = (0..64)
            .map(|case| (0..labels).map(|l| 2 + (case * 31 + l * 17) % 60).collect())
            .collect();
        let mut chosen = |carried: &[Vec<_>]| {
            let mut least = f64::INFINITY;
            for _ in 0..200 {
                let start = Instant::now();
                for sizes in &sizes {
                    let tree = chooser.choose(carried, &checked.output, black_box(sizes));
                    black_box(tree.expect("no limit").len());
                }
                least = least.min(start.elapsed().as_nanos() as f64 / sizes.len() as f64);
            }
            least
        };
        let least = chosen(&checked.inputs);
        // The last axis of the second operand has length 1, and broadcasts.
        let mut carried = checked.inputs.clone();
        carried[1].pop();
        let general = chosen(&carried);
        println!(
            "{spec:28} prepared once in {made:9.1?}, chosen in {least:6.0} ns, where a length 1 broadcasts in {general:6.0} ns"
        );
    }
}
