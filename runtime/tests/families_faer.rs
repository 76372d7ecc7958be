//! faer: matrices, columns, rows and their views with any strides.

use std::any::type_name_of_val;
use std::sync::Arc;

use cteinsum::{Complex, EinsumError, Scalar, Tensor, conj, einsum, try_einsum};
use faer::{Col, ColRef, Mat, MatMut, MatRef, Row};

/// Distinct integers that tell rows from columns.
fn number(i: usize, j: usize, seed: i64) -> f64 {
    (((i as i64 * 37 + j as i64 * 11 + seed) * 53) % 101 - 50) as f64
}
fn numbers(rows: usize, columns: usize, seed: i64) -> Mat<f64> {
    Mat::from_fn(rows, columns, |i, j| number(i, j, seed))
}
fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), b.ncols(), |i, k| {
        (0..a.ncols()).map(|j| a[(i, j)] * b[(j, k)]).sum()
    })
}

/// Calls `f` with views of the matrix that lie in memory in different ways.
fn with_layouts(m: MatRef<'_, f64>, mut f: impl FnMut(MatRef<'_, f64>)) {
    let (rows, columns) = m.shape();
    f(m);
    let transposed = Mat::from_fn(columns, rows, |j, i| m[(i, j)]);
    f(transposed.transpose());
    let reversed = Mat::from_fn(rows, columns, |i, j| m[(rows - 1 - i, columns - 1 - j)]);
    assert!(reversed.as_ref().reverse_rows().row_stride() < 0);
    f(reversed.as_ref().reverse_rows_and_cols());
    let wide = Mat::from_fn(rows + 2, columns + 3, |i, j| {
        if (1..=rows).contains(&i) && (2..columns + 2).contains(&j) {
            m[(i - 1, j - 2)]
        } else {
            f64::NAN
        }
    });
    f(wide.as_ref().submatrix(1, 2, rows, columns));
    let memory: Vec<f64> = (0..rows * columns)
        .map(|k| m[(k / columns, k % columns)])
        .collect();
    f(MatRef::from_row_major_slice(&memory, rows, columns));
}

#[test]
fn every_layout_multiplies() {
    let (a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(a.as_ref(), b.as_ref());
    with_layouts(a.as_ref(), |a| {
        with_layouts(b.as_ref(), |b| {
            assert_eq!(einsum!("ij,jk->ik", a, b), expected);
            assert_eq!(einsum!("jk,ij->ki", b, a), expected.transpose());
        });
        assert_eq!(einsum!("ij->ji", a), a.transpose());
        assert_eq!(
            einsum!("ij->i", a),
            Col::from_fn(3, |i| (0..4).map(|j| a[(i, j)]).sum::<f64>())
        );
    });
}

#[test]
fn columns_and_rows_are_one_axis() {
    let a = numbers(3, 4, 1);
    let x = Col::from_fn(4, |j| number(j, 0, 2));
    let y = Row::from_fn(3, |i| number(0, i, 3));
    let expected = Col::from_fn(3, |i| (0..4).map(|j| a[(i, j)] * x[j]).sum::<f64>());
    assert_eq!(einsum!("ij,j->i", a, x), expected);
    assert_eq!(einsum!("ij,j->i", a, x.as_ref()), expected);
    assert_eq!(einsum!("ij,j->i", a, x.transpose()), expected);
    assert_eq!(
        einsum!("ij,j->i", a, x.as_ref().reverse_rows().reverse_rows()),
        expected
    );
    let energy = einsum!("i,ij,j->", y, a, x);
    assert_eq!(energy, (0..3).map(|i| y[i] * expected[i]).sum::<f64>());
    assert_eq!(
        einsum!("i,i->", a.row(1), a.row(2)),
        (0..4).map(|j| a[(1, j)] * a[(2, j)]).sum::<f64>()
    );
    assert_eq!(einsum!("i->i", a.col(2)), a.col(2));
    let seven = 7.0;
    let repeated = ColRef::from_repeated_ref(&seven, 4);
    assert_eq!(repeated.row_stride(), 0);
    assert_eq!(
        einsum!("ij,j->i", a, repeated),
        Col::from_fn(3, |i| 7.0 * (0..4).map(|j| a[(i, j)]).sum::<f64>())
    );
    assert_eq!(einsum!("...j,j->...", a, x), expected);
}

fn generic<T: Scalar>(a: MatRef<'_, T>, x: &Col<T>, scale: T) -> Col<T> {
    einsum!(",ij,j->i", scale, a, x)
}

#[test]
fn results_are_faers() {
    let a = numbers(2, 3, 1);
    assert_eq!(
        type_name_of_val(&einsum!("ij->ji", a)),
        type_name_of_val(&a)
    );
    assert_eq!(
        type_name_of_val(&einsum!("ij->i", a)),
        type_name_of_val(&Col::<f64>::zeros(1))
    );
    assert_eq!(einsum!("ij->ij", a).row_stride(), 1);
    let three = einsum!("ij,kj->ikj", a, a);
    assert_eq!(three.shape(), &[2, 2, 3]);
    assert_eq!(three[[1, 0, 2]], a[(1, 2)] * a[(0, 2)]);
    let t = Tensor::from_fn([3, 2], |[i, j]| number(i, j, 2));
    assert_eq!(
        einsum!("ij,jk->ik", a, t),
        product(a.as_ref(), numbers(3, 2, 2).as_ref())
    );
    assert_eq!(einsum!("jk,ij->ik", t, a).shape(), &[2, 2]);
    assert_eq!(einsum!("j,ij->i", vec![1.0, 2.0, 3.0], a).nrows(), 2);
    assert_eq!(
        einsum!("ij,...j->...i", a, t.permuted([1, 0]).as_dyn()).shape(),
        [2, 2]
    );
    // Elements that faer has no arithmetic for.
    let integers = Mat::from_fn(2, 2, |i, j| (2 * i + j) as i32);
    let x = Col::from_fn(2, |i| i as i32 + 1);
    assert_eq!(generic(integers.as_ref(), &x, 10)[1], 80);
    let empty = Mat::<f64>::zeros(3, 0);
    assert_eq!(einsum!("ij,kj->ik", empty, empty), Mat::<f64>::zeros(3, 3));
    assert_eq!(einsum!("ij->ji", empty).shape(), (0, 3));
}

#[test]
fn pointers_and_mutable_views_are_operands() {
    let (mut a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(a.as_ref(), b.as_ref());
    assert_eq!(einsum!("ij,jk->ik", &&a, Box::new(b.clone())), expected);
    assert_eq!(
        einsum!("ij,jk->ik", Arc::new(a.clone()), b.as_ref()),
        expected
    );
    assert_eq!(einsum!("ij,jk->ik", a.as_mut(), b), expected);
}

#[test]
fn writes_into_every_mutable_array() {
    let (a, b) = (numbers(3, 4, 1), numbers(4, 5, 2));
    let expected = product(a.as_ref(), b.as_ref());
    let mut c = numbers(3, 5, 3);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2.0, beta = -1.0);
    assert_eq!(
        c,
        Mat::from_fn(3, 5, |i, k| 2.0 * expected[(i, k)] - number(i, k, 3))
    );
    let mut wide = Mat::from_fn(7, 9, |_, _| f64::NAN);
    {
        let view: MatMut<'_, f64> = wide.as_mut().submatrix_mut(2, 1, 5, 3);
        let mut view = view.reverse_rows_mut().transpose_mut();
        einsum!("ij,jk->ik", a, b, out = &mut view);
    }
    for i in 0..7 {
        for j in 0..9 {
            let inside = (2..7).contains(&i) && (1..4).contains(&j);
            let want = if inside {
                expected[(j - 1, 6 - i)]
            } else {
                f64::NAN
            };
            assert_eq!(wide[(i, j)].to_bits(), want.to_bits());
        }
    }
    let mut diagonal = Mat::from_fn(3, 3, |_, _| 2.0);
    einsum!("ij->ii", a, out = &mut diagonal, beta = 3.0);
    let sums = einsum!("ij->i", a);
    assert_eq!(
        diagonal,
        Mat::from_fn(3, 3, |i, j| 6.0 + if i == j { sums[i] } else { 0.0 })
    );
    let (mut column, mut row) = (Col::zeros(3), Row::zeros(3));
    einsum!("ij->i", a, out = &mut column);
    einsum!("ij->i", a, out = &mut row);
    assert_eq!((&column, row.transpose()), (&sums, sums.as_ref()));
    let mut grid = Mat::zeros(3, 3);
    einsum!("ij->i", a, out = &mut grid.as_mut().row_mut(1));
    einsum!("ij->i", a, out = &mut grid.as_mut().col_mut(2), beta = 1.0);
    assert_eq!(grid[(1, 0)], sums[0]);
    assert_eq!(grid[(1, 2)], sums[2] + sums[1]);
}

#[test]
fn sizes_that_do_not_fit() {
    let (a, b) = (numbers(3, 4, 1), numbers(5, 2, 2));
    let error = try_einsum!("ij,jk->ik", a, b).unwrap_err();
    let picture = "label 'j' is 4 in operand 0 (axis 1) but 5 in operand 1 (axis 0)";
    assert!(error.to_string().starts_with(picture), "{error}");
    let mut c = Mat::from_fn(2, 3, |_, _| 8.0);
    let error = try_einsum!("ij,jk->ik", numbers(3, 5, 1), b, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
    assert_eq!(c, Mat::from_fn(2, 3, |_, _| 8.0));
}

#[test]
#[should_panic(expected = "more elements than a usize counts")]
fn a_view_of_more_elements_than_can_be_counted_is_refused() {
    let one = 0.0;
    let _ = einsum!("ij->", MatRef::from_repeated_ref(&one, 1 << 40, 1 << 40));
}

#[test]
fn conjugates() {
    let complex = |seed| {
        Mat::from_fn(3, 3, |i, j| {
            Complex::new(number(i, j, seed), number(j, i, seed))
        })
    };
    let (a, b) = (complex(1), complex(2));
    let loops = |left: bool, right: bool| {
        Mat::from_fn(3, 3, |i, k| {
            let bar = |z: Complex<f64>, yes| if yes { z.conj() } else { z };
            (0..3)
                .map(|j| bar(a[(i, j)], left) * bar(b[(j, k)], right))
                .sum::<Complex<f64>>()
        })
    };
    assert_eq!(einsum!("ij,jk->ik", conj(&a), b), loops(true, false));
    assert_eq!(
        einsum!("ij,jk->ik", a, conj(b.as_ref())),
        loops(false, true)
    );
    assert_eq!(einsum!("ij,jk->ik", conj(&a), conj(&b)), loops(true, true));
    assert_eq!(einsum!("i->i", conj(a.col(1)))[2], a[(2, 1)].conj());
}
