//! `einsum!` against the other einsums of Rust, into given outputs unless said, one thread unless said.

#[macro_use]
mod field;
mod calls;
mod fresh;
mod memory;
mod products;
mod tensors;
mod threads;

use crate::record;
pub(crate) use field::{Field, values};

/// Regimes, and their rows.
pub(crate) const REGIMES: [(&str, fn()); 13] = [
    ("tiny", products::tiny),
    ("gemm", products::gemm),
    ("batch", products::batch),
    ("permuted", tensors::permuted),
    ("network", tensors::network),
    ("transpose", memory::transpose),
    ("sum", memory::sum),
    ("elementwise", memory::elementwise),
    ("integer", products::integer),
    ("fresh", fresh::rows),
    ("calls", calls::rows),
    ("threads", threads::rows),
    ("all", all),
];

/// All rows.
fn all() {
    for (name, rows) in &REGIMES[..REGIMES.len() - 1] {
        record::regime(name);
        rows();
    }
}

/// Whether there is such a regime: then it has run.
pub(crate) fn run(regime: &str) -> bool {
    let Some((name, rows)) = REGIMES.iter().find(|(name, _)| *name == regime) else {
        return false;
    };
    if *name != "all" {
        record::regime(name);
    }
    rows();
    true
}
