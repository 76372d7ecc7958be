use cteinsum::{Tensor, einsum_vjp};

fn main() {
    let a = Tensor::full([2, 2], 1.0);
    einsum_vjp!("ij,jk->ik", a, a, algebra = MaxPlus);
}
