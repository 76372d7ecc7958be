//! P: orders of contraction.

use cteinsum::{Tensor, einsum};

use crate::{parsed, refused};

/// Numbers whose sums depend on the order in which they are rounded.
fn rough<const N: usize>(seed: usize, shape: [usize; N]) -> Tensor<f32, N> {
    let count = shape.iter().product();
    let value = |n: usize| ((n * 37 + seed * 101 + 11) as f32 * 0.618).sin() * 3.7;
    Tensor::from_vec(shape, (0..count).map(value).collect())
}

fn matrices() -> [Tensor<f32, 2>; 4] {
    [
        rough(0, [7, 5]),
        rough(1, [5, 9]),
        rough(2, [9, 4]),
        rough(3, [4, 6]),
    ]
}

/// Contract: P2
#[test]
fn greedy_is_deterministic() {
    let [a, b, c, d] = matrices();
    let first = einsum!("ij,jk,kl,lm->im", a, b, c, d);
    for _ in 0..3 {
        assert_eq!(einsum!("ij,jk,kl,lm->im", a, b, c, d), first);
    }
    // One-sided labels are no reason to build the outer product of everything: this ends at once.
    let many = parsed("ab,cd,ef,gh,ij,kl,mn->acegikm", &[&[2, 3][..]; 7]);
    assert_eq!(many.shape, [2; 7]);
}

/// Contract: P3
#[test]
fn parentheses_fix_the_order() {
    let [a, b, c, d] = matrices();
    let ab = einsum!("ij,jk->ik", a, b);
    let cd = einsum!("kl,lm->km", c, d);
    assert_eq!(
        einsum!("(ij,jk),(kl,lm)->im", a, b, c, d),
        einsum!("ik,km->im", ab, cd)
    );
    let abc = einsum!("ik,kl->il", ab, c);
    assert_eq!(
        einsum!("((ij,jk),kl),lm->im", a, b, c, d),
        einsum!("il,lm->im", abc, d)
    );
    assert_eq!(
        einsum!("((ij,jk),kl),lm->im", a, b, c, d),
        einsum!("ij,jk,kl,lm->im", a, b, c, d, order = left_to_right)
    );
    // The orders differ in their rounding, or this test would show nothing.
    assert_ne!(
        einsum!("((ij,jk),kl),lm->im", a, b, c, d),
        einsum!("ij,(jk,(kl,lm))->im", a, b, c, d)
    );
}

/// Contract: P4
#[test]
fn parentheses_without_a_comma_mean_nothing() {
    let [a, b, ..] = matrices();
    let plain = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!("(ij),jk->ik", a, b), plain);
    assert_eq!(einsum!("(ij),((jk))->ik", a, b), plain);
    assert_eq!(einsum!("((ij),jk)->ik", a, b), plain);
    assert_eq!(parsed("(i)", &[&[3]]).shape, [3]);
}

/// Contract: P5
#[test]
fn a_group_of_three_is_free_inside() {
    let [a, b, c, d] = matrices();
    let group = einsum!("(ij,jk,kl),lm->im", a, b, c, d);
    let left = einsum!("((ij,jk),kl),lm->im", a, b, c, d);
    let right = einsum!("(ij,(jk,kl)),lm->im", a, b, c, d);
    assert_ne!(left, right);
    assert!(group == left || group == right);
    let shapes: &[&[usize]] = &[&[2, 3], &[3, 4], &[4, 2], &[2, 2], &[2, 5]];
    parsed("ij,(jk,kl,(lm,mn))->in", shapes);
    parsed("((ij,jk,kl,lm),mn)->in", shapes);
}

/// Contract: P6
#[test]
fn broken_parentheses_are_refused() {
    for text in [
        "()",
        "()->",
        "(),i->i",
        "i,()->i",
        "(ij)(jk)->ik",
        "(ij)jk->ik",
        "i(j,jk)->ik",
        "(ij,jk->ik",
        "ij,jk)->ik",
        "((ij,jk),kl->il",
        "ij,(jk->ik",
        ")ij,jk(->ik",
        "(ij,jk->ik)",
        "(",
        ")",
        "(()),",
    ] {
        refused(text);
    }
    assert!(parsed("(,)", &[&[], &[]]).shape.is_empty());
    assert_eq!(einsum!("(,),->", 2, 3, 4), 24);
    assert_eq!(einsum!("((,),)->", 2, 3, 4), 24);
}

/// Contract: P7
#[test]
fn a_path_appends_to_the_end() {
    let [a, b, c, d] = matrices();
    // [a b c d] → [c d ab] → [ab cd] → ab · cd
    assert_eq!(
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = [(0, 1), (0, 1), (0, 1)]
        ),
        einsum!("(ij,jk),(kl,lm)->im", a, b, c, d)
    );
    // [a b c d] → [a d bc] → [d abc]: the positions are those of the list at that time.
    assert_eq!(
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = [(1, 2), (0, 2), (0, 1)]
        ),
        einsum!("(ij,(jk,kl)),lm->im", a, b, c, d)
    );
    assert_ne!(
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = [(1, 2), (0, 2), (0, 1)]
        ),
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = [(2, 3), (1, 2), (0, 1)]
        )
    );
    assert_eq!(
        einsum!("ij,jk->ik", a, b, order = [(0, 1)]),
        einsum!("ij,jk->ik", a, b)
    );
}

/// Contract: P8
#[test]
fn a_tree_names_its_steps() {
    let [a, b, c, d] = matrices();
    assert_eq!(
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = tree([(0, 1), (2, 3), (4, 5)])
        ),
        einsum!("(ij,jk),(kl,lm)->im", a, b, c, d)
    );
    assert_eq!(
        einsum!(
            "ij,jk,kl,lm->im",
            a,
            b,
            c,
            d,
            order = tree([(1, 2), (0, 4), (5, 3)])
        ),
        einsum!("(ij,(jk,kl)),lm->im", a, b, c, d)
    );
}

/// Contract: P9
#[test]
fn left_to_right() {
    let [a, b, c, d] = matrices();
    let by_tree = einsum!(
        "ij,jk,kl,lm->im",
        a,
        b,
        c,
        d,
        order = tree([(0, 1), (4, 2), (5, 3)])
    );
    assert_eq!(
        einsum!("ij,jk,kl,lm->im", a, b, c, d, order = left_to_right),
        by_tree
    );
}

/// Contract: P10
#[test]
fn greedy_is_the_default() {
    let [a, b, c, d] = matrices();
    assert_eq!(
        einsum!("ij,jk,kl,lm->im", a, b, c, d, order = greedy),
        einsum!("ij,jk,kl,lm->im", a, b, c, d)
    );
}
