//! One call, from its tokens to its expansion.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::bind::{bind_all, local};
use crate::call::{self, Call};
use crate::check::check;
use crate::constant::number;
use crate::emit::{Mode, emit};
use crate::errors::Errors;
use crate::notation::List;
use crate::plan::plan;

/// Expands what the front passes on.
pub(crate) fn expand(input: TokenStream, mode: Mode) -> TokenStream {
    let mut errors = Errors::default();
    let mut of_arguments = Errors::default();
    let mut call = call::parse(input, &mut of_arguments);
    let (checked, output_rank) = check(&call, call.operands.len(), &mut errors);
    call.options.no_derivative(&mut of_arguments);
    // The subscripts stand before the other arguments.
    errors.append(of_arguments);
    let planned = checked.and_then(|checked| plan(&call, &checked, &mut errors));
    let text = call.text.as_ref().map(|text| text.span());
    let place = text.or(call.equation.as_ref().map(|equation| equation.span));
    match (planned, place) {
        (Some(planned), Some(place)) if errors.is_empty() => emit(&call, &planned, mode, place),
        _ => {
            let Call {
                equation, operands, ..
            } = &mut call;
            if let Some(equation) = equation {
                let lists = || equation.lists.iter().chain([&equation.output]);
                for operand in operands {
                    operand.without_labels(lists().flat_map(List::names));
                }
            }
            reject(&call, output_rank, errors, mode)
        }
    }
}

/// Expands what the front of `einsum_plan!` passes on: an expression of type `Plan`, fit for a constant.
#[cfg(feature = "report")]
pub(crate) fn expand_plan(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut of_arguments = Errors::default();
    let call = call::parse(input, &mut of_arguments);
    let (checked, _) = check(&call, crate::check::terms(&call), &mut errors);
    #[cfg(not(feature = "gradient"))]
    let wrt = {
        call.options.no_derivative(&mut of_arguments);
        Vec::new()
    };
    #[cfg(feature = "gradient")]
    let wrt = crate::derivative::of_plan(&call, crate::check::terms(&call), &mut of_arguments);
    errors.append(of_arguments);
    let named = call.equation.is_some();
    if let (Some(operand), false) = (call.operands.first(), named) {
        errors.push(
            operand.span,
            "a plan takes no operands, only subscripts and options",
        );
    }
    if let Some((_, span)) = &call.options.algebra {
        errors.push(
            *span,
            "option `algebra` is one of `einsum!`: a plan is the same in every algebra",
        );
    }
    // An equation names its operands and its output, and nothing looks at them.
    let values = call.options.values.iter();
    for value in values.filter(|value| !(named && value.name == "out")) {
        let name = value.name;
        let message = format!("option `{name}` is one of `einsum!`: a plan computes nothing");
        errors.push(value.span, message);
    }
    let planned = checked.and_then(|checked| plan(&call, &checked, &mut errors));
    let text = call.text.as_ref().map(|text| text.span());
    let place = text.or(call.equation.as_ref().map(|equation| equation.span));
    match (planned.as_deref(), place) {
        (Some([planned]), Some(place)) if errors.is_empty() => {
            crate::emit::emit_plan(&call, planned, &wrt, place)
        }
        (sum, place) => {
            if let (Some(_), Some(place)) = (sum, place)
                && errors.is_empty()
            {
                errors.push(place, "a plan is that of one product, and this is a sum");
            }
            let errors = errors.into_compile_errors();
            quote!({ #(#errors);* })
        }
    }
}

/// The messages, then an expression of the type that the call would have had, so that no others follow.
///
/// `compile_error!` itself is of every type, for outputs that cannot be read. The operands stay, so that nothing they
/// name counts as unused.
fn reject(call: &Call, output_rank: Option<usize>, errors: Errors, mode: Mode) -> TokenStream {
    let errors = errors.into_compile_errors();
    if call.operands.is_empty() {
        return quote!({ #(#errors);* });
    }
    // A call with `out =` has no result to be of a type.
    let rank = output_rank.filter(|_| call.options.value("out").is_none());
    let Some(rank) = rank else {
        return bind_all(call, quote!(#(#errors);*));
    };
    let site = Span::mixed_site();
    let krate = &call.krate;
    let (rank, op0) = (number(rank as u64), local(0, site));
    let rejected = match mode {
        Mode::Panic => quote_spanned!(site=> rejected),
        Mode::Try => quote_spanned!(site=> try_rejected),
    };
    let body = quote_spanned! {site=>
        use #krate::__private::Rank;
        #(#errors;)*
        Rank::<#rank>::#rejected(#op0)
    };
    bind_all(call, body)
}

#[cfg(test)]
mod tests;
