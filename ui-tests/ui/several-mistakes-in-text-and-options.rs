use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let b = Tensor::<f64, 2>::zeros([2, 2]);
    let mut e = cteinsum::Engine::serial();
    let _c = einsum!("ij,jk->iz", a, b, ordre = greedy, engine = &mut e, order = gredy);
}
