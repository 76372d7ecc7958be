//! `wrt` is no option of `einsum!`.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", a, b, wrt = [0]);
}
