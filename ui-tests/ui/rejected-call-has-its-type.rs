use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!("ij,j+->ik", a, a);
    // The result is known to be a matrix: this second mistake is seen as well.
    let _: bool = c;
}
