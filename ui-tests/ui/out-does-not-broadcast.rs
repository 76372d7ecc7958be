#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let (a, one) = ([[1.0; 3]; 2], [[1.0; 1]; 2]);
    let mut row = [[0.0; 3]; 1];
    einsum!("ij->ij", a, out = &mut row);
    let mut wide = [[0.0; 3]; 2];
    einsum!("ij->ij", one, out = &mut wide);
}
