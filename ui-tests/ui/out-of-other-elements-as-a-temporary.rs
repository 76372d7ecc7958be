use cteinsum::{Tensor, einsum, try_einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let b = Tensor::<f64, 2>::zeros([3, 4]);
    einsum!("ij,jk->ik", a, b, out = &mut Tensor::<f32, 2>::zeros([2, 4]));
    let _ = try_einsum!("...j,jk->...k", a, b, out = &mut Tensor::<i64, 2>::zeros([2, 4]));
    // The elements of this one follow from the operands.
    einsum!("ij,jk->ik", a, b, out = &mut Tensor::zeros([2, 4]));
}
