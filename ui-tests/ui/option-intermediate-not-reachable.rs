use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([4, 4]);
    einsum!("ij,jk,kl->il", a, a, a, max_intermediate = 10, sizes = [i = 4, j = 4, k = 4, l = 4]);
}
