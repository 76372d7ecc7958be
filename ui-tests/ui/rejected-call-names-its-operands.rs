#![deny(warnings)]
use cteinsum::{Tensor, einsum};

fn trace_of_product(a: &Tensor<f64, 2>, b: &Tensor<f64, 2>) -> f64 {
    einsum!("ij,ji->k", a, b)
}

fn main() {
    let _ = trace_of_product;
}
