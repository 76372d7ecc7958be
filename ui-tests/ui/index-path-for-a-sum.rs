use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c: Tensor<f64, 2> = einsum!([i, j] = a[i, j] + a[i, j], order = [(0, 1)]);
    let _ = (a, b);
}
