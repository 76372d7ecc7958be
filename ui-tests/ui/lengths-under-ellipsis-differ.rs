#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let a = [[[1.0; 3]; 2]; 5];
    let b = [[1.0; 4]; 3];
    let c = einsum!("...j,j...->...", a, b);
    let _ = c;
}
