use cteinsum::{EinsumError, Tensor, try_einsum};

fn f(a: &Tensor<f64, 2>) -> Result<Tensor<f64, 2>, EinsumError> {
    let c = try_einsum!("ij,jk->ik", a)?;
    Ok(c)
}

fn main() {
    let _ = f;
}
