use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c = einsum!([i, j] = [[1.0; 3]; 2][i, j] + [[1.0; 2]; 2][i, j]);
    let _ = (a, b);
}
