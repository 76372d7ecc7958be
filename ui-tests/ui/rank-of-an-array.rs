#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let a = [[1.0; 2]; 2];
    let c = einsum!("ij,jkl->ikl", a, a);
    let _ = c[0][0][0] + 1.0;
}
