#![deny(warnings)]
use cteinsum::{Tensor, einsum};

fn diagonal_of_product(a: &Tensor<f64, 2>, b: &Tensor<f64, 2>) -> Tensor<f64, 1> {
    einsum!("ij,ji->k", a, b)
}

fn main() {
    let _ = diagonal_of_product;
}
