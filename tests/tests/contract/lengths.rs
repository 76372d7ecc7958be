//! B: lengths and broadcasting.

use cteinsum::{Tensor, einsum};

use crate::{numbers, parsed, shapes_refused};

/// Contract: B1
#[test]
fn length_one_broadcasts() {
    let (a, b) = (numbers(0, [1, 3]), numbers(1, [2, 1]));
    let c = einsum!("ij,ij->ij", a, b);
    assert_eq!(c, Tensor::from_fn([2, 3], |[i, j]| a[[0, j]] * b[[i, 0]]));
    // In any order, where the label goes through intermediates of length 1 too.
    let (x, y, z) = (numbers(0, [1]), numbers(1, [1]), numbers(2, [4]));
    let sum: i64 = z.as_slice().iter().map(|v| x[[0]] * y[[0]] * v).sum();
    assert_eq!(einsum!("i,i,i->", x, y, z), sum);
    assert_eq!(einsum!("(i,i),i->", x, y, z), sum);
    assert_eq!(einsum!("i,(i,i)->", x, y, z), sum);
    assert_eq!(
        einsum!("i,i,i->", x, y, z, order = tree([(2, 0), (3, 1)])),
        sum
    );
    for shapes in [
        [&[2, 1][..], &[3, 1], &[4, 2]],
        [&[2, 3], &[1, 1], &[4, 2]],
        [&[1, 1], &[1, 1], &[1, 1]],
        [&[2, 3], &[3, 1], &[1, 5]],
    ] {
        parsed("ij,jk,kl->il", &shapes);
        parsed("(ij,jk),kl->jl", &shapes);
        parsed("ij,(jk,kl)->ikl", &shapes);
    }
    // Against 0 it is 0.
    assert_eq!(parsed("i,i->i", &[&[1], &[0]]).shape, [0]);
    assert_eq!(parsed("i,i->", &[&[1], &[0]]).values, [0]);
    assert_eq!(parsed("ij,jk->ik", &[&[2, 1], &[0, 3]]).values, [0; 6]);
    assert_eq!(parsed("...,...", &[&[3, 1], &[0]]).shape, [3, 0]);
}

/// Contract: B2
#[test]
fn other_lengths_must_agree() {
    for (spec, shapes) in [
        ("i,i->", [&[2][..], &[3][..]]),
        ("i,i->", [&[0], &[3]]),
        ("i,i->", [&[0], &[2]]),
        ("ij,jk->ik", [&[2, 3], &[4, 5]]),
        ("...,...", [&[2, 3, 2], &[2, 2, 2]]),
    ] {
        shapes_refused(spec, &shapes);
        shapes_refused(spec, &[shapes[1], shapes[0]]);
    }
    // A 1 between them does not make them agree.
    shapes_refused("i,i,i->", &[&[2], &[1], &[3]]);
    shapes_refused("i,i,i->", &[&[1], &[2], &[3]]);
    shapes_refused("i,i,i->", &[&[2], &[3], &[1]]);
}

/// Contract: B3
#[test]
fn a_broadcast_sum_runs_over_the_long_length() {
    let (x, y) = (
        Tensor::from_vec([1], vec![5.0]),
        Tensor::from_vec([3], vec![1.0, 2.0, 4.0]),
    );
    assert_eq!(einsum!("i,i->", x, y), 35.0);
    assert_eq!(einsum!("i,i->", y, x), 35.0);
    assert_eq!(einsum!("i->", x), 5.0);
    // The label stands in the short operand and in one that is contracted before.
    assert_eq!(
        parsed("(ij,jk),j->ik", &[&[2, 1], &[1, 3], &[4]]).shape,
        [2, 3]
    );
}

/// Contract: B4
#[test]
fn an_empty_sum_is_zero() {
    let (a, b) = (
        Tensor::<f64, 2>::zeros([2, 0]),
        Tensor::<f64, 2>::zeros([0, 3]),
    );
    assert_eq!(einsum!("ij,jk->ik", a, b), Tensor::zeros([2, 3]));
    assert_eq!(einsum!("ij->i", a).as_slice(), [0.0, 0.0]);
    assert_eq!(einsum!("ij->", a), 0.0);
    assert_eq!(
        parsed("ij,jk,kl->il", &[&[2, 3], &[3, 0], &[0, 2]]).values,
        [0; 4]
    );
    assert_eq!(parsed("ii->", &[&[0, 0]]).values, [0]);
    assert_eq!(parsed("ij,k->kk", &[&[0, 3], &[2]]).values, [0; 4]);
}

/// Contract: B5
#[test]
fn an_empty_output_has_its_shape() {
    let a = Tensor::<f64, 3>::zeros([2, 0, 3]);
    assert_eq!(einsum!("ijk->kji", a).shape(), &[3, 0, 2]);
    assert!(einsum!("ijk->kj", a).as_slice().is_empty());
    assert_eq!(parsed("ij,jk->ik", &[&[0, 3], &[3, 4]]).shape, [0, 4]);
    assert_eq!(parsed("i,j->ijij", &[&[0], &[3]]).shape, [0, 3, 0, 3]);
    assert_eq!(
        parsed("...ij,jk->...ik", &[&[5, 0, 2, 3], &[3, 4]]).shape,
        [5, 0, 2, 4]
    );
}
