//! `einsum!` in a program that knows ndarray only: squared distances, a Gram matrix, attention of several heads.
//!
//! ```sh
//! cargo run -p cteinsum --features ndarray --example ndarray
//! ```

use cteinsum::einsum;
use ndarray::{Array1, Array2, Array3, Axis, array, s};

/// `d[i, j]`: the squared distance of the points in rows `i` and `j`.
fn squared_distances(points: &Array2<f64>) -> Array2<f64> {
    let squares: Array1<f64> = einsum!("id,id->i", points, points);
    let mut distances = &squares.view().insert_axis(Axis(1)) + &squares;
    // In place: distances - 2 * points * points^T.
    einsum!(
        "id,jd->ij",
        points,
        points,
        out = &mut distances,
        alpha = -2.0,
        beta = 1.0
    );
    distances
}

/// What each query of each head reads from the values, which are weighted with the softmax of its scores.
fn attention(queries: &Array3<f64>, keys: &Array3<f64>, values: &Array3<f64>) -> Array3<f64> {
    let mut weights: Array3<f64> = einsum!("qhd,khd->hqk", queries, keys);
    for mut row in weights.lanes_mut(Axis(2)) {
        row.mapv_inplace(f64::exp);
        row /= row.sum();
    }
    einsum!("hqk,khd->qhd", weights, values)
}

fn main() {
    let points = array![[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]];
    let distances = squared_distances(&points);
    println!("squared distances:\n{distances}");
    assert_eq!(
        distances,
        array![[0.0, 9.0, 25.0], [9.0, 0.0, 16.0], [25.0, 16.0, 0.0]]
    );

    // Any view is an operand as it is: reversed, strided, transposed. Nothing is copied.
    let reversed = points.slice(s![..;-1, ..]);
    println!(
        "last points first, times all:\n{}",
        einsum!("id,jd->ij", reversed, points)
    );

    let heads = Array3::from_shape_fn((4, 2, 3), |(q, h, d)| ((q + 2 * h + d) % 3) as f64);
    let read = attention(&heads, &heads, &heads);
    println!(
        "attention reads {:?} values, {:.3} on average",
        read.dim(),
        read.mean().unwrap()
    );
}
