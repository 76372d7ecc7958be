//! ndarray: every storage and dimension, hostile layouts, results of its own.

use std::any::type_name_of_val;
use std::sync::Arc;

use cteinsum::{
    Complex, DynTensor, EinsumError, Engine, Tensor, conj, einsum, tensordot, try_einsum,
};
use ndarray::{
    ArcArray, Array, Array0, Array1, Array2, Array3, ArrayD, ArrayRef, ArrayRef2, ArrayView,
    ArrayView2, ArrayViewMut2, Axis, CowArray, Dimension, Ix2, IxDyn, ShapeBuilder, arr0, s,
};

/// Distinct integers that tell the axes apart.
fn numbers<D: Dimension>(shape: impl ShapeBuilder<Dim = D>, seed: i64) -> Array<i64, D> {
    let mut n = seed;
    Array::from_shape_simple_fn(shape, || {
        n = (n * 37 + 11) % 101;
        n - 50
    })
}

fn product(a: ArrayView2<'_, i64>, b: ArrayView2<'_, i64>) -> Array2<i64> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, k)| {
        (0..a.ncols()).map(|j| a[[i, j]] * b[[j, k]]).sum()
    })
}

/// The same matrix in memory in every way that ndarray knows.
fn layouts(m: &Array2<i64>) -> Vec<Array2<i64>> {
    let rows_reversed = {
        let mut r = Array2::zeros(m.raw_dim());
        r.assign(&m.slice(s![..;-1, ..]));
        r.invert_axis(Axis(0));
        r
    };
    let both_reversed_by_columns = {
        let mut r = Array2::zeros(m.raw_dim().f());
        r.assign(&m.slice(s![..;-1, ..;-1]));
        r.invert_axis(Axis(0));
        r.invert_axis(Axis(1));
        r
    };
    let by_columns = {
        let mut f = Array2::zeros(m.raw_dim().f());
        f.assign(m);
        f
    };
    let gapped = {
        let mut wide = Array2::from_elem((2 * m.nrows() + 1, 3 * m.ncols() + 2), i64::MAX);
        wide.slice_mut(s![1..;2, 2..;3]).assign(m);
        wide.slice_move(s![1..;2, 2..;3])
    };
    let all = vec![
        m.clone(),
        by_columns,
        rows_reversed,
        both_reversed_by_columns,
        gapped,
    ];
    assert!(all.iter().all(|other| other == m));
    let mut strides: Vec<_> = all.iter().map(|a| a.strides().to_vec()).collect();
    strides.sort();
    strides.dedup();
    assert_eq!(strides.len(), all.len(), "each layout is another one");
    all
}

#[test]
fn every_layout_multiplies() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let expected = product(a.view(), b.view());
    for a in layouts(&a) {
        for b in layouts(&b) {
            assert_eq!(einsum!("ij,jk->ik", a, b), expected);
            assert_eq!(einsum!("ji,kj->ki", a.t(), b.t()), expected.t());
            assert_eq!(einsum!("jk,ij->ki", b, a), expected.t());
            assert_eq!(
                einsum!("ij,jk->ik", a.clone().into_dyn(), b.view()),
                expected
            );
        }
        assert_eq!(einsum!("ij->", a), a.sum());
        assert_eq!(einsum!("ij->j", a), a.sum_axis(Axis(0)));
        assert_eq!(einsum!("ij->ji", a), a.t());
    }
}

#[test]
fn a_broadcast_view_has_stride_zero() {
    let row = numbers(4, 3);
    let a = row.broadcast((3, 4)).unwrap();
    assert_eq!(a.strides()[0], 0);
    let b = numbers((4, 2), 4);
    assert_eq!(
        einsum!("ij,jk->ik", a, b),
        product(a.to_owned().view(), b.view())
    );
    assert_eq!(einsum!("ij->j", a), &row * 3);
    let (one, four) = (arr0(7), numbers(4, 5));
    let everywhere = one.broadcast((4, 4)).unwrap();
    assert_eq!(
        einsum!("ij,j->i", everywhere, four),
        Array1::from_elem(4, 7 * four.sum())
    );
}

#[test]
fn every_storage_is_an_operand() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let expected = product(a.view(), b.view());
    let mut target = a.clone();
    let view_mut: ArrayViewMut2<'_, i64> = target.view_mut();
    let borrowed = CowArray::from(a.view());
    let owned: CowArray<'_, i64, Ix2> = CowArray::from(a.clone());
    let shared: ArcArray<i64, Ix2> = a.to_shared();
    let reference: &ArrayRef2<i64> = &a;
    assert_eq!(einsum!("ij,jk->ik", a.view(), b), expected);
    assert_eq!(einsum!("ij,jk->ik", view_mut, b), expected);
    assert_eq!(einsum!("ij,jk->ik", borrowed, b), expected);
    assert_eq!(einsum!("ij,jk->ik", owned, b), expected);
    assert_eq!(einsum!("ij,jk->ik", shared, b), expected);
    assert_eq!(einsum!("ij,jk->ik", reference, b), expected);
    assert_eq!(einsum!("ij,jk->ik", *reference, b), expected);
    assert_eq!(einsum!("ij,jk->ik", &&a, Box::new(b.view())), expected);
    assert_eq!(
        einsum!("ij,jk->ik", Arc::new(a.clone()), &mut b.clone()),
        expected
    );
}

fn generic<T: cteinsum::Scalar>(a: &ArrayRef<T, Ix2>, x: &Array1<T>, scale: T) -> Array1<T> {
    einsum!("ij,j,->i", a, x, scale)
}

#[test]
fn functions_generic_in_the_elements() {
    let (a, x) = (numbers((3, 4), 1), numbers(4, 2));
    assert_eq!(generic(&a, &x, 2), 2 * a.dot(&x));
    let (a, x) = (a.mapv(|n| n as f32), x.mapv(|n| n as f32));
    assert_eq!(generic(&a, &x, 0.5), 0.5 * a.dot(&x));
}

#[test]
fn results_have_ndarrays_type_and_order() {
    let (a, b, x) = (numbers((2, 3), 1), numbers((3, 2), 2), numbers(3, 3));
    let c = einsum!("ij,jk->ik", a.t(), a);
    assert!(c.is_standard_layout());
    assert_eq!(c.nrows() + c.dim().1, 6);
    assert_eq!(c.as_slice().unwrap().len(), 9);
    assert_eq!(einsum!("ij,j->i", a, x).dim(), 2);
    let number: i64 = einsum!("ij,ji->", a, b);
    assert_eq!(number, product(a.view(), b.view()).diag().sum());
    assert_eq!(einsum!("i,j,k->ijk", x, x, x).dim(), (3, 3, 3));
    assert_eq!(
        einsum!("i,j,k,l->ijkl", x, x, x, x)[[2, 1, 0, 1]],
        x[2] * x[1] * x[0] * x[1]
    );
    assert_eq!(
        einsum!("i,j,k,l,m->ijklm", x, x, x, x, x)[[2, 1, 0, 1, 2]],
        x[2] * x[1] * x[0] * x[1] * x[2]
    );
    let six = einsum!("ij,kl,mn->ikmjln", a, a, a);
    assert_eq!(six.dim(), (2, 2, 2, 3, 3, 3));
    assert_eq!(six[[1, 0, 1, 2, 1, 0]], a[[1, 2]] * a[[0, 1]] * a[[1, 0]]);
    assert!(type_name_of_val(&six).contains("; 6]"));
    // Beyond Ix6 ndarray has arrays of dynamic rank.
    let seven: ArrayD<i64> = einsum!("ij,kl,mn,o->ikmjlno", a, a, a, x);
    assert_eq!(seven[[1, 0, 1, 2, 1, 0, 2]], six[[1, 0, 1, 2, 1, 0]] * x[2]);
    assert_eq!(einsum!("ijklmn->nmlkji", six), six.t());
    assert_eq!(einsum!("ijklmno->o", seven).dim(), 3);
    let nothing = Array0::from_elem((), 6);
    assert_eq!(einsum!(",i->i", nothing, x), 6 * &x);
}

#[test]
fn arrays_of_dynamic_rank() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let expected = product(a.view(), b.view());
    let (da, db) = (a.clone().into_dyn(), b.clone().into_dyn());
    let c = einsum!("ij,jk->ik", da, db);
    assert_eq!(c.dim(), (3, 5));
    assert_eq!(c, expected);
    let batch: ArrayD<i64> = numbers(IxDyn(&[2, 2, 3, 4]), 7);
    let d = einsum!("...ij,jk->...ik", batch, b);
    assert_eq!(d.shape(), [2, 2, 3, 5]);
    for ((x, y), want) in [((0, 0), 0), ((1, 1), 3)] {
        let block = batch.view().into_shape_with_order((4, 3, 4)).unwrap();
        let block: ArrayView2<'_, i64> = block.index_axis_move(Axis(0), want);
        assert_eq!(d.slice(s![x, y, .., ..]), product(block, b.view()));
    }
    // Without axes too: `...` of a run-time rank stays an `ArrayD`.
    let none = einsum!("...->...", ArrayD::from_elem(IxDyn(&[]), 4));
    assert_eq!((none.ndim(), none[[]]), (0, 4));
    // Known ranks make known ranks, also beside `...`.
    assert_eq!(
        einsum!("...ij->...ji", numbers((2, 3, 4), 1)).dim(),
        (2, 4, 3)
    );
    // Nine axes: more than are kept inline.
    let many = numbers(IxDyn(&[2; 9]), 3);
    assert_eq!(
        einsum!("a...->...a", many)[[1, 0, 1, 0, 0, 0, 1, 1, 0]],
        many[[0, 1, 0, 1, 0, 0, 0, 1, 1]]
    );

    let error = try_einsum!("ij,jk->ik", da, batch).unwrap_err();
    assert!(
        matches!(
            error,
            EinsumError::Rank {
                operand: 1,
                labels: 2,
                rank: 4,
                ..
            }
        ),
        "{error}"
    );
    let tensor = DynTensor::from_vec([2, 2, 3, 4], vec![0i64; 48]);
    let same = try_einsum!("ij,jk->ik", a, tensor).unwrap_err();
    assert_eq!(error.to_string(), same.to_string());
}

#[test]
fn the_first_family_wins() {
    let a = numbers((2, 3), 1);
    let t = Tensor::from_fn([3, 2], |[i, j]| (i + j) as i64);
    let x = vec![1i64, 2, 3];
    assert_eq!(einsum!("ij,jk->ik", a, t).dim(), (2, 2));
    assert_eq!(einsum!("jk,ij->ik", t, a).shape(), &[2, 2]);
    assert!(type_name_of_val(&einsum!("jk,ij->ik", t, a)).contains("Tensor"));
    // Neither a vector nor a number has a family.
    assert_eq!(einsum!("j,ij->i", x, a), a.dot(&Array1::from(x.clone())));
    assert_eq!(einsum!(",ij->ij", 2, a), 2 * &a);
    // An array of constant lengths has one, but a tensor stands in where not all lengths are constants.
    assert_eq!(
        einsum!("ij,jk->ik", a, [[1, 0], [0, 1], [1, 1]]).dim(),
        (2, 2)
    );
    assert_eq!(
        einsum!("jk,ij->ik", [[1, 0], [0, 1], [1, 1]], a).shape(),
        &[2, 2]
    );
}

#[test]
fn writes_into_every_mutable_array() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let (mut fortran, expected) = (Array2::zeros((3, 5).f()), product(a.view(), b.view()));
    for target in layouts(&numbers((3, 5), 9)) {
        let before = target.clone();
        let mut c = target;
        einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2, beta = -3);
        assert_eq!(c, 2 * &expected - 3 * &before);
        einsum!("ij,jk->ki", a, b, out = &mut c.view_mut().reversed_axes());
        assert_eq!(c, expected);
    }
    einsum!("ij,jk->ik", a, b, out = &mut fortran);
    assert_eq!(fortran, expected);
    assert!(!fortran.is_standard_layout());

    // What lies between the elements of a view stays.
    let mut wide = Array2::from_elem((7, 11), -1);
    {
        let mut view = wide.slice_mut(s![1..;2, ..10;-2]);
        einsum!("ij,jk->ik", a, b, out = &mut view);
        einsum!("ij,jk->ik", a, b, out = &mut view, beta = 1);
    }
    assert_eq!(wide.slice(s![1..;2, ..10;-2]), 2 * &expected);
    assert_eq!(wide.iter().filter(|&&x| x == -1).count(), 77 - 15);

    let reference: &mut ArrayRef2<i64> = &mut fortran;
    einsum!("ij,jk->ik", a, b, out = reference, beta = 1);
    assert_eq!(fortran, 2 * &expected);

    let mut dynamic = ArrayD::zeros(IxDyn(&[3, 5]));
    einsum!("ij,jk->ik", a, b, out = &mut dynamic);
    assert_eq!(dynamic, expected.clone().into_dyn());

    let mut number = Array0::zeros(());
    einsum!("ij,ij->", a, a, out = &mut number);
    assert_eq!(number[()], (&a * &a).sum());

    let mut diagonal = Array2::from_elem((3, 3).f(), 5);
    einsum!("ij->ii", a, out = &mut diagonal, beta = 2);
    let mut want = Array2::from_elem((3, 3), 10);
    want.diag_mut().scaled_add(1, &a.sum_axis(Axis(1)));
    assert_eq!(diagonal, want);
    let mut line = Array2::zeros((4, 4));
    einsum!("ij->i", a, out = &mut line.diag_mut().slice_mut(s![1..;-1]));
    assert_eq!(
        line.diag(),
        ndarray::arr1(&[0, a.row(2).sum(), a.row(1).sum(), a.row(0).sum()])
    );
}

#[test]
fn shared_and_borrowed_arrays_are_unshared_before_they_are_written() {
    let a = numbers((2, 2), 1);
    let zero = Array2::<i64>::zeros((2, 2));
    let mut shared = zero.to_shared();
    let other = shared.clone();
    einsum!("ij->ji", a, out = &mut shared);
    assert_eq!(shared, a.t());
    assert_eq!(other, zero);
    let mut cow = CowArray::from(zero.view());
    einsum!("ij->ji", a, out = &mut cow);
    assert_eq!(cow, a.t());
    assert_eq!(zero.sum(), 0);
}

#[test]
fn sizes_that_do_not_fit() {
    let (a, b) = (numbers((3, 4), 1), numbers((5, 2), 2));
    let error = try_einsum!("ij,jk->ik", a, b).unwrap_err();
    let picture = "label 'j' is 4 in operand 0 (axis 1) but 5 in operand 1 (axis 0)";
    assert!(error.to_string().starts_with(picture), "{error}");
    let mut c = Array2::from_elem((4, 3).f(), 8);
    let b = numbers((4, 3), 2);
    let error = try_einsum!("ij,jk->ik", a, b, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
    assert!(c.iter().all(|&x| x == 8));
    let mut c = ArrayD::from_elem(IxDyn(&[3, 3, 1]), 8);
    let error = try_einsum!("ij,jk->ik", a, b, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
    assert!(c.iter().all(|&x| x == 8));
}

#[test]
fn empty_arrays_and_shapes_that_ndarray_cannot_hold() {
    let a = Array2::<i64>::zeros((3, 0));
    assert_eq!(einsum!("ij,kj->ik", a, a), Array2::zeros((3, 3)));
    assert_eq!(einsum!("ij->ji", a).dim(), (0, 3));
    let huge = Array2::<i64>::zeros((0, 1 << 40));
    let error = try_einsum!("ij,kl->ijkl", huge, huge).unwrap_err();
    assert!(
        matches!(&error, EinsumError::TooLarge { shape, .. } if *shape == [0, 1 << 40, 0, 1 << 40]),
        "{error}"
    );
    let huge = huge.into_dyn();
    assert!(try_einsum!("...j,kl->...jkl", huge, huge).is_err());
}

#[test]
fn nan_in_an_output_is_not_read() {
    let a = numbers((2, 2), 1).mapv(|n| n as f64);
    let mut c = Array2::from_elem((2, 2).f(), f64::NAN);
    einsum!("ij,jk->ik", a, a, out = &mut c);
    assert_eq!(c, a.dot(&a));
}

#[test]
fn conjugates() {
    let complex = |seed| {
        let (re, im) = (numbers((3, 3), seed), numbers((3, 3), seed + 1));
        ndarray::Zip::from(&re)
            .and(&im)
            .map_collect(|&re, &im| Complex::new(re as f64, im as f64))
    };
    let (a, b) = (complex(1), complex(5));
    let bar = |m: &Array2<Complex<f64>>| m.mapv(|z| z.conj());
    assert_eq!(einsum!("ij,jk->ik", conj(&a), b), bar(&a).dot(&b));
    assert_eq!(einsum!("ij,jk->ik", a, conj(&b)), a.dot(&bar(&b)));
    assert_eq!(
        einsum!("ij,jk->ik", conj(a.view()), conj(&b)),
        bar(&a).dot(&bar(&b))
    );
    assert_eq!(einsum!("ij->ji", conj(&a)), bar(&a).t());
    assert_eq!(einsum!("ij,ij->", conj(&a.clone().into_dyn()), a).im, 0.0);
    assert_eq!(
        einsum!("ij,jk->ik", conj(a.slice(s![..;-1, ..])), b),
        bar(&a).slice(s![..;-1, ..]).dot(&b)
    );
}

#[test]
fn engines_and_axis_numbers() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let mut engine = Engine::serial();
    for _ in 0..2 {
        let c = einsum!("ij,jk->ik", a, b, engine = &mut engine);
        assert_eq!(c, product(a.view(), b.view()));
    }
    let view = ArrayView::from_shape((4, 5), b.as_slice().unwrap()).unwrap();
    let c = tensordot(&a, &view, 1).unwrap();
    assert_eq!(
        c.as_slice(),
        product(a.view(), b.view()).as_slice().unwrap()
    );
    let cube: Array3<i64> = numbers((2, 3, 4), 1);
    assert_eq!(
        einsum!("ijk,k->ij", cube, [1, 1, 1, 1], engine = &mut engine),
        cube.sum_axis(Axis(2))
    );
}
