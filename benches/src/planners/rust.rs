//! omeco. Its TreeSA runs on as many threads as `RAYON_NUM_THREADS` says; all others run on one.

use std::collections::HashMap;

use omeco::{EinCode, GreedyMethod, NestedEinsum, TreeSA, optimize_code};

use super::{Found, networks::Planned, timed};

pub(crate) fn all(network: &Planned, rows: &mut Vec<(String, Found)>) {
    let code = EinCode::new(network.inputs.clone(), network.output.clone());
    let sizes: HashMap<usize, usize> = network.sizes.iter().copied().enumerate().collect();
    let (tree, seconds) = timed(|| optimize_code(&code, &sizes, &GreedyMethod::default()));
    rows.push((
        "omeco greedy".into(),
        tree.map(|tree| (pairs(&tree, network), seconds)),
    ));
    let (tree, seconds) = timed(|| optimize_code(&code, &sizes, &TreeSA::fast()));
    rows.push((
        "omeco TreeSA, fast".into(),
        tree.map(|tree| (pairs(&tree, network), seconds)),
    ));
    if std::env::var_os("CTEINSUM_SHORT").is_some() {
        return;
    }
    let (tree, seconds) = timed(|| optimize_code(&code, &sizes, &TreeSA::default()));
    rows.push((
        "omeco TreeSA".into(),
        tree.map(|tree| (pairs(&tree, network), seconds)),
    ));
}

fn pairs(tree: &NestedEinsum<usize>, network: &Planned) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    emit(tree, network.inputs.len() as u32, &mut pairs);
    pairs
}

fn emit(tree: &NestedEinsum<usize>, leaves: u32, pairs: &mut Vec<(u32, u32)>) -> u32 {
    match tree {
        NestedEinsum::Leaf { tensor_index } => *tensor_index as u32,
        NestedEinsum::Node { args, .. } => {
            let mut last = emit(&args[0], leaves, pairs);
            for arg in &args[1..] {
                let next = emit(arg, leaves, pairs);
                pairs.push((last, next));
                last = leaves + pairs.len() as u32 - 1;
            }
            last
        }
    }
}
