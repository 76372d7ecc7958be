use cteinsum::{Complex, Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let z = Tensor::<Complex<f32>, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", a, z);
    let _ = einsum!("ij,jk->ik", z, a);
}
