//! Options of which only the name stands there.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!("ij,jk->ik", a, b, explain);
    let _: &Tensor<f64, 2> = &c;
    let _ = einsum_vjp!("ij,jk->ik", a, b, transpose);
    let _ = einsum!([i, k] = a[i, j] * b[j, k], explain);
    einsum!("ij,jk->ik", a, b, out);
    // As many operands as terms: this is one.
    let order = Tensor::<f64, 2>::zeros([2, 2]);
    einsum!("ij,jk,kl->i", a, b, order);
}
