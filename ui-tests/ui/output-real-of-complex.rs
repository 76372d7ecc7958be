use cteinsum::{Complex, Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let z = Tensor::<Complex<f64>, 2>::zeros([2, 2]);
    let mut c = Tensor::<f64, 2>::zeros([2, 2]);
    einsum!("ij,jk->ik", a, z, out = &mut c);
}
