use cteinsum::algebra::Algebra;
use cteinsum::{Complex, Tensor, einsum};

#[derive(Clone, Copy, Debug)]
struct Plain;
impl Algebra<Complex<f64>> for Plain {
    const ZERO: Complex<f64> = Complex::new(0.0, 0.0);
    const ONE: Complex<f64> = Complex::new(1.0, 0.0);
    fn add(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        a + b
    }
    fn mul(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
        a * b
    }
}

fn main() {
    let a = Tensor::<f64, 2>::zeros([2, 2]);
    let z = Tensor::<Complex<f64>, 2>::zeros([2, 2]);
    let _ = einsum!("ij,jk->ik", a, z, algebra = Plain);
    let _ = einsum!("ij,jk->ik", z, a, algebra = Plain);
}
