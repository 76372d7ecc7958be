#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let a = [[1.0; 3]; 2];
    let b = [[1.0; 5]; 4];
    let c = einsum!("ij,jk->ik", a, b);
    let _ = c[0][0] + 1.0;
}
