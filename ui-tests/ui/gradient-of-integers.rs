//! There are no gradients over integers.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let _ = einsum_vjp!("ij,jk->ik", Tensor::<i32, 2>::zeros([2, 2]), Tensor::<i32, 2>::zeros([2, 2]));
    let _ = (a, b);
}
