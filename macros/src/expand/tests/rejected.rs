//! Calls that are refused: every mistake has its message, and what is emitted beside them.

use super::*;

fn mistakes(call: &str) -> Vec<String> {
    let expansion = expansion(call);
    assert!(
        syn::parse2::<syn::Expr>(expansion.clone()).is_ok(),
        "an expression: {expansion}"
    );
    let messages = messages(expansion);
    assert!(!messages.is_empty(), "{call} is refused");
    messages
}

#[test]
fn every_mistake_of_a_call_in_one_go() {
    let all =
        mistakes(r#"einsum!("i$,jk->iz", a, b, c, ordre = greedy, order = x, order = greedy)"#);
    assert_eq!(all.len(), 5, "{all:#?}");
    assert!(
        all[0].contains("`$`") && all[1].contains("`z`"),
        "in the order of their places: {all:#?}"
    );
}

#[test]
fn nothing_to_read() {
    for call in [
        "einsum!()",
        "einsum!(;)",
        "einsum!(; a b)",
        "einsum!(; \"ij\", a, , b)",
        "einsum!(; +)",
    ] {
        assert_eq!(mistakes(call).len(), 1, "{call}");
    }
}

#[test]
fn the_result_keeps_its_type() {
    let kept = |call: &str| {
        let text = expansion(call).to_string().replace(' ', "");
        assert!(text.contains("compile_error!"), "{call}");
        text.find("Rank::<").map(|at| text[at..].to_string())
    };
    assert_eq!(
        kept(r#"einsum!("ij,jk->ik", a)"#).unwrap(),
        "Rank::<2>::rejected(op0)}}"
    );
    assert_eq!(
        kept(r#"try_einsum!("ij,j$->", a, b)"#).unwrap(),
        "Rank::<0>::try_rejected(op0)}}"
    );
    assert_eq!(
        kept(r#"einsum!("i...->i", a, b)"#).unwrap(),
        "Rank::<1>::rejected(op0)}}"
    );
    assert_eq!(
        kept(r#"einsum!("i...->i...", a, b)"#),
        None,
        "its rank follows from the operands"
    );
    assert_eq!(kept(r#"einsum!("ij->i$", a)"#), None);
    assert_eq!(
        kept(r#"einsum!("ij->i")"#),
        None,
        "no operand to take the type from"
    );
    assert_eq!(kept(r#"einsum!(SPEC, a)"#), None);
}

#[test]
fn misplaced_subscripts_are_read_all_the_same() {
    assert_eq!(
        mistakes(r#"einsum!(a, b, "ij,jk->ik")"#),
        ["the subscripts come before the operands"]
    );
    assert_eq!(mistakes(r#"einsum!(a, "ij,jk->iz", b)"#).len(), 2);
    assert!(mistakes(r#"einsum!(SPEC, a, b)"#)[0].contains("found `SPEC`"));
    assert!(
        mistakes(r#"einsum!(concat!("i", J), "i")"#)[0].contains("expected a literal in `concat!`")
    );
}

#[test]
fn operands_stay_mentioned() {
    for call in [
        r#"einsum!("ij,j$->i", left, right)"#,
        "einsum!(SPEC, left, right)",
    ] {
        let text = expansion(call).to_string();
        assert!(text.contains("left") && text.contains("right"), "{text}");
    }
}
