use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!([i, j] = a[i][j] * 2.0);
    let _ = c;
}
