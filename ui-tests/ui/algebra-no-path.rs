use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::full([2, 2], 1.0);
    einsum!("ij,jk->ik", a, a, algebra = 2.0);
    einsum!("ij,jk->ik", a, a, algebra = "MaxPlus");
    einsum!([i, k] = a[i, j] * a[j, k], algebra = choose());
}
