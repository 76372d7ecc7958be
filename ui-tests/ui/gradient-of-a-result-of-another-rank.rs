//! The gradient of a matrix is a matrix.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, pullback) = einsum_vjp!("ij,jk->ik", a, b);
    let (_da, _db) = pullback(&Tensor::<f64, 3>::zeros([2, 2, 2]));
}
