//! A wrong rank is told once, at the operand.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _pullback) = einsum_vjp!("ij,jkl->ikl", a, b);
}
