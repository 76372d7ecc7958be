//! Where a factor ends: at the operator behind it. Nothing in it is understood but what can stand behind what.

use proc_macro2::{Delimiter, TokenTree};

use crate::tokens::{angles, is_punct};

/// The end of the factor that starts here, or where it goes wrong and how.
pub(super) fn factor(tokens: &[TokenTree], start: usize) -> Result<usize, (usize, String)> {
    let is = |at: usize, c: char| tokens.get(at).is_some_and(|t| is_punct(t, c));
    let path = |at: usize| is(at, ':') && is(at + 1, ':');
    let mut at = start;
    while is(at, '*') || is(at, '&') || is(at, '!') {
        at += 1;
    }
    match tokens.get(at) {
        None => return Err((at, String::new())),
        Some(TokenTree::Ident(word)) if is_statement(&word.to_string()) => {
            let message = format!("expected a factor, found `{word}`");
            return Err((at, message + "\nput such an expression in parentheses"));
        }
        Some(TokenTree::Punct(_)) if is(at, '<') => at = angles(tokens, at),
        Some(TokenTree::Punct(_)) if path(at) => {}
        Some(TokenTree::Punct(other)) => {
            return Err((at, format!("expected a factor, found `{other}`")));
        }
        Some(_) => at += 1,
    }
    loop {
        match tokens.get(at) {
            None => return Ok(at),
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => at += 1,
            Some(TokenTree::Punct(sign)) => match sign.as_char() {
                '*' | '/' | '+' | '-' => return Ok(at),
                '?' => at += 1,
                '.' if !is(at + 1, '.') => at += 2,
                ':' if path(at) && is(at + 2, '<') => at = angles(tokens, at + 2),
                ':' if path(at) => at += 3,
                '!' if matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) => at += 2,
                other => {
                    let message = format!("expected `*`, `/`, `+` or `-`, found `{other}`");
                    return Err((
                        at,
                        message + "\nput any other expression that is a factor in parentheses",
                    ));
                }
            },
            Some(TokenTree::Ident(word)) if word == "as" => {
                return Err((
                    at,
                    String::from("put a conversion that is a factor in parentheses"),
                ));
            }
            Some(_) => return Err((at, String::from("expected `*` before this factor"))),
        }
        at = at.min(tokens.len());
    }
}

/// `*x`, `&x`, `!x`.
pub(super) fn has_prefix(tokens: &[TokenTree]) -> bool {
    tokens
        .first()
        .is_some_and(|t| ['*', '&', '!', '-'].iter().any(|c| is_punct(t, *c)))
}

/// Words that begin an expression whose end is not at the next operator.
fn is_statement(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "async", "break", "const", "continue", "for", "if", "let", "loop", "match", "move", "mut",
        "return", "static", "unsafe", "while", "yield",
    ];
    WORDS.contains(&word)
}
