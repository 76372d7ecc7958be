#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let (a, b) = ([[[1.0; 3]; 2]; 5], [1.0; 3]);
    let mut c = [[0.0; 2]; 4];
    einsum!("...j,j->...", a, b, out = &mut c);
    let mut d = [[[0.0; 3]; 2]; 4];
    einsum!("i...->i...", a, out = &mut d);
}
