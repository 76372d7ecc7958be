use cteinsum::{Tensor, einsum};

fn main() {
    let (a, b) = (Tensor::<f64, 2>::zeros([2, 3]), Tensor::<f64, 2>::zeros([3, 4]));
    let c = einsum!("ij jk -> ik", a, b);
    let d = einsum!("ij,jk=ik", a, b);
}
