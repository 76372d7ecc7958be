//! From an axis back to the characters that name it: for messages, so nothing of it is kept at run time.

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
        .collect()
}

struct Terms {
    inputs: Vec<Term>,
    output: Option<Term>,
}

impl Terms {
    fn read(text: &str) -> Terms {
        if text.starts_with('[') {
            return Terms::read_integers(text);
        }
        let (Subscripts { inputs, output, .. }, _) = Subscripts::parse_lossy(text);
        Terms { inputs, output }
    }

    /// Terms in brackets, integers between commas; the last term is the output.
    fn read_integers(text: &str) -> Terms {
        let mut inputs = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        let mut open = 0;
        for (at, c) in text.char_indices() {
            match c {
                '[' => open = at + 1,
                ']' => inputs.push(Term {
                    items: core::mem::take(&mut items),
                    span: Span::new(open, at),
                }),
                '0'..='9' => match items.last_mut() {
                    Some(last) if last.span.end == at => last.span.end = at + 1,
                    _ => items.push(Item {
                        span: Span::new(at, at + 1),
                        ellipsis: false,
                    }),
                },
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
