//! The options of `einsum_vjp!`, and those of `einsum!` that derivatives do not have.

use proc_macro2::{Delimiter, TokenTree};

use crate::call::Call;
use crate::errors::Errors;
use crate::tokens::{flatten, span_of, split_commas};

/// The most gradients of one call.
const MOST: usize = 16;

/// Which gradients are asked for.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) wrt: Vec<usize>,
    pub(super) transpose: bool,
}

impl Request {
    /// Reads the options; on a mistake, says so.
    pub(super) fn read(call: &Call, errors: &mut Errors) -> Option<Request> {
        let before = errors.len();
        no_output(call, errors);
        one_product(call, "einsum_vjp!", errors);
        let request = Request::options(call, call.operands.len(), errors);
        (errors.len() == before).then_some(request)
    }

    /// What the options say, of a call of so many operands.
    pub(super) fn options(call: &Call, operands: usize, errors: &mut Errors) -> Request {
        let mut request = Request {
            wrt: (0..operands).collect(),
            transpose: false,
        };
        let mut given = None;
        for (name, value) in &call.options.derivative {
            let span = if value.is_empty() {
                name.span()
            } else {
                span_of(value)
            };
            let value = flatten(value.iter().cloned());
            if name == "transpose" {
                match value.as_slice() {
                    [TokenTree::Ident(word)] if word == "true" || word == "false" => {
                        request.transpose = word == "true";
                    }
                    _ => errors.push(
                        span,
                        "expected `transpose = true`: nothing is conjugated then",
                    ),
                }
                continue;
            }
            given = Some(span);
            request.wrt = wrt(&value, operands, span, errors);
        }
        if request.wrt.len() > MOST {
            errors.push(
                given.unwrap_or_else(|| call.operands.get(MOST).map_or(proc_macro2::Span::call_site(), |operand| operand.span)),
                format!("einsum_vjp! gives at most {MOST} gradients\nchoose some of the operands by `wrt = [0, 1]`"),
            );
        }
        request
    }
}

/// Says which options `einsum_jvp!` does not have.
pub(super) fn refuse(call: &Call, errors: &mut Errors) {
    no_output(call, errors);
    one_product(call, "einsum_jvp!", errors);
    for (name, _) in &call.options.derivative {
        let help = match name == "wrt" {
            true => "an operand that is constant has `_` in place of its tangent",
            false => "nothing is conjugated on the way forward",
        };
        errors.push(
            name.span(),
            format!("option `{name}` is one of `einsum_vjp!`\n{help}"),
        );
    }
}

/// An equation is one product of operands alone.
fn one_product(call: &Call, name: &str, errors: &mut Errors) {
    let Some(equation) = &call.equation else {
        return;
    };
    match equation.terms.as_slice() {
        [term] if !term.factors.is_empty() || term.negative => errors.push(
            term.span,
            format!("{name} takes one product without factors"),
        ),
        [_, second, ..] => {
            errors.push(second.span, format!("{name} takes one product, not a sum"));
        }
        _ => {}
    }
}

/// A derivative comes beside its result: both are new.
fn no_output(call: &Call, errors: &mut Errors) {
    if let Some((_, span)) = &call.options.algebra {
        errors.push(
            *span,
            "option `algebra` is one of `einsum!`: derivatives are those of sums of products",
        );
    }
    for value in &call.options.values {
        if value.name != "engine" {
            let message = match value.name {
                "out" if value.borrowed => String::from(
                    "the result of a derivative is new: leave out the name on the left, as in `[i, k] = …`",
                ),
                name => format!(
                    "option `{name}` is one of `einsum!`: the result of a derivative is new\n\
                     `pullback.accumulate(&dy, (&mut da, …))` adds to gradients that are there"
                ),
            };
            errors.push(value.name_span(), message);
        }
    }
}

/// `[0, 2]`: operands, counted from 0.
fn wrt(
    value: &[TokenTree],
    operands: usize,
    span: proc_macro2::Span,
    errors: &mut Errors,
) -> Vec<usize> {
    let mut wrt = Vec::new();
    let list = match value {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            split_commas(group.stream())
        }
        _ => {
            errors.push(
                span,
                "expected the numbers of operands, as in `wrt = [0, 2]`",
            );
            return wrt;
        }
    };
    if list.is_empty() {
        errors.push(span, "`wrt = []` asks for no gradient: use `einsum!`");
    }
    for item in list {
        let text: String = item.iter().map(TokenTree::to_string).collect();
        let place = span_of(&item);
        match text.parse::<usize>() {
            Ok(p) if p >= operands => {
                let plural = if operands == 1 {
                    "operand: 0"
                } else {
                    "operands"
                };
                let range = if operands == 1 {
                    String::new()
                } else {
                    format!(", 0 to {}", operands.saturating_sub(1))
                };
                errors.push(
                    place,
                    format!("there is no operand {p}: the call has {operands} {plural}{range}"),
                );
            }
            Ok(p) if wrt.contains(&p) => errors.push(place, format!("operand {p} stands twice")),
            Ok(p) => wrt.push(p),
            Err(_) => errors.push(place, "expected the number of an operand, counted from 0"),
        }
    }
    wrt
}
