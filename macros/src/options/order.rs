//! The value of `order =`.

use cteinsum_plan::Order;
use proc_macro2::{Delimiter, Group, Span, TokenTree};

use super::hints::number;
use crate::errors::{Errors, nearest};
use crate::tokens::{flatten, is_punct, span_of, split_commas};

/// An order as written, with the place of each step.
#[derive(Debug)]
pub(crate) enum OrderOption {
    Optimal,
    Greedy,
    /// Seed and effort of a search.
    Search(u64, u32),
    LeftToRight,
    /// Positions in the shrinking list of operands, as opt_einsum and JAX print them.
    Path(Vec<Vec<u32>>, Vec<Span>),
    /// SSA pairs.
    Tree(Vec<(u32, u32)>, Vec<Span>),
}

const WORDS: [&str; 5] = ["optimal", "greedy", "left_to_right", "search", "tree"];
const LIST: &str = "an order is `optimal`, `greedy`, `left_to_right`, `search(seed = 1, effort = 3)`, \
    a path `[(0, 1), …]` or SSA pairs `tree([(0, 1), …])`";

impl OrderOption {
    /// The order without the places.
    pub(crate) fn order(&self) -> Order {
        match self {
            OrderOption::Optimal => Order::Optimal,
            OrderOption::Greedy => Order::Greedy,
            &OrderOption::Search(seed, effort) => Order::Search { seed, effort },
            OrderOption::LeftToRight => Order::LeftToRight,
            OrderOption::Path(steps, _) => Order::Path(steps.clone()),
            OrderOption::Tree(pairs, _) => Order::Tree(pairs.clone()),
        }
    }

    /// The place of each step.
    pub(crate) fn spans(&self) -> Option<&[Span]> {
        match self {
            OrderOption::Path(_, spans) | OrderOption::Tree(_, spans) => Some(spans),
            _ => None,
        }
    }
}

/// Reads the value; on a mistake, says so and returns `None`.
pub(super) fn parse(value: &[TokenTree], errors: &mut Errors) -> Option<OrderOption> {
    let value = flatten(value.iter().cloned());
    match value.as_slice() {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => {
            let (steps, spans) = steps(list, errors)?;
            Some(OrderOption::Path(steps, spans))
        }
        [TokenTree::Ident(word)] if word == "optimal" => Some(OrderOption::Optimal),
        [TokenTree::Ident(word)] if word == "greedy" => Some(OrderOption::Greedy),
        [TokenTree::Ident(word)] if word == "search" => Some(OrderOption::Search(SEED, EFFORT)),
        [TokenTree::Ident(word), TokenTree::Group(arguments)]
            if word == "search" && arguments.delimiter() == Delimiter::Parenthesis =>
        {
            search(arguments, errors)
        }
        [TokenTree::Ident(word)] if word == "left_to_right" => Some(OrderOption::LeftToRight),
        [TokenTree::Ident(word), TokenTree::Group(arguments)]
            if word == "tree" && arguments.delimiter() == Delimiter::Parenthesis =>
        {
            tree(arguments, errors)
        }
        _ => {
            errors.push(span_of(&value), unknown(&value));
            None
        }
    }
}

/// What `search` takes where the call does not say.
const SEED: u64 = 1;
const EFFORT: u32 = 2;
/// Each step is four to ten times the work of the one before.
const MOST_EFFORT: u64 = 6;

/// `seed = 1, effort = 3`, in any order.
fn search(arguments: &Group, errors: &mut Errors) -> Option<OrderOption> {
    let (mut seed, mut effort) = (None, None);
    for piece in split_commas(arguments.stream()) {
        let parts = match piece.as_slice() {
            [TokenTree::Ident(name), equals, value @ ..] if is_punct(equals, '=') => {
                number(value).map(|value| (name.to_string(), value))
            }
            _ => None,
        };
        let message = match parts {
            Some((name, value)) if name == "seed" && seed.is_none() => {
                seed = Some(value);
                continue;
            }
            Some((name, value)) if name == "effort" && effort.is_none() => {
                if (1..=MOST_EFFORT).contains(&value) {
                    effort = Some(value as u32);
                    continue;
                }
                format!("an effort is a number from 1 to {MOST_EFFORT}")
            }
            Some((name, _)) if name == "seed" || name == "effort" => {
                format!("`{name}` is given twice")
            }
            _ => String::from("expected `seed = …` or `effort = …` with a number"),
        };
        let span = if piece.is_empty() {
            arguments.span()
        } else {
            span_of(&piece)
        };
        errors.push(span, message);
        return None;
    }
    Some(OrderOption::Search(
        seed.unwrap_or(SEED),
        effort.unwrap_or(EFFORT),
    ))
}

fn unknown(value: &[TokenTree]) -> String {
    let Some(TokenTree::Ident(word)) = value.first() else {
        return format!("expected an order\n{LIST}");
    };
    let word = word.to_string();
    match nearest(&word, &WORDS) {
        Some("tree") if value.len() == 1 => {
            format!("expected SSA pairs: `tree([(0, 1), …])`\n{LIST}")
        }
        Some(meant) if meant != word => {
            format!("unknown order `{word}`: did you mean `{meant}`?\n{LIST}")
        }
        Some(_) => format!("`{word}` takes no arguments\n{LIST}"),
        None => format!("unknown order `{word}`\n{LIST}"),
    }
}

fn tree(arguments: &Group, errors: &mut Errors) -> Option<OrderOption> {
    let arguments_list: Vec<TokenTree> = arguments.stream().into_iter().collect();
    let list = match arguments_list.as_slice() {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => list,
        _ => {
            errors.push(
                arguments.span(),
                "expected a list of pairs: `tree([(0, 1), …])`",
            );
            return None;
        }
    };
    let (steps, spans) = steps(list, errors)?;
    let mut pairs = Vec::with_capacity(steps.len());
    for (step, span) in steps.iter().zip(&spans) {
        match step[..] {
            [a, b] => pairs.push((a, b)),
            _ => errors.push(
                *span,
                format!("a step of a tree is a pair, found {} numbers", step.len()),
            ),
        }
    }
    (pairs.len() == steps.len()).then_some(OrderOption::Tree(pairs, spans))
}

/// `[(0, 1), [2, 3], …]`.
fn steps(list: &Group, errors: &mut Errors) -> Option<(Vec<Vec<u32>>, Vec<Span>)> {
    let pieces = split_commas(list.stream());
    if !pieces.is_empty()
        && pieces
            .iter()
            .all(|piece| matches!(piece.as_slice(), [TokenTree::Literal(_)]))
    {
        errors.push(
            list.span(),
            "expected a list of steps, as in `[(0, 1), (0, 1)]`, found a list of numbers",
        );
        return None;
    }
    let mut steps = Vec::new();
    let mut spans = Vec::new();
    let mut complete = true;
    for piece in pieces {
        let step = match piece.as_slice() {
            [TokenTree::Group(group)] if group.delimiter() != Delimiter::Brace => {
                numbers(group, errors)
            }
            _ => {
                let span = if piece.is_empty() {
                    list.span()
                } else {
                    span_of(&piece)
                };
                errors.push(span, "expected the operands of one step: `(0, 1)`");
                None
            }
        };
        complete &= step.is_some();
        steps.extend(step);
        spans.push(span_of(&piece));
    }
    complete.then_some((steps, spans))
}

fn numbers(group: &Group, errors: &mut Errors) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    let mut complete = true;
    for piece in split_commas(group.stream()) {
        let number: Option<u32> = match piece.as_slice() {
            [TokenTree::Literal(literal)] => literal.to_string().replace('_', "").parse().ok(),
            _ => None,
        };
        if number.is_none() {
            let span = if piece.is_empty() {
                group.span()
            } else {
                span_of(&piece)
            };
            errors.push(span, "expected the position of an operand: 0, 1, 2, …");
        }
        complete &= number.is_some();
        numbers.extend(number);
    }
    complete.then_some(numbers)
}
