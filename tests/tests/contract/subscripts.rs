//! S: the text of subscripts.

use cteinsum::{Tensor, einsum};

use crate::{numbers, parsed, refused};

/// Contract: S1
#[test]
fn one_term_an_operand() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let c: Tensor<i64, 2> = einsum!("ij,jk->ik", a, b);
    assert_eq!(c.shape(), &[2, 4]);
    assert_eq!(
        c.as_slice(),
        parsed("ij,jk->ik", &[&[2, 3], &[3, 4]]).values
    );
    assert_eq!(einsum!("ij->", a), a.as_slice().iter().sum::<i64>());
}

/// Contract: S2
#[test]
fn implicit_output() {
    let a = numbers(0, [2, 3]);
    // Sorted by code point, so this is a transpose.
    assert_eq!(einsum!("ba", a), einsum!("ba->ab", a));
    assert_eq!(einsum!("aB", a), einsum!("aB->Ba", a));
    assert_eq!(einsum!("éz", a), einsum!("éz->zé", a));
    assert_eq!(einsum!("b1", a), einsum!("b1->1b", a));
    let b = numbers(1, [3, 4]);
    assert_eq!(einsum!("ij,jh", a, b), einsum!("ij,jh->hi", a, b));
    // Twice in one input is not once.
    let c = numbers(2, [3, 3]);
    assert_eq!(einsum!("ii", c), einsum!("ii->", c));
    let d = numbers(3, [2, 3, 4]);
    assert_eq!(einsum!("j...i", d), einsum!("j...i->...ij", d));
}

/// Contract: S3
#[test]
fn tokens_are_whole() {
    for text in ["i- >i", "i. ..", "..\u{2003}.i->i", "i-\n>i", "i->.. ."] {
        refused(text);
    }
}

/// Contract: S4
#[test]
fn white_space_means_nothing() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let plain = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!(" i j , j\tk\n -> i\u{3000}k ", a, b), plain);
    assert_eq!(
        einsum!(
            "
            i j,
            j k
            -> i k
        ",
            a,
            b
        ),
        plain
    );
    assert_eq!(
        einsum!(" ... j , j ... -> ", numbers(0, [3]), numbers(1, [3])),
        einsum!("j,j->", numbers(0, [3]), numbers(1, [3]))
    );
    assert!(
        parsed(" \u{a0}i\u{2028}->\u{2009}", &[&[3]])
            .shape
            .is_empty()
    );
}

/// Contract: S5
#[test]
fn empty_terms_are_scalars() {
    assert_eq!(einsum!("->", 3.5), 3.5);
    assert_eq!(einsum!("", 3), 3);
    assert_eq!(einsum!(",", 3, 4), 12);
    assert_eq!(einsum!(",,->", 3, 4, 5), 60);
    let a = numbers(0, [3]);
    let scaled = einsum!(",i->i", 2i64, a);
    assert_eq!(
        scaled.as_slice(),
        a.as_slice().iter().map(|x| 2 * x).collect::<Vec<_>>()
    );
    assert_eq!(parsed("", &[&[]]).values, [-4]);
    assert_eq!(parsed(" -> ", &[&[]]).values, [-4]);
}

/// Contract: S6
#[test]
fn other_characters_are_refused_where_they_stand() {
    for bad in "&$@!?*+:=/#\"^[]{}<;_'|\\~`%😀→−‑’·\u{0}\u{200b}\u{301}".chars() {
        for text in [
            format!("{bad}ij->i"),
            format!("i{bad}j->i"),
            format!("ij->i{bad}"),
            format!("ij,{bad}->i"),
        ] {
            let message = refused(&text);
            // The picture: the line after the subscripts has its caret under the character.
            let shown: Vec<&str> = message.lines().collect();
            assert!(
                shown.iter().any(|l| l.contains('^')),
                "no caret for {text:?}:\n{message}"
            );
        }
    }
    let message = refused("ij,j&k->ik");
    let lines: Vec<&str> = message.lines().collect();
    let at = lines
        .iter()
        .position(|l| l.contains("ij,j&k->ik"))
        .expect("the subscripts");
    let column = lines[at].find('&').expect("the character");
    assert_eq!(lines[at + 1].find('^'), Some(column), "{message}");
}

/// Contract: S7
#[test]
fn the_output_is_one_term() {
    for text in [
        "i->->i",
        "ij->i->",
        "ij,jk->ik->ki",
        "ij->i,j",
        "i->i,",
        "ij->(i)j",
        "ij->(ij)",
        "i->()",
    ] {
        refused(text);
    }
}

/// Contract: S8
#[test]
fn the_literal_s_value_is_read() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let plain = einsum!("ij,jk->ik", a, b);
    assert_eq!(einsum!(r"ij,jk->ik", a, b), plain);
    assert_eq!(einsum!(r#"ij,jk->ik"#, a, b), plain);
    assert_eq!(
        einsum!(
            "\x69j,j\u{6b}->i\
                        k",
            a,
            b
        ),
        plain
    );
    assert_eq!(einsum!(concat!("ij,", "jk", r"->ik"), a, b), plain);
    assert_eq!(einsum!(concat!("ij,jk->ik"), a, b), plain);
}
