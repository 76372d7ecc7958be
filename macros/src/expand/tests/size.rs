//! How large expansions are, and how long they take.

use super::*;
use proc_macro2::TokenTree;
use std::time::{Duration, Instant};

/// Every name, literal, punctuation character and visible delimiter.
fn tokens(stream: TokenStream) -> usize {
    let count = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => tokens(group.stream()),
        TokenTree::Group(group) => 2 + tokens(group.stream()),
        _ => 1,
    };
    stream.into_iter().map(count).sum()
}

/// A chain of matrix products.
fn chain(operands: usize) -> String {
    let label = |n: usize| char::from_u32(0x4e00 + n as u32).expect("a letter");
    let terms: Vec<String> = (0..operands)
        .map(|n| format!("{}{}", label(n), label(n + 1)))
        .collect();
    let names: Vec<String> = (0..operands).map(|n| format!("a{n}")).collect();
    let (first, last) = (label(0), label(operands));
    format!(
        "einsum!(\"{}->{first}{last}\", {})",
        terms.join(","),
        names.join(", ")
    )
}

/// As rustc counts them: `::` and `=>` are one token.
fn rustc_tokens(stream: TokenStream) -> usize {
    let text = stream.to_string();
    tokens(stream) - text.matches("::").count() - text.matches("=>").count()
}

#[test]
fn two_operands_are_at_most_150_tokens() {
    // `$crate` is one token.
    let expand = |call| expansion_in(&quote!(krate), call);
    for call in [
        r#"einsum!("ij,jk->ik", a, b)"#,
        r#"einsum!("i,j->ij", a, b)"#,
        r#"einsum!("ij,ij->", a, b)"#,
    ] {
        let size = tokens(expand(call));
        assert!(size <= 150, "{call}: {size} tokens");
    }
    for call in [
        r#"einsum!("bij,bjk->bik", a, b)"#,
        r#"einsum!("aij,bjk->ik", a, b)"#,
    ] {
        let size = rustc_tokens(expand(call));
        assert!(size <= 150, "{call}: {size} tokens");
    }
}

#[test]
fn further_operands_add_the_same_each() {
    // Two operands have no tree to write down.
    let sizes: Vec<usize> = [2, 3, 4, 10, 100]
        .iter()
        .map(|n| tokens(expansion(&chain(*n))))
        .collect();
    let each = sizes[2] - sizes[1];
    assert!(each <= 60, "{each} tokens for each operand");
    // `.by_sizes()`, and a tree.
    assert!(sizes[1] - sizes[0] <= each + 16, "{sizes:?}");
    // Beyond six operands: the trees to choose among, at most eight, of seven tokens a step.
    for (operands, size) in [(10, sizes[3]), (100, sizes[4])] {
        let most = sizes[0] + (operands - 2) * (each + 7 * 8) + 50;
        assert!(
            size <= most,
            "{size} tokens for {operands} operands, not {most}"
        );
    }
}

#[test]
fn a_thousand_operands_expand_within_a_second() {
    let call = chain(1000);
    // The best of three: other tests run at the same time.
    let times = (0..3).map(|_| {
        let start = Instant::now();
        assert!(messages(expansion(&call)).is_empty());
        start.elapsed()
    });
    let best = times.min().expect("three times");
    assert!(best < Duration::from_secs(1), "{best:?}");
}
