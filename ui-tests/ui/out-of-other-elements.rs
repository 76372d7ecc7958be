//! An output whose elements are not those of the operands.

use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let mut c = Tensor::<f32, 2>::zeros([3, 2]);
    einsum!("ij->ji", a, out = &mut c);
}
