//! Gradients are of the family and shape of their operands, in every library.

use cteinsum::{einsum, einsum_jvp, einsum_vjp};
use faer::{Col, Mat};
use mdarray::{Array, array};
use nalgebra::{DMatrix, DVector, Matrix2x3, RowDVector, Vector2, Vector3};
use ndarray::{Array1, Array2, ArrayD, IxDyn, arr1, arr2};

#[test]
fn ndarray_arrays() {
    let a: Array2<f64> = arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let x: Array1<f64> = arr1(&[1.0, -1.0, 2.0]);
    let (y, pullback) = einsum_vjp!("ij,j->i", a, x);
    assert_eq!(y, arr1(&[5.0, 11.0]));
    let (mut da, mut dx): (Array2<f64>, Array1<f64>) = pullback(&arr1(&[1.0, 2.0]));
    assert_eq!(da, arr2(&[[1.0, -1.0, 2.0], [2.0, -2.0, 4.0]]));
    assert_eq!(dx, arr1(&[9.0, 12.0, 15.0]));
    pullback.accumulate(&arr1(&[1.0, 2.0]), (&mut da, &mut dx));
    assert_eq!(dx, arr1(&[18.0, 24.0, 30.0]));
    assert_eq!(
        pullback.call(&[1.0, 2.0]).1,
        arr1(&[9.0, 12.0, 15.0]),
        "another family's array"
    );

    let d: ArrayD<f64> = a.clone().into_dyn();
    let (y, pullback) = einsum_vjp!("ij->j", d);
    let (dd,): (ArrayD<f64>,) = pullback(&y);
    assert_eq!(dd.shape(), [2, 3]);
    let (y, pullback) = einsum_vjp!("...j,j->...", d, x);
    let (dd, _): (ArrayD<f64>, Array1<f64>) = pullback(&ArrayD::ones(IxDyn(y.shape())));
    assert_eq!(dd[[1, 2]], 2.0);
}

#[test]
fn nalgebra_matrices() {
    let a: Matrix2x3<f64> = Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    let x: Vector3<f64> = Vector3::new(1.0, -1.0, 2.0);
    let (y, pullback) = einsum_vjp!("ij,j->i", a, x);
    assert_eq!(y, Vector2::new(5.0, 11.0));
    let (mut da, mut dx): (Matrix2x3<f64>, Vector3<f64>) = pullback(&Vector2::new(1.0, 2.0));
    assert_eq!(da, Matrix2x3::new(1.0, -1.0, 2.0, 2.0, -2.0, 4.0));
    assert_eq!(dx, Vector3::new(9.0, 12.0, 15.0));
    pullback.accumulate(&Vector2::new(1.0, 2.0), (&mut da, &mut dx));
    assert_eq!(dx, Vector3::new(18.0, 24.0, 30.0));
    let (y, dy) = einsum_jvp!("ij,j->i", (a, _), (x, Vector3::new(1.0, 0.0, 0.0)));
    assert_eq!((y, dy), (Vector2::new(5.0, 11.0), Vector2::new(1.0, 4.0)));

    // A vector as a matrix of one column, and one of run-time length.
    let (y, pullback) = einsum_vjp!("ij,jk->ik", a, x);
    assert_eq!(y.shape(), (2, 1));
    let (_, dx) = pullback(&y);
    assert_eq!(dx.shape(), (3, 1));
    let (m, v) = (
        DMatrix::<f64>::identity(2, 2),
        DVector::<f64>::from_vec(vec![3.0, 4.0]),
    );
    let (y, pullback) = einsum_vjp!("ij,j->i", m, v);
    let (dm, mut dv): (DMatrix<f64>, DVector<f64>) = pullback(&y);
    assert_eq!(dm, &v * v.transpose());
    pullback.accumulate(&y, (&mut dm.clone(), &mut dv));
    assert_eq!(dv, &v * 2.0);
    let r = RowDVector::<f64>::from_vec(vec![3.0, 4.0]);
    let (s, pullback) = einsum_vjp!("ij,ij->", r, r);
    assert_eq!(s, 25.0);
    let (dr, _) = pullback(&1.0);
    assert_eq!(dr.shape(), (1, 2));
    let (y, pullback) = einsum_vjp!("i...,i->i...", m, v);
    let (dm, dv) = pullback(&y);
    assert_eq!((dm.shape(), dv.len()), ((2, 2), 2));
    let (y, pullback) = einsum_vjp!("i...,j...->ij...", v, x);
    let (mut du, dx) = pullback(&y);
    assert_eq!((du.shape(), dx.shape()), ((2, 1), (3, 1)));
    pullback.accumulate(&y, (&mut du, &mut dx.clone()));
}

#[test]
fn faer_matrices() {
    let a: Mat<f64> = Mat::from_fn(2, 3, |i, j| (3 * i + j) as f64);
    let x: Col<f64> = Col::from_fn(3, |j| j as f64 - 1.0);
    let (y, pullback) = einsum_vjp!("ij,j->i", a, x);
    let (da, mut dx): (Mat<f64>, Col<f64>) = pullback(&y);
    assert_eq!(da, Mat::from_fn(2, 3, |i, j| y[i] * x[j]));
    assert_eq!(dx, a.transpose() * &y);
    pullback.accumulate(&y, (&mut da.clone(), &mut dx));
    assert_eq!(dx, a.transpose() * &y * 2.0);
    let (y, pullback) = einsum_vjp!("ij,jk->ik", a.transpose(), a);
    let (_, db) = pullback(&y);
    assert_eq!(db, a.as_ref() * &y);
}

#[test]
fn mdarray_arrays() {
    let a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let x = array![1.0, -1.0, 2.0];
    let (y, pullback) = einsum_vjp!("ij,j->i", a, x);
    let (da, dx) = pullback(&y);
    assert_eq!(da, einsum!("i,j->ij", y, x));
    assert_eq!(dx, einsum!("ij,i->j", a, y));
    let same: [&Array<f64, _>; 2] = [&da, &a];
    assert_eq!(same[0].shape(), same[1].shape());
}
