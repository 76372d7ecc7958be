use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<i32, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", a, a, acc = i16);
    let _ = einsum!([i, k] = b[i, j] * b[j, k], acc = f32);
}
