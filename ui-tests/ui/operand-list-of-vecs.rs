use cteinsum::{Tensor, einsum};

fn main() {
    let b = Tensor::<f64, 2>::zeros([2, 3]);
    let rows = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    // One message each, although the elements of `rows` could be taken to be `Vec<f64>`.
    let c = einsum!("ij,jk->ik", rows, b);
    let c = einsum!("ij,jk->ik", b, &rows[..]);
    let c = einsum!([i, k] = [vec![1.0], vec![2.0]][i, j] * b[j, k]);
}
