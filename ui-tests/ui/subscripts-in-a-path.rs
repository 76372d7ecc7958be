use cteinsum::{Tensor, einsum};

mod specs {
    pub const MATMUL: &str = "ij,jk->ik";
}

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let _c = einsum!(specs::MATMUL, a, a);
}
