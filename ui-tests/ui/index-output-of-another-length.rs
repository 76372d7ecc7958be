#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let (a, b) = ([[1.0; 3]; 2], [[1.0; 4]; 3]);
    let mut c = [[0.0; 4]; 3];
    einsum!(c[row, column] += a[row, mid] * b[mid, column]);
}
