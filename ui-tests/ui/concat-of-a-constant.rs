use cteinsum::{Tensor, einsum};

const IJ: &str = "ij";

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let _c = einsum!(concat!(IJ, "->ji"), a);
}
