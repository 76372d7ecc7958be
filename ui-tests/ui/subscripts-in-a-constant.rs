use cteinsum::{Tensor, einsum};

const SPEC: &str = "ij,jk->ik";

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!(SPEC, a, a);
    println!("{c}");
}
