//! In index notation: one product.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _pullback) = einsum_vjp!([i, k] = a[i, j] * b[j, k] + a[i, k]);
    let (_y, _pullback) = einsum_vjp!([i, k] = -2.0 * a[i, j] * b[j, k]);
}
