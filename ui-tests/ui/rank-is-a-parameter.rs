use cteinsum::{DynTensor, Tensor, einsum};

fn sum<const N: usize>(a: &Tensor<f64, N>) -> DynTensor<f64> {
    let _: DynTensor<f64> = einsum!("...i->...", a.as_dyn());
    einsum!("...i->...", a)
}

fn main() {}
