//! E: `...`.

use cteinsum::{DynTensor, Tensor, einsum, try_einsum};

use crate::{numbers, parsed, refused, shapes_refused};

/// Contract: E1
#[test]
fn once_a_term_anywhere() {
    let a = numbers(0, [2, 3, 4]);
    assert_eq!(einsum!("...i->i...", a), einsum!("abi->iab", a));
    assert_eq!(einsum!("i...->...i", a), einsum!("iab->abi", a));
    assert_eq!(einsum!("i...j->j...i", a), einsum!("iaj->jai", a));
    let c = numbers(2, [2, 6]);
    assert_eq!(
        einsum!("(...ij,...jk),kl->...il", a, numbers(1, [2, 4, 2]), c),
        einsum!("(aij,ajk),kl->ail", a, numbers(1, [2, 4, 2]), c)
    );
    parsed("((...i,j...),...k)->k...ij", &[&[2, 3], &[4, 2], &[1, 5]]);
    for text in [
        "...i...->i",
        "......",
        "i...->...i...",
        "..i->i",
        ".",
        "....i->i",
        "i.j->ij",
    ] {
        refused(text);
    }
}

/// Contract: E2
#[test]
fn covers_what_is_left() {
    let v = numbers(0, [3]);
    assert_eq!(einsum!("...i->...i", v), v);
    assert_eq!(einsum!("...->...", 7i64), 7);
    assert!(parsed("...", &[&[]]).shape.is_empty());
    assert_eq!(parsed("...", &[&[2, 3, 4, 5]]).shape, [2, 3, 4, 5]);
    assert_eq!(
        parsed("...i->i...", &[&[2, 3, 4, 5, 6]]).shape,
        [6, 2, 3, 4, 5]
    );
}

/// Contract: E3
#[test]
fn aligned_from_the_right() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3]));
    let c = einsum!("...,...->...", a, b);
    assert_eq!(c, Tensor::from_fn([2, 3], |[i, j]| a[[i, j]] * b[[j]]));
    let d = numbers(2, [2]);
    let c = einsum!("i...,i->...", a, d);
    assert_eq!(
        c,
        Tensor::from_fn([3], |[j]| (0..2).map(|i| a[[i, j]] * d[[i]]).sum())
    );
    assert_eq!(
        parsed("...i,...->i...", &[&[7, 4, 2], &[5, 7, 1]]).shape,
        [2, 5, 7, 4]
    );
    // Aligned from the left these would fit; from the right they do not.
    shapes_refused("...,...", &[&[2, 3], &[2]]);
}

/// Contract: E4
#[test]
fn its_axes_broadcast_and_stand_in_the_output() {
    let c = parsed("...ij,...jk->...ik", &[&[1, 5, 3, 4], &[6, 1, 4, 2]]);
    assert_eq!(c.shape, [6, 5, 3, 2]);
    let c = parsed("...,...,...->...", &[&[3, 1, 1], &[1, 4, 1], &[1, 1, 5]]);
    assert_eq!(c.shape, [3, 4, 5]);
    // A named label and an axis of `...` are never the same axis.
    assert_eq!(parsed("i...,...i->i...", &[&[3, 2], &[2, 3]]).shape, [3, 2]);
}

/// Contract: E5
#[test]
fn the_output_leaves_it_out_only_where_it_covers_nothing() {
    let v = numbers(0, [3]);
    assert_eq!(einsum!("...i->i", v), v);
    assert_eq!(einsum!("...i,...j->ij", v, v), einsum!("i,j->ij", v, v));
    shapes_refused("...i->i", &[&[2, 3]]);
    shapes_refused("...ij,...jk->ik", &[&[2, 2, 3], &[3, 4]]);
    shapes_refused("...i->i", &[&[1, 3]]);
    let d = DynTensor::from_vec([2, 3], vec![1i64; 6]);
    assert!(try_einsum!("...i->i", d).is_err());
    let d = DynTensor::from_vec([3], vec![1i64; 3]);
    assert_eq!(einsum!("...i->i", d).shape(), &[3]);
}

/// Contract: E6
#[test]
fn an_output_ellipsis_without_inputs_covers_nothing() {
    let v = numbers(0, [3]);
    assert_eq!(einsum!("i->...i", v), v);
    assert_eq!(einsum!("i,i->...", v, v), einsum!("i,i->", v, v));
    assert_eq!(parsed("ij->j...i", &[&[2, 3]]).shape, [3, 2]);
}

/// Contract: E7
#[test]
fn ranks_fit_the_term() {
    for (spec, shape) in [
        ("ij", &[3][..]),
        ("i", &[2, 3]),
        ("", &[3]),
        ("iij->j", &[3, 3]),
        ("...i->...", &[]),
        ("ij...->...", &[3]),
    ] {
        shapes_refused(spec, &[shape]);
    }
    parsed("ij...->...", &[&[3, 2]]);
}
