use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let c = einsum!([i, j] = exp(a[i, j]));
    let d = einsum!([i, k] = f64::exp(a[i, j]) * a[k, j]);
}
