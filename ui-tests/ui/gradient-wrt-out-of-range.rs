//! `wrt` names operands that there are.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _pullback) = einsum_vjp!("ij,jk->ik", a, b, wrt = [0, 2]);
}
