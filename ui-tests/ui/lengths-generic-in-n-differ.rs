#![deny(warnings)]
use cteinsum::einsum;

fn product<const N: usize, const M: usize>(a: [[f32; N]; 2], b: [f32; N], c: [f32; M]) -> [f32; 2] {
    let _ = einsum!("ij,j->i", a, b);
    einsum!("ij,j->i", a, c)
}

fn main() {
    let _ = product([[0.0; 3]; 2], [0.0; 3], [0.0; 3]);
}
