#![deny(warnings)]
use cteinsum::{Tensor, einsum};

fn transposed<const N: usize, const M: usize>(a: &[[f64; M]; N], square: &mut [[f64; N]; N], fits: &mut [[f64; N]; M]) {
    einsum!("ij->ji", a, out = fits);
    einsum!("ij->ji", Tensor::<f64, 2>::zeros([2, 2]), out = square);
    einsum!("ij->ji", a, out = square);
}

fn main() {
    transposed(&[[1.0; 2]; 2], &mut [[0.0; 2]; 2], &mut [[0.0; 2]; 2]);
}
