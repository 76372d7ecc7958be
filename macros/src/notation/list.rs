//! Index lists: `[i, row, ..]`.

use proc_macro2::{Group, Ident, Span, TokenTree};

use crate::errors::Errors;
use crate::tokens::{flatten, is_punct, span_of, split_commas};

/// One place of an index list.
#[derive(Debug)]
pub(crate) struct Index {
    /// `None` for `..`.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
}

/// The indices of an operand or of the result.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) indices: Vec<Index>,
    /// Everything in it could be read.
    pub(crate) clear: bool,
}

/// What no label can be called: these words have no raw form.
const RESERVED: [&str; 5] = ["_", "self", "Self", "super", "crate"];

impl List {
    /// Reads what stands in brackets; says what is no label.
    pub(crate) fn read(group: &Group, errors: &mut Errors) -> List {
        let before = errors.len();
        let mut indices = Vec::new();
        for piece in pieces(group) {
            indices.extend(index(&piece, group, errors));
        }
        let mut dots = indices.iter().filter(|i| i.label.is_none());
        let count = dots.clone().count();
        if let (_, Some(second)) = (dots.next(), dots.next()) {
            let message = format!("expected `..` once in an index list, found {count}");
            errors.push(
                second.span,
                message + "\none `..` stands for all axes without a label",
            );
        }
        List {
            clear: errors.len() == before,
            indices,
        }
    }

    /// Whether every label is one letter, as in subscripts.
    pub(super) fn is_short(&self) -> bool {
        let letter = |name: &str| {
            let mut chars = name.chars();
            chars.next().is_some_and(char::is_alphanumeric) && chars.next().is_none()
        };
        self.indices
            .iter()
            .all(|i| i.label.as_deref().is_none_or(letter))
    }

    /// The number of labels, without `..`.
    pub(crate) fn rank(&self) -> usize {
        self.names().count()
    }

    /// The names of its labels, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.indices.iter().filter_map(|i| i.label.as_deref())
    }

    pub(crate) fn has_dots(&self) -> bool {
        self.indices.iter().any(|i| i.label.is_none())
    }
}

fn pieces(group: &Group) -> Vec<Vec<TokenTree>> {
    split_commas(flatten(group.stream()).into_iter().collect())
}

fn is_dots(piece: &[TokenTree]) -> bool {
    (2..=3).contains(&piece.len()) && piece.iter().all(|t| is_punct(t, '.'))
}

/// Whether brackets behind an expression can have been meant as indices, and not as those of an element.
pub(super) fn is_list(group: &Group) -> bool {
    let pieces = pieces(group);
    let label = |piece: &Vec<TokenTree>| {
        matches!(piece.as_slice(), [TokenTree::Ident(_)]) || is_dots(piece)
    };
    pieces.is_empty() || pieces.iter().any(label)
}

/// Whether brackets can be nothing but an index list: labels and a comma between, or dots.
pub(super) fn is_long(group: &Group) -> bool {
    let pieces = pieces(group);
    is_list(group) && (pieces.len() > 1 || pieces.iter().any(|piece| is_dots(piece)))
}

fn index(piece: &[TokenTree], group: &Group, errors: &mut Errors) -> Option<Index> {
    match piece {
        [] => {
            errors.push(group.span(), "expected a label before each `,`");
            None
        }
        [TokenTree::Ident(word)] => label(word, errors),
        dots if is_dots(dots) => Some(Index {
            label: None,
            span: span_of(dots),
        }),
        [first, rest @ ..] => {
            let dots = piece.iter().take_while(|t| is_punct(t, '.')).count();
            let (span, message) = match (first, rest) {
                (TokenTree::Ident(_), [TokenTree::Ident(next), ..]) => {
                    (next.span(), String::from("expected `,` between two labels"))
                }
                _ if dots > 3 || dots == 1 => (
                    first.span(),
                    String::from("expected `..`\n`..` or `...` stands for any number of axes"),
                ),
                (_, [.., next]) if dots > 0 => {
                    (next.span(), String::from("expected `,` behind `..`"))
                }
                (TokenTree::Literal(number), []) => (
                    number.span(),
                    format!(
                        "expected a label, found `{number}`\n\
                         a label is an identifier; an element that is a factor stands in braces: `{{ w[{number}] }}`"
                    ),
                ),
                _ => (
                    span_of(piece),
                    String::from(
                        "expected a label, found an expression\n\
                         a label is an identifier; an element that is a factor stands in braces: `{w[n + 1]}`",
                    ),
                ),
            };
            errors.push(span, message);
            None
        }
    }
}

fn label(word: &Ident, errors: &mut Errors) -> Option<Index> {
    let name = word.to_string();
    // Raw or not, it is one name.
    let name = name.strip_prefix("r#").unwrap_or(&name);
    if RESERVED.contains(&name) {
        errors.push(word.span(), format!("`{name}` cannot be a label"));
        return None;
    }
    Some(Index {
        label: Some(name.to_owned()),
        span: word.span(),
    })
}
