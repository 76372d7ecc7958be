//! A tangent has the elements of its operand.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _dy) = einsum_jvp!("ij,jk->ik", (a, Tensor::<f32, 2>::zeros([2, 2])), (b, _));
}
