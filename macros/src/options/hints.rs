//! The values of `minimize =`, `sizes =` and `max_intermediate =`.

use cteinsum_plan::Cost;
use proc_macro2::{Delimiter, Span, TokenTree};

use crate::errors::{Errors, nearest};
use crate::tokens::{flatten, is_punct, span_of, split_commas};

const COSTS: [(&str, Cost); 3] = [
    ("time", Cost::Time),
    ("flops", Cost::Flops),
    ("size", Cost::Size),
];
const LIST: &str = "what can be made small is `time` (the default), `flops` or `size`";

/// The size that a label is expected to have, as written.
#[derive(Debug)]
pub(crate) struct SizeHint {
    pub(crate) label: String,
    pub(crate) size: usize,
    pub(crate) span: Span,
}

/// Reads what to minimize; on a mistake, says so and returns `None`.
pub(super) fn cost(value: &[TokenTree], errors: &mut Errors) -> Option<Cost> {
    let value = flatten(value.iter().cloned());
    let [TokenTree::Ident(word)] = value.as_slice() else {
        errors.push(
            span_of(&value),
            format!("expected what to minimize\n{LIST}"),
        );
        return None;
    };
    let word = word.to_string();
    if let Some((_, cost)) = COSTS.iter().find(|(name, _)| *name == word) {
        return Some(*cost);
    }
    let message = match nearest(&word, &COSTS.map(|(name, _)| name)) {
        Some(meant) => format!("unknown cost `{word}`: did you mean `{meant}`?\n{LIST}"),
        None => format!("unknown cost `{word}`\n{LIST}"),
    };
    errors.push(span_of(&value), message);
    None
}

/// Reads `true` or `false`.
pub(super) fn flag(value: &[TokenTree], errors: &mut Errors) -> Option<bool> {
    let value = flatten(value.iter().cloned());
    match value.as_slice() {
        [TokenTree::Ident(word)] if word == "true" => Some(true),
        [TokenTree::Ident(word)] if word == "false" => Some(false),
        _ => {
            errors.push(span_of(&value), "expected `true` or `false`");
            None
        }
    }
}

/// Reads a number of elements.
pub(super) fn elements(value: &[TokenTree], errors: &mut Errors) -> Option<u64> {
    let value = flatten(value.iter().cloned());
    let number = number(&value);
    if number.is_none() {
        errors.push(
            span_of(&value),
            "expected a number of elements, as in `max_intermediate = 1_000_000`\n\
             for a limit that is known only when the program runs, use `Einsum::parse(…)?.max_intermediate(…)`",
        );
    }
    number
}

/// Reads `[i = 64, j = 32]`.
pub(super) fn sizes(value: &[TokenTree], errors: &mut Errors) -> Option<Vec<SizeHint>> {
    let value = flatten(value.iter().cloned());
    let list = match value.as_slice() {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => list,
        _ => {
            errors.push(
                span_of(&value),
                "expected a list of sizes: `sizes = [i = 64, j = 32]`",
            );
            return None;
        }
    };
    let mut hints: Vec<SizeHint> = Vec::new();
    let mut complete = true;
    for piece in split_commas(list.stream()) {
        let hint = match piece.as_slice() {
            [label, equals, size @ ..] if is_punct(equals, '=') => {
                name(label).zip(number(size)).map(|(name, size)| SizeHint {
                    label: name,
                    size: usize::try_from(size).unwrap_or(usize::MAX),
                    span: label.span(),
                })
            }
            _ => None,
        };
        let span = if piece.is_empty() {
            list.span()
        } else {
            span_of(&piece)
        };
        match hint {
            None => {
                errors.push(span, "expected a label and its size: `i = 64`");
                complete = false;
            }
            Some(hint) if hints.iter().any(|known| known.label == hint.label) => {
                errors.push(
                    hint.span,
                    format!("the size of `{}` is given twice", hint.label),
                );
                complete = false;
            }
            Some(hint) => hints.push(hint),
        }
    }
    complete.then_some(hints)
}

/// The name of a label: a word, a digit or a quoted character.
fn name(token: &TokenTree) -> Option<String> {
    let text = token.to_string();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    let bare = text.trim_matches(|c| c == '\'' || c == '"');
    match token {
        TokenTree::Ident(_) | TokenTree::Literal(_) if !bare.is_empty() => Some(bare.to_owned()),
        _ => None,
    }
}

/// A whole number as it stands.
pub(super) fn number(tokens: &[TokenTree]) -> Option<u64> {
    match tokens {
        [TokenTree::Literal(literal)] => literal.to_string().replace('_', "").parse().ok(),
        _ => None,
    }
}
