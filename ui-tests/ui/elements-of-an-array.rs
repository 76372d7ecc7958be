#![deny(warnings)]
use cteinsum::einsum;

fn main() {
    let a = [["one"; 2]; 2];
    let c = einsum!("ij->ji", a);
    let _ = c[0][0];
}
