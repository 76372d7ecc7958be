use cteinsum::{Tensor, einsum};

fn main() {
    let _c = einsum!("");
}
