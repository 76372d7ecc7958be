use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let v = Tensor::<f64, 1>::zeros([2]);
    let _c = einsum!("ij,jk,k->i", a, b, v, order = tree([(0, 1, 2)]));
}
