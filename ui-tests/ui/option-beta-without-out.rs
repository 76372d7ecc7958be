//! `beta` without anything to accumulate into.

use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let _ = einsum!("ij->ji", a, beta = 1.0);
}
