#![deny(warnings)]
use cteinsum::{einsum, try_einsum};

fn main() {
    let (one, three, four) = ([1.0; 1], [1.0; 3], [1.0; 4]);
    let _: [f64; 4] = einsum!("i,i,i->i", one, four, one);
    let _: f64 = einsum!("i,i,i->", one, three, four);
    let _: [f64; 1] = try_einsum!("...,...,...->...", one, three, four).unwrap();
}
