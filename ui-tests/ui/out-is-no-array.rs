//! An output that einsum cannot write into.

use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let mut c = String::new();
    einsum!("ij->ji", a, out = &mut c);
}
