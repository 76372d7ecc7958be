use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::full([2, 2], 1.0);
    einsum!("ij,jk->ik", a, a, algebra = max_plus);
}
