use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let _c = einsum!([i, k] := a[i, j] * a[j, k]);
}
