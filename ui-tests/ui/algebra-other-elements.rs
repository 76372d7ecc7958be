use cteinsum::{Complex, Tensor, einsum};

fn main() {
    let a = Tensor::full([2, 2], Complex::new(1.0, 0.0));
    einsum!("ij,jk->ik", a, a, algebra = MaxPlus);
}
