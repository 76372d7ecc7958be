//! Gradients are added to arrays of their ranks.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (y, pullback) = einsum_vjp!("ij,jk->ik", a, b);
    let (mut da, mut db) = (Tensor::<f64, 2>::zeros([2, 2]), Tensor::<f64, 1>::zeros([2]));
    pullback.accumulate(&y, (&mut da, &mut db));
}
