#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let a = [[1.0; 1]; 2];
    let d = einsum!("ii->i", a);
    let _ = d[0] + 1.0;
}
