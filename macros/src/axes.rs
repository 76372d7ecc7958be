//! The axes of operands and output in an expansion: one local a label, joined where the label stands again.
//!
//! `l1` is what is known of the length of label 1 so far. A label that stands at one axis only and not in the output
//! needs no local.

use cteinsum_plan::{ELLIPSIS, Label};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::notation::List;
use crate::plan::Labels;

/// The most labels of a term that has a function of its own to bind it, `bind8` the last of them.
pub(crate) const FLAT: usize = 8;

/// The locals of a call while its operands are bound, from left to right.
pub(crate) struct Axes<'a> {
    pub(crate) labels: &'a Labels,
    place: Span,
    /// By label: at how many axes of the operands it stands, and once more if it stands in the output.
    uses: Vec<usize>,
    /// By label: whether an operand has had it.
    known: Vec<bool>,
    /// Whether an operand has had `...`.
    dots: bool,
    /// All labels are single letters.
    letters: bool,
    /// Index notation's lists, where each label has a place of its own.
    lists: &'a [List],
    /// The operand that is next.
    operand: usize,
}

impl<'a> Axes<'a> {
    pub(crate) fn new(labels: &'a Labels, place: Span, lists: &'a [List]) -> Self {
        let mut uses = vec![0; labels.names.len()];
        for label in labels.inputs.iter().flatten().filter(|l| **l != ELLIPSIS) {
            uses[usize::from(*label)] += 1;
        }
        for (label, uses) in uses.iter_mut().enumerate() {
            *uses += usize::from(labels.output.contains(&(label as Label)));
        }
        Axes {
            labels,
            place,
            known: vec![false; uses.len()],
            uses,
            dots: false,
            letters: labels.names.iter().all(|n| n.chars().nth(1).is_none()),
            lists,
            operand: 0,
        }
    }

    /// What the binding of the next operand is followed by in its pattern, and the joins behind that.
    pub(crate) fn of_term(&mut self, term: &[Label]) -> (TokenStream, TokenStream) {
        let place = self.place;
        let mut axes = Vec::new();
        let (mut diagonals, mut joins) = (Vec::new(), Vec::new());
        for (axis, label) in term.iter().enumerate() {
            let number = usize::from(*label);
            if *label == ELLIPSIS || self.uses[number] == 1 {
                axes.push(quote_spanned!(place=> _));
                continue;
            }
            let name = if self.known[number] { 'm' } else { 'l' };
            let here = self.local(name, *label);
            if term[..axis].contains(label) {
                let again = Ident::new(&format!("{name}{label}_{axis}"), place);
                axes.push(quote_spanned!(place=> #again));
                diagonals.push(self.pair(*label, axis, &here, &again));
                continue;
            }
            axes.push(quote_spanned!(place=> #here));
            if self.known[number] {
                joins.push(self.pair(*label, axis, &self.local('l', *label), &here));
            }
        }
        self.operand += 1;
        for label in term.iter().filter(|l| **l != ELLIPSIS) {
            self.known[usize::from(*label)] = true;
        }
        let mut statements = TokenStream::new();
        for (name, pairs) in [("__einsum_diagonal", diagonals), ("__einsum_join", joins)] {
            let name = |at| Ident::new(name, at);
            if self.lists.is_empty() && !pairs.is_empty() {
                let (name, pairs) = (name(place), pairs.iter().map(|(_, pair)| pair));
                statements.extend(quote_spanned!(place=> #name!(#(#pairs),*);));
            } else {
                // Each at the place of its label: rustc points at the call of the macro.
                for (at, pair) in pairs {
                    let name = name(at);
                    statements.extend(quote_spanned!(at=> #name!(#pair);));
                }
            }
        }
        let Some(dots) = term.iter().position(|l| *l == ELLIPSIS) else {
            if term.len() > FLAT {
                let axes = list(&axes, place);
                return (quote_spanned!(place=> , #axes), statements);
            }
            return (quote_spanned!(place=> , #(#axes),*), statements);
        };
        let (before, behind) = (list(&axes[..dots], place), {
            axes[dots + 1..].reverse();
            list(&axes[dots + 1..], place)
        });
        let name = Ident::new(if self.dots { "more" } else { "dots" }, place);
        if self.dots {
            statements.extend(quote_spanned!(place=> __einsum_dots!(dots more);));
        }
        self.dots = true;
        (
            quote_spanned!(place=> , #before, #name, #behind),
            statements,
        )
    }

    /// The pattern of the axes of a given output, and the comparisons with those of the result behind it.
    pub(crate) fn of_output(&self, dots: bool, at: Span) -> (TokenStream, TokenStream) {
        let output = &self.labels.output;
        let mut axes = Vec::new();
        let mut pairs = Vec::new();
        for (axis, label) in output.iter().enumerate().filter(|(_, l)| **l != ELLIPSIS) {
            let given = Ident::new(&format!("n{label}_{axis}"), self.place);
            axes.push(quote_spanned!(at=> #given));
            pairs.push(self.comparison(*label, at, &self.local('l', *label), &given));
        }
        let compare =
            (!pairs.is_empty()).then(|| quote_spanned!(at=> __einsum_given!(#(#pairs),*);));
        if !dots {
            return (list(&axes, at), quote_spanned!(at=> #compare));
        }
        let before = output.iter().take_while(|l| **l != ELLIPSIS).count();
        axes[before..].reverse();
        let (before, behind) = (list(&axes[..before], at), list(&axes[before..], at));
        (
            quote_spanned!(at=> (#before, more, #behind)),
            quote_spanned!(at=> #compare __einsum_given_dots!(dots more);),
        )
    }

    fn local(&self, name: char, label: Label) -> Ident {
        Ident::new(&format!("{name}{label}"), self.place)
    }

    /// `'j' l1 m1`, or `row l1 m1` among longer names; and the place of the label.
    fn pair(&self, label: Label, axis: usize, a: &Ident, b: &Ident) -> (Span, TokenStream) {
        let list = self.lists.get(self.operand);
        let index = list.and_then(|list| list.indices.get(axis));
        let place = index.map_or(self.place, |index| {
            Span::mixed_site().located_at(index.span)
        });
        (place, self.comparison(label, place, a, b))
    }

    /// `'j' l1 m1` at a place.
    fn comparison(&self, label: Label, place: Span, a: &Ident, b: &Ident) -> TokenStream {
        let name = &self.labels.names[usize::from(label)];
        let name = match name.chars().next() {
            Some(letter) if self.letters => {
                let mut letter = Literal::character(letter);
                letter.set_span(place);
                TokenTree::Literal(letter)
            }
            _ if is_keyword(name) => TokenTree::Ident(Ident::new_raw(name, place)),
            _ => TokenTree::Ident(Ident::new(name, place)),
        };
        quote_spanned!(place=> #name #a #b)
    }
}

/// A word that is a name only as `r#word`.
fn is_keyword(name: &str) -> bool {
    const WORDS: [&str; 48] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
        "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
        "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
        "unsized", "use", "virtual", "where", "while", "yield",
    ];
    WORDS.contains(&name)
}

/// `(a, (b, ()))`.
fn list(axes: &[TokenStream], place: Span) -> TokenStream {
    axes.iter().rev().fold(
        quote_spanned!(place=> ()),
        |rest, axis| quote_spanned!(place=> (#axis, #rest)),
    )
}

/// `(l0, l2)`, or what `...` covers between two of them.
pub(crate) fn output_axes(output: &[Label], dots: bool, place: Span) -> TokenStream {
    let tuple = |term: &[Label]| {
        let labels = term.iter().filter(|l| **l != ELLIPSIS);
        let labels = labels.map(|l| Ident::new(&format!("l{l}"), place));
        match term {
            [_] => quote_spanned!(place=> (#(#labels,)*)),
            _ => quote_spanned!(place=> (#(#labels),*)),
        }
    };
    match output.iter().position(|l| *l == ELLIPSIS) {
        Some(at) if dots => {
            let (before, behind) = (tuple(&output[..at]), tuple(&output[at + 1..]));
            quote_spanned!(place=> dots.between(#before, #behind))
        }
        Some(at) => tuple(&[&output[..at], &output[at + 1..]].concat()),
        None => tuple(output),
    }
}
