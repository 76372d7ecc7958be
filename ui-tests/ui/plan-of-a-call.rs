use cteinsum::{Engine, Tensor, einsum, einsum_plan};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let mut engine = Engine::serial();
    let _ = einsum_plan!("ij,jk->ik", a, a);
    let _ = einsum_plan!("ij,jk->ik", engine = &mut engine);
    let _ = einsum_plan!("ij,jk->iz");
    let _ = einsum!("ij,jk->ik", a, a, explain = yes);
    let _ = einsum_plan!("ij,jk,kl->il", order = [(0, 1)]);
}
