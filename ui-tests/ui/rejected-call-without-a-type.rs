use cteinsum::{Tensor, einsum};

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let c = einsum!("ij,jk->i+", a, a);
    // Nothing is known of the result: no message follows.
    let d: bool = c[[0, 0]] + c.sum();
    for i in c {
        println!("{i} {d}");
    }
}
