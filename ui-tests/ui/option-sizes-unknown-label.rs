use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([4, 4]);
    einsum!("ij,jk,kl->il", a, a, a, sizes = [q = 3]);
}
