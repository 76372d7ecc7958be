//! In index notation: one product of operands with their tangents.
use cteinsum::*;

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _dy) = einsum_jvp!([i, k] = (a, a)[i, j] * b[j, k]);
    let (_y, _dy) = einsum_jvp!([i, k] = (a, a)[i, j] * (b, _)[j, k] + (a, a)[i, k]);
    let (_y, _dy) = einsum_jvp!([i, k] = 2.0 * (a, a)[i, j] * (b, b)[j, k]);
    let (_y, _dy) = einsum_jvp!([i, k] = (a, _)[i, j] * (b, _)[j, k]);
    let (_y, _dy) = einsum_jvp!([i, z] = (a, a)[i, j] * (b, _)[j, k]);
    let (_y, _dy) = einsum_jvp!([i, k] = (a, a, a)[i, j] * (b, _)[j, k]);
    let mut c = Tensor::<f64, 2>::zeros([2, 2]);
    let (_y, _dy) = einsum_jvp!(c[i, k] = (a, a)[i, j] * (b, _)[j, k]);
}
