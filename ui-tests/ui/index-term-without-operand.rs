use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c = einsum!([i, j] = a[i, j] + 1.0);
    let _ = (a, b);
}
