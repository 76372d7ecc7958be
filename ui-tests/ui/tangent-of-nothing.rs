//! Something varies.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _dy) = einsum_jvp!("ij,jk->ik", (a, _), (b, _));
}
