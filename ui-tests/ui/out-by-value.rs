//! An output that is not borrowed.

use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let c = Tensor::<f64, 2>::zeros([3, 2]);
    einsum!("ij->ji", a, out = c);
}
