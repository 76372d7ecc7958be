//! An output with more axes than the output term has labels.

use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let mut c = Tensor::<f64, 3>::zeros([3, 2, 1]);
    einsum!("ij->ji", a, out = &mut c);
}
