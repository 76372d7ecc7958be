use cteinsum::{Tensor, einsum};

struct Model {
    weights: Vec<Tensor<f64, 3>>,
}

fn f(model: &Model, x: &Tensor<f64, 1>) -> Tensor<f64, 1> {
    einsum!("ij,j->i", model.weights.first().unwrap(), x)
}

fn main() {
    let _ = f;
}
