//! What is no array is told once.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _pullback) = einsum_vjp!("ij,j->i", a, "b");
    let _ = b;
}
