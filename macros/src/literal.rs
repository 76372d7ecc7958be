//! The subscripts as the user wrote them: a string literal or a `concat!`, decoded, with the way back to the source.

mod decode;
mod number;

use core::ops::Range;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenTree};

use crate::errors::Errors;
use crate::tokens::{is_ident, is_punct, span_of, split_commas, unwrap};
use decode::Decoded;

/// The text of the subscripts and where each byte of it came from.
#[derive(Debug)]
pub(crate) struct SpecText {
    pub(crate) value: String,
    span: Span,
    pieces: Vec<Piece>,
}

/// What one literal contributes to the text.
#[derive(Debug)]
struct Piece {
    literal: Literal,
    /// Where it starts in the value.
    start: usize,
    /// Where each byte of its value starts in the text of the token, and where the last one ends.
    /// Empty if the value is not in the token byte for byte (a number in base 16).
    offsets: Vec<usize>,
}

impl SpecText {
    /// The whole literal or `concat!`.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// The source of some bytes of the value: exactly these where the compiler offers spans inside of a token,
    /// else the literal they are in.
    pub(crate) fn subspan(&self, range: Range<usize>) -> Span {
        let holds = |p: &&Piece| p.start <= range.start;
        let Some(piece) = self.pieces.iter().rev().find(holds) else {
            return self.span;
        };
        let local = range.start - piece.start..range.end - piece.start;
        let within = local.end < piece.offsets.len();
        if !within && self.pieces.len() > 1 && piece.offsets.len() > 1 {
            return self.span;
        }
        let narrow = (within && !local.is_empty())
            .then(|| piece.offsets[local.start]..piece.offsets[local.end])
            .and_then(|source| piece.literal.subspan(source));
        narrow.unwrap_or_else(|| piece.literal.span())
    }
}

/// Reads the first argument. On a mistake, says so and returns `None`.
pub(crate) fn read(tokens: Vec<TokenTree>, errors: &mut Errors) -> Option<SpecText> {
    let tokens = unwrap(tokens);
    let mut text = SpecText {
        value: String::new(),
        span: span_of(&tokens),
        pieces: Vec::new(),
    };
    let before = errors.len();
    append(&tokens, false, &mut text, errors);
    (before == errors.len()).then_some(text)
}

/// Appends one literal, or one argument of a `concat!`.
fn append(tokens: &[TokenTree], in_concat: bool, text: &mut SpecText, errors: &mut Errors) {
    if let Some(group) = concat_arguments(tokens) {
        if let [TokenTree::Ident(first), ..] = tokens
            && !in_concat
        {
            // `concat` alone: `Span::join` is not stable.
            text.span = first.span().join(group.span()).unwrap_or(first.span());
        }
        for argument in split_commas(group.stream()) {
            append(&unwrap(argument), true, text, errors);
        }
        return;
    }
    let span = span_of(tokens);
    match tokens {
        [TokenTree::Literal(literal)] => match Decoded::new(&literal.to_string(), in_concat) {
            Ok(decoded) => {
                text.pieces.push(Piece {
                    literal: literal.clone(),
                    start: text.value.len(),
                    offsets: decoded.offsets,
                });
                text.value.push_str(&decoded.value);
            }
            Err(message) => errors.push(span, message),
        },
        [minus, TokenTree::Literal(literal)] if in_concat && is_punct(minus, '-') => {
            match Decoded::new(&literal.to_string(), true) {
                Ok(decoded) => {
                    text.value.push('-');
                    text.value.push_str(&decoded.value);
                }
                Err(message) => errors.push(span, message),
            }
        }
        [TokenTree::Ident(word)] if in_concat && (word == "true" || word == "false") => {
            text.value.push_str(&word.to_string());
        }
        _ if in_concat => errors.push(
            span,
            "expected a literal in `concat!`\n\
            the subscripts are read while the program compiles; \
            for subscripts in a constant or a variable use `Einsum::parse`",
        ),
        _ => errors.push(span, not_a_literal(tokens)),
    }
}

/// The arguments, if this is a call of `concat!`, by whatever path.
fn concat_arguments(tokens: &[TokenTree]) -> Option<&Group> {
    let [path @ .., TokenTree::Group(group)] = tokens else {
        return None;
    };
    let [path @ .., bang] = path else { return None };
    let [prefix @ .., name] = path else {
        return None;
    };
    let prefixed = prefix
        .iter()
        .all(|t| is_punct(t, ':') || is_ident(t, "core") || is_ident(t, "std"));
    let call = is_punct(bang, '!') && is_ident(name, "concat") && prefixed;
    (call && group.delimiter() != Delimiter::None).then_some(group)
}

/// Whether the argument is a string literal.
pub(crate) fn is_string(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Literal(literal)] if Decoded::new(&literal.to_string(), false).is_ok())
}

/// Whether the argument can have been meant as the subscripts.
pub(crate) fn may_be_text(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Literal(_)]) || concat_arguments(tokens).is_some()
}

fn not_a_literal(tokens: &[TokenTree]) -> String {
    let in_path = |t: &TokenTree| matches!(t, TokenTree::Ident(_)) || is_punct(t, ':');
    let found = match tokens {
        [] => String::from("nothing"),
        path if path.iter().all(in_path) => {
            format!(
                "`{}`",
                path.iter().map(TokenTree::to_string).collect::<String>()
            )
        }
        [TokenTree::Ident(name), bang, ..] if is_punct(bang, '!') => format!("`{name}!`"),
        [amp, ..] if is_punct(amp, '&') => String::from("a reference"),
        _ => String::from("an expression"),
    };
    format!(
        "expected the subscripts as a string literal, found {found}\n\
         they are read while the program compiles; \
         for subscripts in a constant or a variable use `Einsum::parse`"
    )
}

#[cfg(test)]
mod tests;
