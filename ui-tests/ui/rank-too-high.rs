use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 3>::zeros([2, 2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!("ij,jk->ik", a, b);
    let _: &Tensor<f64, 2> = &c;
}
