use cteinsum::{Complex, Tensor, einsum};

fn main() {
    let a = Tensor::<i32, 2>::zeros([2, 2]);
    let z = Tensor::<Complex<f64>, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", z, a);
    let _ = einsum!("ij,->ij", z, 2);
}
