use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c: Tensor<f64, 2> = einsum!([row, colum] = a[row, mid] * b[mid, column]);
    let _ = (a, b);
}
