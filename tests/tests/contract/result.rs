//! R: results.

use cteinsum::{DynTensor, Einsum, Engine, Tensor, einsum, try_einsum};
use cteinsum_tests::access::view;
use cteinsum_tests::data;
use cteinsum_tests::layout::{ANY, lay};

use crate::numbers;

fn dynamic<const N: usize>(t: &Tensor<i64, N>) -> DynTensor<i64> {
    DynTensor::from_vec(t.shape(), t.as_slice().to_vec())
}

/// Contract: R1
#[test]
fn results_are_fresh() {
    let a = numbers(0, [2, 3]);
    let before = a.clone();
    // Not even a copy with nothing to do shares memory.
    let b = einsum!("ij->ij", a);
    assert_ne!(a.as_slice().as_ptr(), b.as_slice().as_ptr());
    assert_eq!(a, b);
    drop(a);
    assert_eq!(b, before);
    let c: Vec<i64> = b.into_vec();
    assert_eq!(c.len(), 6);
}

/// Contract: R2
#[test]
fn axes_are_those_of_the_output_term() {
    let (a, b) = (numbers(0, [2, 3, 4]), numbers(1, [4, 5]));
    let by_hand =
        |i: usize, j: usize, l: usize| (0..4).map(|k| a[[i, j, k]] * b[[k, l]]).sum::<i64>();
    assert_eq!(
        einsum!("ijk,kl->ijl", a, b),
        Tensor::from_fn([2, 3, 5], |[i, j, l]| by_hand(i, j, l))
    );
    assert_eq!(
        einsum!("ijk,kl->ilj", a, b),
        Tensor::from_fn([2, 5, 3], |[i, l, j]| by_hand(i, j, l))
    );
    assert_eq!(
        einsum!("ijk,kl->jil", a, b),
        Tensor::from_fn([3, 2, 5], |[j, i, l]| by_hand(i, j, l))
    );
    assert_eq!(
        einsum!("ijk,kl->jli", a, b),
        Tensor::from_fn([3, 5, 2], |[j, l, i]| by_hand(i, j, l))
    );
    assert_eq!(
        einsum!("ijk,kl->lij", a, b),
        Tensor::from_fn([5, 2, 3], |[l, i, j]| by_hand(i, j, l))
    );
    assert_eq!(
        einsum!("ijk,kl->lji", a, b),
        Tensor::from_fn([5, 3, 2], |[l, j, i]| by_hand(i, j, l))
    );
}

/// Contract: R3
#[test]
fn results_are_row_major() {
    for layout in ANY {
        let a = [lay::<i64>(
            &data::operand(0, &[2, 3], |n, k| i128::from(data::rule(n, k))),
            &layout,
        )];
        let t = einsum!("ij->ji", view::<i64, 2>(&a, 0));
        assert_eq!(t.strides(), &[2, 1], "{layout:?}");
        assert_eq!(
            t.as_slice(),
            einsum!("ij->ji", numbers(0, [2, 3])).as_slice()
        );
        let u = einsum!("ij->ij", view::<i64, 2>(&a, 0));
        assert_eq!(u.as_slice(), numbers(0, [2, 3]).as_slice(), "{layout:?}");
    }
}

/// Contract: R4
#[test]
fn the_rank_without_ellipsis_is_a_type() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let (da, db) = (dynamic(&a), dynamic(&b));
    let both: Tensor<i64, 2> = einsum!("ij,jk->ik", da, db);
    let mixed: Tensor<i64, 2> = einsum!("ij,jk->ik", a, db);
    let checked: Tensor<i64, 2> = try_einsum!("ij,jk->ik", da, b).expect("shapes");
    let dots: Tensor<i64, 2> = einsum!("...ij,jk->ik", da, b);
    assert_eq!(both, einsum!("ij,jk->ik", a, b));
    assert_eq!((&mixed, &checked, &dots), (&both, &both, &both));
}

/// Contract: R5
#[test]
fn the_rank_with_ellipsis_is_inferred() {
    let (a, b) = (numbers(0, [5, 2, 3]), numbers(1, [3, 4]));
    // Indexing by an array of three needs the rank to be known here.
    let c = einsum!("...ij,...jk->...ik", a, b);
    assert_eq!(
        c[[4, 1, 3]],
        (0..3).map(|j| a[[4, 1, j]] * b[[j, 3]]).sum::<i64>()
    );
    let d = einsum!("...,...", numbers(2, [3]), a);
    assert_eq!(d.shape().map(|n| n), [5, 2, 3]);
    let e = einsum!("i...->...", b);
    assert_eq!(e[[3]], (0..3).map(|i| b[[i, 3]]).sum::<i64>());
    let f: i64 = einsum!("i...,i...->...", numbers(0, [3]), numbers(1, [3]));
    assert_eq!(f, einsum!("i,i->", numbers(0, [3]), numbers(1, [3])));
    let g = einsum!(
        "...ab,...->ba...",
        numbers(0, [2, 3]),
        numbers(1, [4, 5, 6])
    );
    assert_eq!(g.shape().map(|n| n), [3, 2, 4, 5, 6]);
}

/// Contract: R6
#[test]
fn a_dynamic_operand_makes_an_ellipsis_dynamic() {
    let (a, b) = (numbers(0, [5, 2, 3]), numbers(1, [3, 4]));
    let c: DynTensor<i64> = einsum!("...ij,...jk->...ik", dynamic(&a), b);
    let d: DynTensor<i64> = einsum!("...ij,...jk->...ik", a, dynamic(&b));
    let beside: DynTensor<i64> = einsum!("...ij,jk->...ik", a, dynamic(&b));
    let expected = einsum!("...ij,...jk->...ik", a, b);
    for t in [&c, &d, &beside] {
        assert_eq!(t.shape(), expected.shape());
        assert_eq!(t.as_slice(), expected.as_slice());
    }
    let e = Einsum::parse("ij,jk->ik").expect("subscripts");
    let f: DynTensor<i64> = (e.contract(
        &mut Engine::serial(),
        &[b.as_dyn(), numbers(2, [4, 3]).as_dyn()],
    ))
    .expect("shapes");
    assert_eq!(f.shape(), &[3, 3]);
}

/// Contract: R7
#[test]
fn rank_zero_is_the_element() {
    let x = Tensor::from_vec([2], vec![1.5, 2.0]);
    let s: f64 = einsum!("i,i->", x, x);
    let t: f64 = try_einsum!("i->", x).expect("shapes");
    let u: f64 = einsum!("ii", Tensor::from_vec([1, 1], vec![3.0]));
    let v: f64 = einsum!("i->", DynTensor::from_vec([2], vec![1.0, 2.0]));
    let w: f64 = einsum!("...", 2.5);
    assert_eq!((s, t, u, v, w), (6.25, 3.5, 3.0, 3.0, 2.5));
}

/// Contract: R8
#[test]
fn a_dynamic_result_is_a_tensor() {
    let x = DynTensor::from_vec([], vec![4i64]);
    let y: DynTensor<i64> = einsum!("...->...", x);
    assert_eq!((y.shape(), y.as_slice()), (&[][..], &[4][..]));
    let e = Einsum::parse("i,i->").expect("subscripts");
    let v = numbers(0, [3]);
    let s: DynTensor<i64> = e
        .contract(&mut Engine::serial(), &[v.as_dyn(), v.as_dyn()])
        .expect("shapes");
    assert!(s.shape().is_empty());
    assert_eq!(s.as_slice(), [einsum!("i,i->", v, v)]);
}

macro_rules! ranks {
    ($($n:literal $term:literal)*) => {$(
        // Length 2 on at most three axes, so that it stays small.
        let mut shape = [1; $n];
        for axis in [0, 7, $n - 1] {
            if axis < $n {
                shape[axis] = 2;
            }
        }
        let a: Tensor<i64, $n> = numbers(0, shape);
        let same: Tensor<i64, $n> = einsum!(concat!($term, "->", $term), a);
        assert_eq!(same, a);
        let sum: i64 = einsum!(concat!($term, "->"), a);
        assert_eq!(sum, a.as_slice().iter().sum::<i64>());
        let product: i64 = einsum!(concat!($term, ",", $term, "->"), a, a);
        assert_eq!(product, a.as_slice().iter().map(|x| x * x).sum::<i64>());
        let dots: Tensor<i64, $n> = einsum!("...,...->...", a, a);
        assert_eq!(dots.shape(), a.shape());
        let loose: DynTensor<i64> = einsum!("...->...", dynamic(&a));
        assert_eq!(loose.as_slice(), a.as_slice());
    )*};
}

/// Contract: R9
#[test]
fn ranks_up_to_32() {
    ranks! {
        1 "a" 2 "ab" 3 "abc" 4 "abcd" 5 "abcde" 6 "abcdef" 7 "abcdefg" 8 "abcdefgh" 9 "abcdefghi"
        12 "abcdefghijkl" 16 "abcdefghijklmnop" 17 "abcdefghijklmnopq" 24 "abcdefghijklmnopqrstuvwx"
        25 "abcdefghijklmnopqrstuvwxy" 31 "abcdefghijklmnopqrstuvwxyzABCDE"
        32 "abcdefghijklmnopqrstuvwxyzABCDEF"
    }
    assert_eq!(einsum!("->", 5i64), 5);
    let (mut left, mut right) = ([1; 32], [1; 32]);
    (left[3], right[30]) = (3, 4);
    let outer = einsum!(
        "abcdefghijklmnopqrstuvwxyzABCDEF,ABCDEFGHIJKLMNOPQRSTUVWXYZ012345->abcdefghijklmnopqrstuvwxGHIJKLXY",
        numbers(0, left),
        numbers(1, right)
    );
    assert_eq!(outer.shape()[3], 3);
}
