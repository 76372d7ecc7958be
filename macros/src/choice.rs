//! What the constant says about an order that is not settled.

use cteinsum_plan::{Cost, Rule};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use crate::constant::number;
use crate::plan::Planned;

/// `.by_sizes()`, `.minimize(Cost::Flops)`, …: empty for a tree without a limit.
pub(crate) fn choice(planned: &Planned, place: Span) -> TokenStream {
    let strategy = &planned.strategy;
    let mut tokens = match &strategy.rule {
        Rule::Exact => quote_spanned!(place=> .by_sizes()),
        Rule::Greedy => quote_spanned!(place=> .greedy()),
        Rule::Among(trees) => {
            // The first is the tree of the constant.
            let trees = trees.iter().skip(1).map(|tree| {
                let pairs = tree.0.iter().map(|(a, b)| {
                    let (a, b) = (number(*a), number(*b));
                    quote_spanned!(place=> (#a, #b))
                });
                quote_spanned!(place=> &[#(#pairs),*])
            });
            quote_spanned!(place=> .among(&[#(#trees),*]))
        }
        _ => TokenStream::new(),
    };
    let groups = strategy.group_list(planned.inputs.len());
    if !groups.is_empty() {
        let groups = groups.iter().map(|group| {
            let members = group.iter().map(|member| number(*member));
            quote_spanned!(place=> &[#(#members),*])
        });
        tokens.extend(quote_spanned!(place=> .grouped(&[#(#groups),*])));
    }
    let cost = match strategy.cost {
        _ if tokens.is_empty() => None,
        Cost::Flops => Some("Flops"),
        Cost::Size => Some("Size"),
        _ => None,
    };
    if let Some(cost) = cost {
        let cost = Ident::new(cost, place);
        tokens.extend(quote_spanned!(place=> .minimize(Cost::#cost)));
    }
    if let Some(limit) = strategy.max_intermediate {
        let limit = number(limit);
        tokens.extend(quote_spanned!(place=> .max_intermediate(#limit)));
    }
    tokens
}
