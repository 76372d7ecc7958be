use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::full([2, 2], 1.0);
    let b = Tensor::full([2, 2], 1.0);
    einsum!([i, k] = a[i, j] * b[j, k] - a[i, k], algebra = MaxPlus);
    einsum!([i, k] = a[i, j] * b[j, k] / 2.0, algebra = MinPlus);
}
