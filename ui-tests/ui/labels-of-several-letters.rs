use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 3]);
    let b = Tensor::<f64, 2>::zeros([3, 4]);
    let _ = einsum!("row col,col k->row k", a, b);
    let _ = einsum!("row col,col k->row k", a);
}
