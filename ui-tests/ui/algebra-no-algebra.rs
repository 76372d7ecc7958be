use cteinsum::{Tensor, einsum};

struct Words;

fn main() {
    let a = Tensor::full([2, 2], 1.0);
    einsum!("ij,jk->ik", a, a, algebra = Words);
}
