use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    einsum!("ij,jk->ik", (a, b));
    einsum!("ij,jk->ik", &[&a, &b]);
    einsum!("ij,jk->ik", vec![a, b]);
    // Something else than the operands.
    einsum!("ij,jk->ik", [1.0, 2.0, 3.0]);
}
