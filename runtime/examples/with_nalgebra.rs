//! `einsum!` in a program that knows nalgebra only: strain energy with constant sizes, least squares with others.
//!
//! ```sh
//! cargo run -p cteinsum --features nalgebra --example nalgebra
//! ```

use cteinsum::einsum;
use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, Vector3};

/// The energy of a deformation in a bar whose stiffness is `c`: all sizes are known to the compiler.
fn energy(strain: &Matrix3<f64>, directions: &SMatrix<f64, 3, 6>, c: &SMatrix<f64, 6, 6>) -> f64 {
    // Along each of six directions: d[i, a] * strain[i, j] * d[j, a].
    let along = einsum!("ia,ij,ja->a", directions, strain, directions);
    einsum!("a,ab,b->", along, c, along) / 2.0
}

/// The weighted normal equations: `x^T w x` and `x^T w y`.
fn normal_equations(
    x: &DMatrix<f64>,
    w: &DVector<f64>,
    y: &DVector<f64>,
) -> (DMatrix<f64>, DVector<f64>) {
    (
        einsum!("ni,n,nj->ij", x, w, x),
        einsum!("ni,n,n->i", x, w, y),
    )
}

fn main() {
    let strain = Matrix3::new(0.02, 0.01, 0.0, 0.01, -0.01, 0.0, 0.0, 0.0, 0.0);
    let directions =
        SMatrix::<f64, 3, 6>::from_fn(|i, a| if i == a % 3 || a == i + 3 { 1.0 } else { 0.5 });
    let stiffness = SMatrix::<f64, 6, 6>::from_diagonal_element(200.0);
    println!("energy: {:.6}", energy(&strain, &directions, &stiffness));

    // A parabola through points with noise that is the same on every run.
    let n = 40;
    let at = |k: usize| k as f64 / n as f64;
    let x = DMatrix::from_fn(n, 3, |k, power| at(k).powi(power as i32));
    let y = DVector::from_fn(n, |k, _| {
        1.0 - 2.0 * at(k) + 3.0 * at(k).powi(2) + 0.01 * (k as f64 * 12.9).sin()
    });
    let w = DVector::from_element(n, 1.0);
    let (mut a, b) = normal_equations(&x, &w, &y);
    // In place, and with a view: a ridge on all but the constant.
    let ridge = Vector3::new(0.0, 1e-6, 1e-6);
    einsum!("i->ii", ridge, out = &mut a, beta = 1.0);
    let fit = a.cholesky().expect("positive definite").solve(&b);
    println!("fit: {:.2} + {:.2} x + {:.2} x^2", fit[0], fit[1], fit[2]);
    assert!((fit - DVector::from_vec(vec![1.0, -2.0, 3.0])).norm() < 0.1);
}
