//! Index notation: `c[i, k] = a[i, j] * b[j, k]`, read into the parts that a call with subscripts has.
//!
//! [`scan`] finds where a factor ends, [`list`] reads index lists, [`sum`] reads the right side into terms, and
//! [`text`] writes each term's subscripts, which stand for it in messages and are checked like those of a string.

mod list;
mod scan;
mod sum;
mod text;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::call::Operand;
use crate::errors::Errors;
use crate::tokens::{is_punct, span_of};
pub(crate) use list::List;
pub(crate) use sum::{Factor, Scalar, Value};
pub(crate) use text::Text;

/// An equation: the indices of the result, and the terms of its right side.
#[derive(Debug)]
pub(crate) struct Equation {
    /// Where messages about all of it go.
    pub(crate) span: Span,
    pub(crate) output: List,
    /// The array on the left; `None` for a new one.
    pub(crate) place: Option<Place>,
    /// By operand of the call.
    pub(crate) lists: Vec<List>,
    /// The operands of the terms are those of the call, one term after the other.
    pub(crate) terms: Vec<Term>,
    /// In the order of evaluation.
    pub(crate) scalars: Vec<Scalar>,
}

impl Equation {
    /// Whether the array on the left is borrowed as a method's receiver, and so reborrowed where it is a reference. A
    /// number's type may still be open, and then it has no methods.
    pub(crate) fn borrows_by_method(&self) -> bool {
        self.place.is_some() && !self.output.indices.is_empty()
    }
}

/// The array that an equation writes into.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) expr: TokenStream,
    pub(crate) span: Span,
    /// `+=` or `-=`.
    pub(crate) accumulates: bool,
}

/// A product of operands and factors.
#[derive(Debug)]
pub(crate) struct Term {
    pub(crate) span: Span,
    pub(crate) text: Text,
    pub(crate) factors: Vec<Factor>,
    pub(crate) negative: bool,
}

/// Whether an argument is, or was meant as, an equation.
pub(crate) fn is_equation(argument: &[TokenTree]) -> bool {
    let lists = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket && list::is_long(g));
    sign(argument).is_some() || argument.iter().any(lists)
}

/// The place and length of `=`, `+=`, `*=` and the like, outside of all groups.
fn sign(tokens: &[TokenTree]) -> Option<(usize, usize)> {
    let joint = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.spacing() == proc_macro2::Spacing::Joint);
    let is = |at: usize, c: char| tokens.get(at).is_some_and(|t| is_punct(t, c));
    let mut at = 0;
    while at < tokens.len() {
        if is(at, '=') {
            // `==` and `=>` are no assignments.
            if joint(at) && (is(at + 1, '=') || is(at + 1, '>')) {
                at += 2;
                continue;
            }
            let before = |c: char| at > 0 && joint(at - 1) && is(at - 1, c);
            if ['<', '>', '!'].into_iter().any(before) {
                at += 1;
                continue;
            }
            let compound = "+-*/%^&|".chars().any(before);
            let start = at - usize::from(compound);
            return Some((start, at + 1 - start));
        }
        at += 1;
    }
    None
}

/// Reads an equation and its operands; on a mistake, says so. What could be read is returned for what follows.
pub(crate) fn parse(
    tokens: Vec<TokenTree>,
    errors: &mut Errors,
) -> (Option<Equation>, Vec<Operand>) {
    let Some((at, length)) = sign(&tokens) else {
        errors.push(
            span_of(&tokens),
            "expected an equation: the indices of the result are on the left, as in `[i, k] = a[i, j] * b[j, k]`",
        );
        return (None, Vec::new());
    };
    let (left, right) = (&tokens[..at], &tokens[at + length..]);
    let (subtracts, accumulates) = match &tokens[at] {
        equals if is_punct(equals, '=') => (false, false),
        plus if is_punct(plus, '+') => (false, true),
        minus if is_punct(minus, '-') => (true, true),
        other => {
            let message = format!("expected `=`, `+=` or `-=`, found `{other}=`");
            errors.push(other.span(), message);
            return (None, Vec::new());
        }
    };
    let output = left_side(left, tokens[at].span(), accumulates, errors);
    let mut parser = sum::Parser::new(errors);
    let parts = parser.right_side(right, tokens[at + length - 1].span());
    let sum::Parser {
        operands,
        lists,
        scalars,
        ..
    } = parser;
    let (Some((output, place)), Some(parts)) = (output, parts) else {
        return (None, operands);
    };
    let readable = lists.iter().chain([&output]).all(|list| list.clear);
    let short = lists.iter().chain([&output]).all(List::is_short);
    let terms = parts.into_iter().filter_map(|part| {
        Some(Term {
            span: part.span,
            text: Text::new(&part.tree?, &lists, &output, short),
            factors: part.factors,
            negative: part.negative != subtracts,
        })
    });
    let terms: Vec<Term> = terms.collect();
    let equation = Equation {
        span: span_of(left),
        output,
        place,
        terms,
        lists,
        scalars,
    };
    (readable.then_some(equation), operands)
}

/// `c[i, k]`, or `[i, k]` for a new array.
fn left_side(
    tokens: &[TokenTree],
    sign: Span,
    accumulates: bool,
    errors: &mut Errors,
) -> Option<(List, Option<Place>)> {
    let indices = match tokens.last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => group,
        _ => {
            if let [.., last] = tokens
                && is_punct(last, ':')
            {
                errors.push(
                    last.span(),
                    "`:=` is written `=` here\n`[i, k] = …` makes a new array, `c[i, k] = …` fills `c`",
                );
                return None;
            }
            let (span, found) = match tokens {
                [] => (sign, String::from("nothing")),
                _ => (span_of(tokens), String::from("no index list")),
            };
            errors.push(
                span,
                format!(
                    "expected an array and its indices, found {found}\n\
                     write `c[i, k] = …` to fill `c`, or `[i, k] = …` for a new array"
                ),
            );
            return None;
        }
    };
    let list = List::read(indices, errors);
    let place = &tokens[..tokens.len() - 1];
    if place.is_empty() {
        if accumulates {
            errors.push(
                sign,
                "a new array holds nothing to add to: write `=`, or name an array on the left",
            );
            return None;
        }
        return Some((list, None));
    }
    let end = scan::factor(place, 0).unwrap_or_else(|(at, _)| at);
    if end < place.len() || scan::has_prefix(place) {
        errors.push(
            span_of(place),
            "expected one array and its indices on the left\n\
             put an expression with operators in parentheses: `(*c)[i, k] = …`",
        );
        return None;
    }
    let place = Place {
        expr: place.iter().cloned().collect(),
        span: span_of(place),
        accumulates,
    };
    Some((list, Some(place)))
}
