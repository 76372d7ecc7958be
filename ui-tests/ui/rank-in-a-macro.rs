use cteinsum::{Tensor, einsum};

macro_rules! matmul {
    ($a:expr, $b:expr) => {
        einsum!("ij,jk->ik", $a, $b)
    };
}

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let v = Tensor::<f64, 1>::zeros([2]);
    let _c = matmul!(a, v);
}
