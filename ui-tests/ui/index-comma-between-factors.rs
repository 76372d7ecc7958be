use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!([i, k] = a[i, j], b[j, k]);
    let _ = c;
}
