use cteinsum::{Tensor, einsum};

macro_rules! matmul {
    ($a:expr, $b:expr) => {
        einsum!("ij,jk->iz", $a, $b)
    };
}

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let _c = matmul!(a, &a);
}
