#![deny(warnings)]
use cteinsum::{Tensor, einsum};

fn main() {
    let a = [[1.0; 3]; 2];
    let t = Tensor::<f64, 2>::zeros([3, 4]);
    let b = [[1.0; 7]; 2];
    let _: Tensor<f64, 2> = einsum!("αβ,βγ,αγ->αγ", a, t, Tensor::<f64, 2>::zeros([2, 4]));
    let _: Tensor<f64, 3> = einsum!("ij,jk,jl->ikl", a, t, b);
}
