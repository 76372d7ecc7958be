use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let mut c = Tensor::<f64, 2>::zeros([2, 2]);
    let s = 3i32;
    einsum!([i, k] = s * a[i, j] * b[j, k]);
    einsum!(c[i, k] = a[i, j] * b[j, k] / s);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 1.0, beta = 2.0f32);
}
