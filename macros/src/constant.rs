//! The constants that an expansion leaves in the program: labels and order, under a line for the reader.

use cteinsum_plan::{ELLIPSIS, Label};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::choice::choice;
use crate::plan::Planned;

/// `SPEC`, or `SPEC0`, `SPEC1`, … for the terms of a sum.
pub(crate) fn spec_name(terms: &[Planned], term: usize, place: Span) -> Ident {
    numbered("SPEC", terms, term, place)
}

pub(crate) fn numbered(name: &str, terms: &[Planned], term: usize, place: Span) -> Ident {
    match terms {
        [_] => Ident::new(name, place),
        _ => Ident::new(&format!("{name}{term}"), place),
    }
}

/// The constant, under a line for the reader of the expansion.
pub(crate) fn constant(name: &Ident, planned: &Planned, place: Span) -> TokenStream {
    let doc = &planned.doc;
    let value = spec(planned, place);
    quote_spanned! {place=>
        #[doc = #doc]
        const #name: Spec = #value;
    }
}

/// The constant as that of a type, with these others.
pub(crate) fn call_site(
    name: &Ident,
    planned: &Planned,
    others: &TokenStream,
    place: Span,
) -> TokenStream {
    let doc = &planned.doc;
    let value = spec(planned, place);
    quote_spanned! {place=>
        #[doc = #doc]
        struct #name;
        impl CallSite for #name {
            const SPEC: Spec = #value;
            #others
        }
    }
}

fn spec(planned: &Planned, place: Span) -> TokenStream {
    let text = &planned.text;
    let labels = |term: &[Label]| {
        let labels = term.iter().map(|label| {
            if *label == ELLIPSIS {
                TokenTree::Ident(Ident::new("ELLIPSIS", place))
            } else {
                number(*label)
            }
        });
        quote_spanned!(place=> &[#(#labels),*])
    };
    let inputs = planned.inputs.iter().map(|term| labels(term));
    let output = labels(&planned.output);
    let choice = choice(planned, place);
    let tree = planned.strategy.tree.0.iter().map(|(a, b)| {
        let (a, b) = (number(*a), number(*b));
        quote_spanned!(place=> (#a, #b))
    });
    // One or two operands leave no choice of a tree.
    if planned.inputs.len() > 2 {
        quote_spanned!(place=> Spec::new(#text, &[#(#inputs),*], #output, &[#(#tree),*]) #choice)
    } else {
        quote_spanned!(place=> spec(#text, &[#(#inputs),*], #output) #choice)
    }
}

/// A number without a suffix.
pub(crate) fn number(n: impl Into<u64>) -> TokenTree {
    TokenTree::Literal(Literal::u64_unsuffixed(n.into()))
}
