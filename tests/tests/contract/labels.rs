//! L: labels.

use cteinsum::{Einsum, Engine, Tensor, einsum};

use crate::{numbers, parsed, refused, shapes_refused};

/// Contract: L1
#[test]
fn letters_and_digits_of_any_script() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let plain = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!("αβ,βγ->αγ", a, b), plain);
    assert_eq!(einsum!("中文,文字->中字", a, b), plain);
    assert_eq!(einsum!("01,12->02", a, b), plain);
    assert_eq!(einsum!("𝒙𝒚,𝒚𝒛->𝒙𝒛", a, b), plain);
    // More labels than any alphabet has letters.
    let labels: Vec<char> = ('\u{4e00}'..).take(20 * 30).collect();
    let terms: Vec<String> = labels.chunks(30).map(|c| c.iter().collect()).collect();
    let shape = [1; 30];
    let shapes: Vec<&[usize]> = terms.iter().map(|_| shape.as_slice()).collect();
    parsed(&format!("{}->{}", terms.join(","), labels[7]), &shapes);
}

/// Contract: L2
#[test]
fn case_counts_and_nothing_is_normalised() {
    let a = numbers(0, [2, 2]);
    assert_eq!(einsum!("iI->", a), a.as_slice().iter().sum::<i64>());
    assert_eq!(einsum!("ii->", a), a[[0, 0]] + a[[1, 1]]);
    // MICRO SIGN and GREEK SMALL LETTER MU look alike and are two labels; so are ANGSTROM SIGN and its letter.
    assert_eq!(parsed("\u{b5}\u{3bc}->\u{3bc}", &[&[2, 3]]).shape, [3]);
    assert_eq!(parsed("\u{212b}\u{c5}->\u{212b}", &[&[2, 3]]).shape, [2]);
    refused("i->I");
}

/// Contract: L3
#[test]
fn repeats_take_the_diagonal() {
    let a = numbers(0, [3, 2, 3, 3]);
    let d = einsum!("ijii->ji", a);
    assert_eq!(d, Tensor::from_fn([2, 3], |[j, i]| a[[i, j, i, i]]));
    let b = numbers(1, [2, 2]);
    let c = einsum!("ijii,jj->i", a, b);
    let by_hand = |i: usize| (0..2).map(|j| a[[i, j, i, i]] * b[[j, j]]).sum();
    assert_eq!(c, Tensor::from_fn([3], |[i]| by_hand(i)));
    parsed("iiiiiiii->i", &[&[2; 8]]);
    parsed("aabcbac->cab", &[&[2, 2, 3, 4, 3, 2, 4]]);
}

/// Contract: L4
#[test]
fn a_diagonal_does_not_broadcast() {
    for (spec, shape) in [
        ("ii->i", [1, 3]),
        ("ii->i", [3, 1]),
        ("ii->", [2, 3]),
        ("ii->", [0, 1]),
    ] {
        let message = shapes_refused(spec, &[&shape]);
        assert!(message.contains("'i'"), "{message}");
    }
    // Also where another operand would make the length 3 plausible.
    shapes_refused("ii,i->i", &[&[1, 3], &[3]]);
    shapes_refused("ii,i->i", &[&[3, 1], &[3]]);
    // But a whole diagonal of length 1 broadcasts like any axis.
    parsed("ii,i->i", &[&[1, 1], &[3]]);
}

/// Contract: L5
#[test]
fn repeats_in_the_output_write_the_diagonal() {
    let a = numbers(0, [3]);
    let d = einsum!("i->ii", a);
    assert_eq!(
        d,
        Tensor::from_fn([3, 3], |[i, j]| if i == j { a[[i]] } else { 0 })
    );
    let (b, c) = (numbers(1, [3, 2]), numbers(2, [2, 4]));
    let e = einsum!("i,ij,jk->kiik", a, b, c);
    let by_hand = |i: usize, k: usize| (0..2).map(|j| a[[i]] * b[[i, j]] * c[[j, k]]).sum();
    let expected = Tensor::from_fn([4, 3, 3, 4], |[k, i, i2, k2]| {
        if i == i2 && k == k2 { by_hand(i, k) } else { 0 }
    });
    assert_eq!(e, expected);
    parsed("ij,jk->ikki", &[&[2, 3], &[3, 4]]);
    parsed("i->iii", &[&[1]]);
    parsed("i->iii", &[&[0]]);
}

/// Contract: L6
#[test]
fn what_the_output_lacks_is_summed() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [2, 4]));
    let c = einsum!("ij,ik->ik", a, b);
    let expected = |i: usize, k: usize| (0..3).map(|j| a[[i, j]] * b[[i, k]]).sum();
    assert_eq!(c, Tensor::from_fn([2, 4], |[i, k]| expected(i, k)));
    parsed("ab,cd->", &[&[2, 3], &[4, 5]]);
    parsed("ab,cd,ef->e", &[&[2, 3], &[4, 5], &[6, 2]]);
}

/// Contract: L7
#[test]
fn a_label_of_many_operands_is_one_index() {
    let (a, b, c) = (numbers(0, [3]), numbers(1, [3]), numbers(2, [3]));
    let dot: i64 = (0..3).map(|i| a[[i]] * b[[i]] * c[[i]]).sum();
    assert_eq!(einsum!("i,i,i->", a, b, c), dot);
    assert_eq!(einsum!("(i,i),i->", a, b, c), dot);
    assert_eq!(einsum!("i,(i,i)->", a, b, c), dot);
    assert_eq!(einsum!("i,i,i->", a, b, c, order = left_to_right), dot);
    parsed("ab,ac,ad,ae,af->bcdef", &[&[2, 2][..]; 5]);
    parsed("ab,ac,ad,ae,af->a", &[&[3, 2][..]; 5]);
}

/// Contract: L8
#[test]
fn output_labels_come_from_inputs() {
    for text in ["i->b", "ij,jk->im", "->i", ",->a", "...i->...j", "α->β"] {
        let message = refused(text);
        assert!(message.contains('^'), "{message}");
    }
}

/// Contract: L9
#[test]
fn names_mean_nothing() {
    let shapes: &[&[usize]] = &[&[2, 3], &[3, 4], &[4, 2]];
    let plain = parsed("ij,jk,kl->il", shapes);
    assert_eq!(parsed("ba,aZ,Zα->bα", shapes), plain);
    assert_eq!(parsed("zy,yx,xw->zw", shapes), plain);
    assert_ne!(parsed("zy,yx,xw", shapes), parsed("ab,bc,cd", shapes));
}

/// Contract: L10
#[test]
fn integer_labels() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let mut engine = Engine::serial();
    let e = Einsum::new(&[&[0, 1], &[1, 2]], &[0, 2]).expect("labels");
    let c = e
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .expect("shapes");
    assert_eq!(c.shape(), &[2, 4]);
    assert_eq!(c.as_slice(), einsum!("ij,jk->ik", a, b).as_slice());
    // Any integers, a diagonal, and a repeated output.
    let d = numbers(2, [3, 3]);
    let e = Einsum::new(&[&[70, 70], &[5, 70]], &[5, 5, 70]).expect("labels");
    let c = e
        .contract(&mut engine, &[d.as_dyn(), numbers(3, [2, 3]).as_dyn()])
        .expect("shapes");
    let expected = einsum!("ii,ji->jji", d, numbers(3, [2, 3]));
    assert_eq!(
        (c.shape(), c.as_slice()),
        (&expected.shape()[..], expected.as_slice())
    );
    assert!(Einsum::new(&[&[0, 1]], &[2]).is_err());
}
