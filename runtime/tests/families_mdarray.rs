//! mdarray: constant, run-time and mixed shapes, dynamic rank, views with any strides.

use std::any::type_name_of_val;

use cteinsum::{Complex, EinsumError, Tensor, conj, einsum, try_einsum};
use mdarray::{Array, Const, DArray, DSlice, DynRank, Shape, Slice, step};

/// Distinct integers that tell the axes apart.
fn number(index: &[usize], seed: i64) -> i64 {
    index
        .iter()
        .fold(seed, |n, &i| (n * 37 + 11 * i as i64 + 5) % 101)
        - 50
}
fn numbers<S: Shape>(shape: S, seed: i64) -> Array<i64, S> {
    Array::from_fn(shape, |index| number(index, seed))
}
fn product<LA: mdarray::Layout, LB: mdarray::Layout>(
    a: &DSlice<i64, 2, LA>,
    b: &DSlice<i64, 2, LB>,
) -> DArray<i64, 2> {
    Array::from_fn([a.dim(0), b.dim(1)], |i| {
        (0..a.dim(1)).map(|j| a[[i[0], j]] * b[[j, i[1]]]).sum()
    })
}

#[test]
fn every_layout_multiplies() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let expected = product(&a, &b);
    assert_eq!(einsum!("ij,jk->ik", a, b), expected);
    assert_eq!(
        einsum!("ji,kj->ki", a.transpose(), b.transpose()),
        expected.transpose()
    );
    let mut reversed: DArray<i64, 2> = numbers((3, 4), 0);
    for i in 0..3 {
        for j in 0..4 {
            reversed[[2 - i, j]] = a[[i, j]];
        }
    }
    let view = reversed.view(step(.., -1), ..);
    assert!(view.stride(0) < 0);
    assert_eq!(einsum!("ij,jk->ik", view, b), expected);
    let wide = numbers((7, 9), 3);
    let part = wide.view(step(1.., 2), 2..6);
    assert_eq!(einsum!("ij,jk->ik", part, b), product(&part, &b));
    let slice: &DSlice<i64, 2> = &a;
    assert_eq!(einsum!("ij,jk->ik", slice, Box::new(b.clone())), expected);
    assert_eq!(
        einsum!("ij,jk->ik", &a.expr(), numbers((4, 5), 2).expr_mut()),
        expected
    );
    assert_eq!(
        einsum!("j,j->", a.row(0), a.row(1)),
        (0..4).map(|j| a[[0, j]] * a[[1, j]]).sum::<i64>()
    );
    assert_eq!(
        einsum!("i->i", wide.diag(1)).to_vec(),
        wide.diag(1).to_vec()
    );
}

#[test]
fn constant_lengths_stay_constant() {
    let a: Array<i64, (Const<2>, Const<3>)> = numbers(Default::default(), 1);
    let b: Array<i64, (Const<3>, Const<4>)> = numbers(Default::default(), 2);
    let c = einsum!("ij,jk->ik", a, b);
    assert_eq!(
        type_name_of_val(&c),
        type_name_of_val(&Array::<i64, (Const<2>, Const<4>)>::default())
    );
    let (da, db) = (numbers((2, 3), 1), numbers((3, 4), 2));
    assert_eq!(c.to_vec(), product(&da, &db).to_vec());
    let mixed = einsum!("ij,jk->ki", a, db);
    assert_eq!(
        type_name_of_val(&mixed),
        type_name_of_val(&Array::<i64, (usize, Const<2>)>::default())
    );
    assert_eq!(
        mixed.to_vec(),
        product(&da, &db).transpose().to_array().to_vec()
    );
    let number: i64 = einsum!("ij,ij->", a, da);
    assert_eq!(number, a.to_vec().iter().map(|x| x * x).sum());
    let six = einsum!("ij,kl,mn->ikmjln", a, a, a);
    assert_eq!(type_name_of_val(&six).matches("Const").count(), 6);
    assert_eq!(six[[1, 0, 1, 2, 1, 0]], a[[1, 2]] * a[[0, 1]] * a[[1, 0]]);
}

#[test]
fn dynamic_rank() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let (da, db) = (a.clone().into_dyn(), b.clone().into_dyn());
    let c = einsum!("ij,jk->ik", da, db);
    assert_eq!(c, product(&a, &b));
    let d: Array<i64, DynRank> = einsum!("...j,jk->...k", da, b);
    assert_eq!(d.dims(), [3, 5]);
    assert_eq!(d.into_vec(), c.to_vec());
    let x = numbers((2,), 3);
    let seven: Array<i64, DynRank> = einsum!("a,b,c,d,e,f,g->abcdefg", x, x, x, x, x, x, x);
    assert_eq!(seven.dims(), [2; 7]);
    assert_eq!(seven[[1, 0, 0, 1, 0, 0, 1]], x[1].pow(3) * x[0].pow(4));
    assert_eq!(
        einsum!("abcdefg->gfedcba", seven.view_all())[[1, 0, 0, 0, 0, 0, 0]],
        seven[[0, 0, 0, 0, 0, 0, 1]]
    );
    let error = try_einsum!("ij,jk->ik", a, seven).unwrap_err();
    assert!(
        matches!(
            error,
            EinsumError::Rank {
                operand: 1,
                labels: 2,
                rank: 7,
                ..
            }
        ),
        "{error}"
    );
}

trait ViewAll {
    fn view_all(&self) -> &Slice<i64, DynRank>;
}
impl ViewAll for Array<i64, DynRank> {
    fn view_all(&self) -> &Slice<i64, DynRank> {
        self
    }
}

#[test]
fn the_first_family_wins() {
    let a = numbers((2, 3), 1);
    let t = Tensor::from_fn([3, 2], |[i, j]| number(&[i, j], 2));
    assert_eq!(einsum!("ij,jk->ik", a, t), product(&a, &numbers((3, 2), 2)));
    assert_eq!(einsum!("jk,ij->ik", t, a).shape(), &[2, 2]);
    assert!(type_name_of_val(&einsum!("j,ij->i", vec![1, 2, 3], a)).starts_with("mdarray"));
}

#[test]
fn writes_into_every_mutable_array() {
    let (a, b) = (numbers((3, 4), 1), numbers((4, 5), 2));
    let expected = product(&a, &b);
    let mut c = numbers((3, 5), 3);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2, beta = -1);
    assert_eq!(
        c,
        Array::from_fn([3, 5], |i| 2 * expected[[i[0], i[1]]] - number(i, 3))
    );
    let mut wide = Array::from_elem([7, 9], -1);
    einsum!(
        "ij,jk->ik",
        a,
        b,
        out = &mut wide.view_mut(step(1..6, -2), 2..7)
    );
    assert_eq!(wide.view(step(1..6, -2), 2..7).to_array(), expected);
    assert_eq!(wide.to_vec().iter().filter(|&&x| x == -1).count(), 63 - 15);
    let mut constant: Array<i64, (Const<5>, Const<3>)> = Array::default();
    einsum!("ij,jk->ik", a, b, out = &mut constant.transpose_mut());
    assert_eq!(constant.to_vec(), expected.transpose().to_array().to_vec());
    let mut dynamic = Array::<i64, DynRank>::zeros(&[3, 5]);
    einsum!("ij,jk->ik", a, b, out = &mut dynamic);
    assert_eq!(dynamic.into_vec(), expected.to_vec());
    let mut diagonal = Array::from_elem([3, 3], 2);
    einsum!("ij->ii", a, out = &mut diagonal, beta = 3);
    let sums = einsum!("ij->i", a);
    assert_eq!(
        diagonal,
        Array::from_fn([3, 3], |i| 6 + if i[0] == i[1] { sums[i[0]] } else { 0 })
    );
    let slice: &mut DSlice<i64, 2> = &mut diagonal;
    einsum!("ij->ii", a, out = slice);
    assert_eq!(slice.diag(0).to_vec(), sums.to_vec());
}

#[test]
fn sizes_that_do_not_fit() {
    let (a, b) = (numbers((3, 4), 1), numbers((5, 2), 2));
    let error = try_einsum!("ij,jk->ik", a, b).unwrap_err();
    let picture = "label 'j' is 4 in operand 0 (axis 1) but 5 in operand 1 (axis 0)";
    assert!(error.to_string().starts_with(picture), "{error}");
    let mut c = Array::from_elem([2, 3], 8);
    let error = try_einsum!("ij,jk->ik", numbers((3, 5), 1), b, out = &mut c).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
    assert_eq!(c, Array::from_elem([2, 3], 8));
    let empty = numbers((3, 0), 1);
    assert_eq!(
        einsum!("ij,kj->ik", empty, empty),
        Array::from_elem([3, 3], 0)
    );
    let huge = numbers((1 << 40, 0), 1);
    let error = try_einsum!("ij,kl->ikjl", huge, huge).unwrap_err();
    assert!(matches!(error, EinsumError::TooLarge { .. }), "{error}");
}

#[test]
fn conjugates() {
    let a = Array::from_fn([3, 3], |i| {
        Complex::new(number(i, 1) as f64, number(i, 2) as f64)
    });
    let bar = a.clone().map(|z| z.conj());
    assert_eq!(
        einsum!("ij,jk->ik", conj(&a), a),
        einsum!("ij,jk->ik", bar, a)
    );
    assert_eq!(einsum!("ij->ji", conj(&a)), bar.transpose());
    assert_eq!(
        einsum!("ij,ij->", conj(a.transpose()), a.transpose()).im,
        0.0
    );
}
