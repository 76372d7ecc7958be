//! From an axis back to the characters that name it: for messages, so nothing of it is kept at run time.

use crate::lists::Listed;
use alloc::{string::String, vec::Vec};

use crate::{
    sorted::insert,
    spec::{Span, TermRef},
    subscripts::{Item, Subscripts, Term},
};

/// Where the text names axis `axis` of an operand, or of the output, with `rank` axes; an axis that `...` covers is at
/// the `...`.
///
/// `None` where the text has no such axis, and for an output that is not written. `text` is the text of a
/// [`Spec`](crate::Spec), from subscripts or from integer labels.
pub fn axis_span(text: &str, term: TermRef, axis: usize, rank: usize) -> Option<Span> {
    let terms = Terms::read(text);
    let items = &terms.get(term)?.items;
    let covered = rank.checked_sub(items.iter().filter(|i| !i.ellipsis).count())?;
    let mut at = 0;
    items
        .iter()
        .find(|item| {
            at += if item.ellipsis { covered } else { 1 };
            axis < at
        })
        .map(|item| item.span)
}

/// Where a term stands in the text; `None` for an output that is not written.
pub fn term_span(text: &str, term: TermRef) -> Option<Span> {
    Terms::read(text).get(term).map(|t| t.span)
}

/// The names of the labels of a [`Spec`](crate::Spec)'s text, in the order of their numbers.
pub fn label_names(text: &str) -> Vec<String> {
    let terms = Terms::read(text);
    let mut seen = Vec::new();
    let labels = terms
        .inputs
        .iter()
        .flat_map(|t| &t.items)
        .filter(|i| !i.ellipsis);
    let names = labels.map(|i| &text[i.span.start..i.span.end]);
    names
        .filter(|name| insert(&mut seen, *name))
        .map(String::from)
        .listed()
}

struct Terms {
    inputs: Vec<Term>,
    output: Option<Term>,
}

impl Terms {
    fn read(text: &str) -> Terms {
        if text.trim_start_matches('(').starts_with('[') {
            return Terms::read_bracketed(text);
        }
        let (Subscripts { inputs, output, .. }, _) = Subscripts::parse_lossy(text);
        Terms { inputs, output }
    }

    /// Terms in brackets, names or integers or `...` between commas; the last term is the output.
    fn read_bracketed(text: &str) -> Terms {
        let mut inputs = Vec::new();
        let mut open = 0;
        for (at, c) in text.char_indices() {
            match c {
                '[' => open = at + 1,
                ']' => inputs.push(bracketed(text, open, at)),
                _ => {}
            }
        }
        let output = inputs.pop();
        Terms { inputs, output }
    }

    fn get(&self, term: TermRef) -> Option<&Term> {
        match term {
            TermRef::Input(operand) => self.inputs.get(operand),
            TermRef::Output => self.output.as_ref(),
        }
    }
}

/// The term of what stands between two brackets.
fn bracketed(text: &str, open: usize, close: usize) -> Term {
    let mut at = open;
    let mut items = Vec::new();
    for piece in text[open..close].split(',') {
        let name = piece.trim();
        let start = at + (piece.len() - piece.trim_start().len());
        if !name.is_empty() {
            items.push(Item {
                span: Span::new(start, start + name.len()),
                ellipsis: name == "...",
            });
        }
        at += piece.len() + 1;
    }
    Term {
        items,
        span: Span::new(open, close),
    }
}
