use cteinsum::{Tensor, einsum, einsum_plan, einsum_vjp};

fn main() {
    let a = Tensor::<i8, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", a, a, acc = 32);
    let _ = einsum!("ij,jk->ik", a, a, dtype = i32);
    let _ = einsum_vjp!("ij,jk->ik", a, a, acc = 2.0);
    let _ = einsum_vjp!("ij,jk->ik", a, a, acc = i32);
    let _ = einsum_plan!("ij,jk->ik", acc = 64);
}
