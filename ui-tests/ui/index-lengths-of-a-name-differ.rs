use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c = einsum!([row, col] = [[1.0; 3]; 2][row, mid] * [[1.0; 2]; 4][mid, col]);
    let _ = (a, b);
}
