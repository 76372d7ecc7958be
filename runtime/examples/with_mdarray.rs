//! `einsum!` in a program that knows mdarray only: batches of rotations, with lengths that are constants.
//!
//! ```sh
//! cargo run -p cteinsum --features mdarray --example mdarray
//! ```

use cteinsum::einsum;
use mdarray::{Array, Const};

/// Any number of points, three coordinates each.
type Points = Array<f64, (usize, Const<3>)>;
/// As many rotations.
type Rotations = Array<f64, (usize, Const<3>, Const<3>)>;

fn rotate(rotations: &Rotations, points: &Points) -> Points {
    einsum!("nij,nj->ni", rotations, points)
}

fn main() {
    let rotations = Rotations::from_fn((4, Const, Const), |index| {
        let (sin, cos) = (index[0] as f64).sin_cos();
        match (index[1], index[2]) {
            (0, 0) | (1, 1) => cos,
            (0, 1) => -sin,
            (1, 0) => sin,
            (2, 2) => 1.0,
            _ => 0.0,
        }
    });
    let points = Points::from_fn((4, Const), |index| (index[0] + index[1]) as f64);
    let rotated = rotate(&rotations, &points);
    let lengths = einsum!("ni,ni->n", rotated, rotated);
    println!("{rotated:?}\nsquared lengths: {lengths:?}");
    for (n, length) in lengths.into_vec().into_iter().enumerate() {
        let before = (0..3).map(|i| points[[n, i]].powi(2)).sum::<f64>();
        assert!((length - before).abs() < 1e-12);
    }
}
