//! nalgebra: static, dynamic and mixed dimensions, views with any strides, vectors as one axis or two.

use std::any::type_name_of_val;
use std::sync::Arc;

use cteinsum::{Complex, EinsumError, Scalar, Tensor, conj, einsum, try_einsum};
use nalgebra::{
    DMatrix, DMatrixView, DMatrixViewMut, DVector, Dyn, Matrix2x3, Matrix2xX, Matrix3, Matrix3x2,
    MatrixXx2, OMatrix, RowDVector, RowVector3, SMatrix, SVector, U1, U2, Vector2, Vector3,
};

/// Distinct integers that tell rows from columns.
fn number(i: usize, j: usize, seed: i64) -> i64 {
    ((i as i64 * 37 + j as i64 * 11 + seed) * 53) % 101 - 50
}
fn numbers(rows: usize, columns: usize, seed: i64) -> DMatrix<i64> {
    DMatrix::from_fn(rows, columns, |i, j| number(i, j, seed))
}
fn fixed<const R: usize, const C: usize>(seed: i64) -> SMatrix<i64, R, C> {
    SMatrix::from_fn(|i, j| number(i, j, seed))
}
fn product(a: &DMatrix<i64>, b: &DMatrix<i64>) -> DMatrix<i64> {
    DMatrix::from_fn(a.nrows(), b.ncols(), |i, k| {
        (0..a.ncols()).map(|j| a[(i, j)] * b[(j, k)]).sum()
    })
}

/// Calls `f` with views of the matrix that lie in memory in different ways.
fn with_layouts(m: &DMatrix<i64>, mut f: impl FnMut(DMatrixView<'_, i64, Dyn, Dyn>)) {
    let (rows, columns) = m.shape();
    // As nalgebra stores it; by rows; with gaps between rows and columns.
    for (row, column) in [(1, rows), (columns, 1), (3, 3 * rows + 2)] {
        let mut memory = vec![i64::MAX; (rows - 1) * row + (columns - 1) * column + 1];
        for i in 0..rows {
            for j in 0..columns {
                memory[i * row + j * column] = m[(i, j)];
            }
        }
        f(DMatrixView::from_slice_with_strides(
            &memory, rows, columns, row, column,
        ));
    }
}

#[test]
fn every_layout_multiplies() {
    let (a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(&a, &b);
    with_layouts(&a, |a| {
        with_layouts(&b, |b| {
            assert_eq!(einsum!("ij,jk->ik", a, b), expected);
            assert_eq!(einsum!("jk,ij->ki", b, a), expected.transpose());
        });
        assert_eq!(einsum!("ij->", a), a.iter().sum::<i64>());
        assert_eq!(einsum!("ij->ji", a), a.transpose());
        assert_eq!(
            einsum!("ij->i", a),
            DVector::from_fn(3, |i, _| a.row(i).iter().sum())
        );
    });
    let parts = a.view_with_steps((0, 1), (2, 2), (1, 0));
    assert_eq!(
        einsum!("ij->ij", parts),
        DMatrix::from_fn(2, 2, |i, j| a[(2 * i, 1 + j)])
    );
    assert_eq!(
        einsum!("i,i->", a.row(1), a.row(2)),
        (0..4).map(|j| a[(1, j)] * a[(2, j)]).sum::<i64>()
    );
    assert_eq!(
        einsum!("i,i->", a.column(1), a.column(3)),
        (0..3).map(|i| a[(i, 1)] * a[(i, 3)]).sum::<i64>()
    );
}

#[test]
fn strides_of_zero_repeat_elements() {
    let memory = [3, 5, 7];
    let a = DMatrixView::from_slice_with_strides(&memory, 3, 4, 1, 0);
    assert_eq!(
        einsum!("ij->i", a),
        DVector::from_column_slice(&[12, 20, 28])
    );
    let b = numbers(4, 2, 1);
    assert_eq!(einsum!("ij,jk->ik", a, b), product(&a.into_owned(), &b));
}

#[test]
fn static_lengths_stay_static() {
    let (a, b): (Matrix2x3<i64>, Matrix3x2<i64>) = (fixed(1), fixed(2));
    let x: Vector3<i64> = fixed(3);
    // The annotations name what the types settle: they do not decide.
    let c = einsum!("ij,jk->ik", a, b);
    assert_eq!(type_name_of_val(&c), type_name_of_val(&(a * b)));
    assert_eq!(c, a * b);
    let y = einsum!("ij,j->i", a, x);
    assert_eq!(
        type_name_of_val(&y),
        type_name_of_val(&Vector2::<i64>::zeros())
    );
    assert_eq!(y, a * x);
    let number: i64 = einsum!("i,i->", x, x);
    assert_eq!(number, x.dot(&x));
    let chain = einsum!("ij,jk,kl,l->i", a, b, a, x);
    assert_eq!(chain, a * b * a * x);
    assert_eq!(
        einsum!("ii->i", fixed::<3, 3>(1)),
        fixed::<3, 3>(1).diagonal()
    );
    assert_eq!(einsum!("i->ii", x), Matrix3::from_diagonal(&x));
    // A constant meets a length known at run time: the constant it is.
    let d = numbers(3, 4, 4);
    let e = einsum!("ij,jk->ik", a, d);
    assert_eq!(
        type_name_of_val(&e),
        type_name_of_val(&Matrix2xX::<i64>::zeros(1))
    );
    assert_eq!(e, a * &d);
    let f = einsum!("ji,jk->ik", d, b);
    assert_eq!(
        type_name_of_val(&f),
        type_name_of_val(&MatrixXx2::<i64>::zeros(1))
    );
    assert_eq!(f, d.transpose() * b);
    let g = einsum!("ij,ij->ij", numbers(2, 3, 5), a);
    assert_eq!(type_name_of_val(&g), type_name_of_val(&a));
    assert_eq!(g, a.component_mul(&fixed(5)));
    let mixed: OMatrix<i64, U2, Dyn> = einsum!("ij,kj->ik", a, numbers(4, 3, 1));
    assert_eq!(einsum!("ij,j->i", mixed, einsum!("ji->i", d)).len(), 2);
}

fn square_twice<const N: usize>(a: &SMatrix<f64, N, N>, x: &SVector<f64, N>) -> SVector<f64, N> {
    einsum!("ij,jk,k->i", a, a, x)
}
fn generic<T: Scalar>(a: &DMatrix<T>, x: &DVector<T>, scale: T) -> DVector<T> {
    einsum!(",ij,j->i", scale, a, x)
}

#[test]
fn generic_functions() {
    let (a, x) = (
        fixed::<3, 3>(1).map(|n| n as f64),
        fixed::<3, 1>(2).map(|n| n as f64),
    );
    assert_eq!(square_twice(&a, &x), a * a * x);
    assert_eq!(
        square_twice(
            &SMatrix::<f64, 1, 1>::new(3.0),
            &SVector::<f64, 1>::new(2.0)
        )[0],
        18.0
    );
    let (a, x) = (
        numbers(3, 4, 1),
        DVector::from_fn(4, |i, _| number(i, 0, 2)),
    );
    assert_eq!(generic(&a, &x, 2), 2 * &a * &x);
}

#[test]
fn a_vector_is_one_axis_or_two() {
    let a = numbers(3, 4, 1);
    let x = DVector::from_fn(4, |i, _| number(i, 0, 2));
    let row = RowDVector::from_fn(4, |_, j| number(j, 0, 2));
    let expected = &a * &x;
    assert_eq!(einsum!("ij,j->i", a, x), expected);
    assert_eq!(einsum!("ij,jk->ik", a, x), expected);
    assert_eq!(einsum!("ij,j->i", a, row), expected);
    assert_eq!(einsum!("ij,kj->ik", a, row), expected);
    assert_eq!(
        einsum!("i,i->", fixed::<3, 1>(1), fixed::<3, 1>(1)),
        fixed::<3, 1>(1).norm_squared_i()
    );
    let short: RowVector3<i64> = fixed(1);
    assert_eq!(einsum!("i->i", short), short.transpose());
    // Beside `...`, what has one column by its type is a vector.
    assert_eq!(einsum!("...j,j->...", a, x), expected);
    assert_eq!(einsum!("j...,ij->i...", x, a), expected);
    assert_eq!(einsum!("...,...->...", x, x), x.component_mul(&x));
    assert_eq!(
        einsum!("...i,...i->...", numbers(2, 3, 1), fixed::<2, 3>(1)).len(),
        2
    );
    let batch = Tensor::from_fn([2, 3, 4], |[b, i, j]| number(i, j, b as i64));
    let y = einsum!("...j,bij->bi...", x, batch);
    assert_eq!(y.shape(), (2, 3));
    assert_eq!(
        y[(1, 2)],
        (0..4).map(|j| number(2, j, 1) * x[j]).sum::<i64>()
    );
    let mut out = DVector::zeros(3);
    einsum!("...j,j->...", a, x, out = &mut out);
    assert_eq!(out, expected);
}

trait NormSquared {
    fn norm_squared_i(&self) -> i64;
}
impl NormSquared for Vector3<i64> {
    fn norm_squared_i(&self) -> i64 {
        self.iter().map(|x| x * x).sum()
    }
}

#[test]
fn results_are_stored_by_columns_and_tensors_above_rank_two() {
    let a = numbers(2, 3, 1);
    assert_eq!(einsum!("ij->ij", a).as_slice(), a.as_slice());
    assert_eq!(einsum!("ij->ji", a).as_slice(), a.transpose().as_slice());
    let three = einsum!("ij,kj->ikj", a, a);
    assert_eq!(three.shape(), &[2, 2, 3]);
    assert_eq!(three[[1, 0, 2]], a[(1, 2)] * a[(0, 2)]);
    let fixed_three = einsum!("ij,kj->ikj", fixed::<2, 3>(1), fixed::<2, 3>(1));
    assert_eq!(fixed_three[[1, 0, 2]], three[[1, 0, 2]]);
    let dynamic = Tensor::from_fn([2, 3], |[i, j]| number(i, j, 1)).into_dyn();
    assert_eq!(einsum!("ij,...j->...i", a, dynamic).shape(), [2, 2]);
}

#[test]
fn the_first_family_wins() {
    let a = numbers(2, 3, 1);
    let t = Tensor::from_fn([3, 2], |[i, j]| number(i, j, 2));
    let expected = product(&a, &numbers(3, 2, 2));
    assert_eq!(einsum!("ij,jk->ik", a, t), expected);
    assert_eq!(einsum!("jk,ij->ik", t, a).shape(), &[2, 2]);
    assert_eq!(
        einsum!("j,ij->i", vec![1, 2, 3], a),
        &a * DVector::from_vec(vec![1, 2, 3])
    );
    // An array's constants reach nalgebra's result.
    let y = einsum!("ij,jk->k", a, [[1, 0], [0, 1], [1, 1]]);
    assert_eq!(
        type_name_of_val(&y),
        type_name_of_val(&Vector2::<i64>::zeros())
    );
    let array: [i64; 2] = einsum!("j,kj->k", [1, 2, 3], fixed::<2, 3>(1));
    assert_eq!(
        array,
        <[i64; 2]>::from(fixed::<2, 3>(1) * Vector3::new(1, 2, 3))
    );
}

#[test]
fn pointers_and_mutable_views_are_operands() {
    let (a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(&a, &b);
    let mut copy = a.clone();
    assert_eq!(einsum!("ij,jk->ik", &&a, Box::new(b.clone())), expected);
    assert_eq!(
        einsum!(
            "ij,jk->ik",
            Arc::new(a.clone()),
            b.as_view::<Dyn, Dyn, U1, Dyn>()
        ),
        expected
    );
    assert_eq!(
        einsum!("ij,jk->ik", copy.as_view_mut::<Dyn, Dyn, U1, Dyn>(), b),
        expected
    );
}

#[test]
fn writes_into_every_mutable_matrix() {
    let (a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(&a, &b);
    let mut c = numbers(3, 5, 3);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2, beta = -1);
    assert_eq!(c, 2 * &expected - numbers(3, 5, 3));
    let mut by_rows = vec![-1; 3 * 7];
    {
        let mut view = DMatrixViewMut::from_slice_with_strides_mut(&mut by_rows, 3, 5, 7, 1);
        einsum!("ij,jk->ik", a, b, out = &mut view);
    }
    for (k, &x) in by_rows.iter().enumerate() {
        let want = if k % 7 < 5 {
            expected[(k / 7, k % 7)]
        } else {
            -1
        };
        assert_eq!(x, want);
    }
    let mut wide = DMatrix::from_element(7, 6, -1);
    einsum!(
        "ij,jk->ik",
        a,
        b,
        out = &mut wide.view_with_steps_mut((1, 1), (3, 5), (1, 0))
    );
    assert_eq!(wide.view_with_steps((1, 1), (3, 5), (1, 0)), expected);
    assert_eq!(wide.iter().filter(|&&x| x == -1).count(), 42 - 15);

    let mut small: Matrix3<i64> = Matrix3::repeat(2);
    einsum!("ij->ii", a, out = &mut small, beta = 3);
    let sums = einsum!("ij->i", a);
    assert_eq!(
        small,
        Matrix3::from_fn(|i, j| 6 + if i == j { sums[i] } else { 0 })
    );
    let mut x: Vector3<i64> = Vector3::zeros();
    einsum!("ij->i", a, out = &mut x);
    assert_eq!(x.as_slice(), sums.as_slice());
    let mut row = DMatrix::zeros(2, 3);
    einsum!("ij->i", a, out = &mut row.row_mut(1));
    assert_eq!(row.row(1).transpose().as_slice(), sums.as_slice());
    assert!(row.row(0).iter().all(|&x| x == 0));
    let mut nan = DMatrix::from_element(3, 3, f64::NAN);
    let f = numbers(3, 4, 1).map(|n| n as f64);
    einsum!("ij,kj->ik", f, f, out = &mut nan);
    assert_eq!(nan, &f * f.transpose());
}

#[test]
fn rows_and_columns_may_interleave_in_an_output() {
    let mut memory = [-1; 8];
    let mut view = DMatrixViewMut::from_slice_with_strides_mut(&mut memory, 3, 2, 2, 3);
    einsum!("ij->ij", numbers(3, 2, 1), out = &mut view);
    let n = |i, j| number(i, j, 1);
    assert_eq!(
        memory,
        [n(0, 0), -1, n(1, 0), n(0, 1), n(2, 0), n(1, 1), -1, n(2, 1)]
    );
}

#[test]
#[should_panic(expected = "more elements than a usize counts")]
fn a_view_of_more_elements_than_can_be_counted_is_refused() {
    let one = [0];
    let view = DMatrixView::from_slice_with_strides(&one, 1 << 40, 1 << 40, 0, 0);
    let _ = einsum!("ij->", view);
}

#[test]
fn sizes_that_do_not_fit() {
    let (a, b) = (numbers(3, 4, 1), numbers(5, 2, 2));
    let error = try_einsum!("ij,jk->ik", a, b).unwrap_err();
    let picture = "label 'j' is 4 in operand 0 (axis 1) but 5 in operand 1 (axis 0)";
    assert!(error.to_string().starts_with(picture), "{error}");
    let error = try_einsum!("ij,jk->ik", fixed::<2, 3>(1), b).unwrap_err();
    assert!(matches!(error, EinsumError::Size { .. }), "{error}");
    let mut c = DMatrix::from_element(2, 3, 8);
    let error = try_einsum!("ij,jk->ik", numbers(3, 5, 1), b, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
    assert!(c.iter().all(|&x| x == 8));
    let empty = DMatrix::<i64>::zeros(3, 0);
    assert_eq!(einsum!("ij,kj->ik", empty, empty), DMatrix::zeros(3, 3));
    assert_eq!(einsum!("ij->ji", empty).shape(), (0, 3));
    assert_eq!(
        einsum!("ij,kj->ik", fixed::<2, 0>(1), fixed::<2, 0>(1)),
        SMatrix::<i64, 2, 2>::zeros()
    );
}

#[test]
fn conjugates() {
    let complex = |seed| {
        DMatrix::from_fn(3, 3, |i, j| {
            Complex::new(number(i, j, seed) as f64, number(j, i, seed) as f64)
        })
    };
    let (a, b) = (complex(1), complex(2));
    assert_eq!(einsum!("ij,jk->ik", conj(&a), b), a.map(|z| z.conj()) * &b);
    assert_eq!(einsum!("ij,jk->ik", a, conj(&b)), &a * b.map(|z| z.conj()));
    assert_eq!(
        einsum!("ij->ji", conj(a.as_view::<Dyn, Dyn, U1, Dyn>())),
        a.map(|z| z.conj()).transpose()
    );
    let x: SVector<Complex<f64>, 3> = SVector::from_fn(|i, _| a[(i, 0)]);
    assert_eq!(
        einsum!("i,i->", conj(&x), x),
        Complex::from(x.iter().map(|z| z.norm_sqr()).sum::<f64>())
    );
    assert_eq!(einsum!("...i,i->...", conj(&a), x).len(), 3);
    let column: DVector<Complex<f64>> = einsum!("ij,j->i", conj(&a), x);
    assert_eq!(column, a.map(|z| z.conj()) * x);
}
