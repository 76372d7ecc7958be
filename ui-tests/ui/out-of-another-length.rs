#![deny(warnings)]
use cteinsum::{einsum, try_einsum};

fn main() {
    let (a, b) = ([[1.0; 3]; 2], [[1.0; 4]; 3]);
    let mut c = [[0.0; 5]; 2];
    einsum!("ij,jk->ik", a, b, out = &mut c);
    let _ = try_einsum!("ij->ji", a, out = &mut c, beta = 2.0);
    einsum!("ij->ii", a, out = &mut c);
}
