//! The tokens of a call: a match that binds the operands, one constant, one call.
//!
//! Names and places:
//! - Locals have mixed-site hygiene: they never meet the user's. Items have none, so the `use` stands inside of the
//!   match arm, where no expression of the user's is.
//! - What binds an operand has the place of that operand, path and argument alike: rustc then reports a wrong rank
//!   there, and only there. Everything else has the place of the subscripts.

use cteinsum_plan::ELLIPSIS;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::axes::{Axes, output_axes};
use crate::bind::{Bind, bind_all, binds, local, named};
use crate::call::Call;
use crate::constant::{call_site, constant, number, numbered, spec_name};
use crate::factor;
use crate::options::by;
use crate::plan::{Labels, Planned, has_ellipsis};

/// Which macro was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `einsum!`: panics if the sizes do not fit.
    Panic,
    /// `try_einsum!`: returns a `Result`.
    Try,
}

/// The expansion of a call without mistakes.
pub(crate) fn emit(call: &Call, terms: &[Planned], mode: Mode, place: Span) -> TokenStream {
    let krate = &call.krate;
    let place = Span::mixed_site().located_at(place);
    let labels = Labels::of(terms);
    let types = of_types(call, terms);
    let specs = terms.iter().enumerate();
    let specs = specs.map(|(i, term)| match types {
        true => {
            let name = numbered("Call", terms, i, place);
            call_site(&name, term, &TokenStream::new(), place)
        }
        false => constant(&spec_name(terms, i, place), term, place),
    });
    let (binds, axes) = binds(call, &labels, place);
    let run = run(call, terms, &axes, mode, place);
    let body = quote_spanned! {place=>
        use #krate::__private::*;
        #(#specs)*
        #binds
        #run
    };
    bind_all(call, body)
}

/// The expansion of a plan without mistakes: a constant.
#[cfg(feature = "report")]
pub(crate) fn emit_plan(call: &Call, planned: &Planned, wrt: &[usize], place: Span) -> TokenStream {
    let krate = &call.krate;
    let place = Span::mixed_site().located_at(place);
    let spec = constant(&Ident::new("SPEC", place), planned, place);
    let sizes = call.options.sizes.iter().map(|hint| {
        let (label, size) = (&hint.label, number(hint.size as u64));
        quote_spanned!(place=> (#label, #size))
    });
    let sizes: Vec<_> = sizes.collect();
    let wrt: Vec<_> = wrt.iter().map(|&operand| number(operand as u64)).collect();
    let gradients =
        (!wrt.is_empty()).then(|| quote_spanned!(place=> .differentiated(&[#(#wrt),*])));
    let expecting = (!sizes.is_empty()).then(|| quote_spanned!(place=> .expecting(&[#(#sizes),*])));
    // The order is the same for all elements; bytes are not.
    let acc = call.options.acc.as_ref().map(|(acc, span)| {
        let at = place.located_at(*span);
        quote_spanned!(at=> .elements_of(::core::mem::size_of::<#acc>()))
    });
    quote_spanned! {place=>
        {
            use #krate::__private::*;
            #spec
            #krate::Plan::new(SPEC) #expecting #gradients #acc
        }
    }
}

/// Most operands of a term whose lengths are asked whether they are all constants.
const MANY: usize = 16;
/// Most terms of such a sum.
const MANY_TERMS: usize = 8;

/// Whether the types of a call decide who computes it; if not, it is the engine.
fn of_types(call: &Call, terms: &[Planned]) -> bool {
    terms.len() <= MANY_TERMS
        && terms.iter().all(|term| term.inputs.len() <= MANY)
        && call.options.value("engine").is_none()
        && call.options.algebra.is_none()
}

/// Whether a call is a sum, or has a factor for a new array; one product without has a call of its own.
fn is_sum(call: &Call, terms: &[Planned]) -> bool {
    let place = Span::mixed_site();
    let factor = || factor::alphas(call, 1, place)[0].is_some();
    terms.len() > 1
        || call.options.algebra.is_some()
        || call.options.value("out").is_none() && factor()
}

/// The call that computes it.
fn run(call: &Call, terms: &[Planned], axes: &Axes, mode: Mode, place: Span) -> TokenStream {
    let labels = axes.labels;
    let binds = || {
        let operands = call.operands.iter().zip(&labels.inputs);
        operands.map(|(operand, term)| Bind::of(operand, term))
    };
    let dots_in = binds().any(|bind| bind == Bind::Ellipsis);
    let dots = dots_in && has_ellipsis(&labels.output);
    let check = (dots_in && !dots).then(|| quote_spanned!(place=> covers_nothing(dots);));
    let last = call.operands.len() - 1;
    let options = &call.options;
    let has_engine = options.value("engine").is_some();
    let alphas = factor::alphas(call, terms.len(), place);
    let (sum, types) = (is_sum(call, terms), of_types(call, terms));
    let algebra = options.algebra.as_ref();
    let engine = match (has_engine, sum) {
        (true, true) => quote_spanned!(place=> Some(engine),),
        (true, false) => quote_spanned!(place=> engine,),
        (false, true) if !types => quote_spanned!(place=> None,),
        (false, _) => TokenStream::new(),
    };
    let by = by(call, place);
    let function = |what: &str| {
        let fallible = if mode == Mode::Try { "try_" } else { "" };
        let (kind, given) = match (sum, has_engine) {
            (true, _) if by.is_some() => ("", ""),
            (true, _) if types => ("_summands", ""),
            (true, _) => ("_sum", ""),
            (false, true) => ("", "_in"),
            (false, false) if types => ("", ""),
            (false, false) => ("_many", ""),
        };
        // What an algebra does not have is told where it is named.
        let at = algebra.map_or(place, |(_, span)| place.located_at(*span));
        let function = Ident::new(&format!("{fallible}contract{kind}{what}{given}"), at);
        match &by {
            Some(by) => quote_spanned!(place=> #by.#function),
            None => function.into_token_stream(),
        }
    };
    let neutral = |name: &str| {
        let name = Ident::new(name, place);
        match &by {
            Some(by) => quote_spanned!(place=> #by.#name()),
            None => quote_spanned!(place=> #name()),
        }
    };
    let mut first = 0;
    let mut list = terms.iter().enumerate().map(|(i, term)| {
        let numbers = first..first + term.inputs.len();
        let operands = numbers.clone().map(|i| local(i, place));
        first += term.inputs.len();
        let alpha = alphas[i].clone().unwrap_or_else(|| neutral("one"));
        let operands = if types {
            let site = numbered("Call", terms, i, place);
            quote_spanned!(place=> #site, (#(&#operands,)*))
        } else {
            let spec = spec_name(terms, i, place);
            // In an algebra all elements are of one type.
            let raws = operands.zip(numbers).map(|(op, i)| match algebra {
                Some(_) => {
                    let raw = Ident::new("raw_alike", place.located_at(call.operands[i].span));
                    quote_spanned!(place=> #raw(&#op))
                }
                None => quote_spanned!(place=> raw(&#op)),
            });
            quote_spanned!(place=> &#spec, &[#(#raws),*])
        };
        (operands, alpha)
    });
    let end = local(last, place);
    let (operands, alpha) = if sum && types {
        let terms = list.map(|(call, alpha)| quote_spanned!(place=> summand(&#end, #call, #alpha)));
        (quote_spanned!(place=> (#(#terms,)*)), TokenStream::new())
    } else if sum {
        let terms = list
            .map(|(operands, alpha)| quote_spanned!(place=> term_beside(&#end, #operands, #alpha)));
        (quote_spanned!(place=> &[#(#terms),*]), TokenStream::new())
    } else {
        list.next().unwrap_or_default()
    };
    let Some(out) = options.value("out") else {
        let (contract, last) = (function(""), local(last, place));
        let axes = output_axes(&labels.output, dots, place);
        // An operand of any rank makes the rank of the result so, wherever `...` stands.
        let beside = binds()
            .enumerate()
            .filter(|(_, bind)| dots && *bind == Bind::Labels);
        let beside = beside
            .map(|(i, _)| local(i, place))
            .map(|op| quote_spanned!(place=> let dots = dots.beside(&#op);));
        let arguments = if types && sum {
            quote_spanned!(place=> &#last, #axes, #operands)
        } else if types {
            let locals = (0..call.operands.len()).map(|i| local(i, place));
            quote_spanned!(place=> Call, #axes, (#(&#locals,)*))
        } else {
            quote_spanned!(place=> #engine &#last, #axes, #operands)
        };
        return quote_spanned!(place=> #(#beside)* #check #contract(#arguments));
    };
    let at = Span::mixed_site().located_at(out.span);
    let rank = number(named(&labels.output));
    let (output, last) = (Ident::new("out", at), local(last, at));
    let (pattern, compare) = axes.of_output(dots, at);
    let bound = if dots {
        let before = labels.output.iter().take_while(|l| **l != ELLIPSIS);
        let before = before.count() as u64;
        let behind = number(named(&labels.output) - before);
        let before = number(before);
        quote_spanned!(at=> Ellipsis::<#rank, #before, #behind>::bind_out(dots, #output))
    } else {
        quote_spanned!(at=> Rank::<#rank>::bind_out(#output))
    };
    let fills = quote_spanned!(at=> let (#last, mut out) = (&&filling(&#last, &out)).__einsum_fill(#last, out););
    let bound = quote_spanned!(place=> #check let (out, #pattern) = #bound; #fills #compare);
    let contract = function("_into");
    let accumulates = call.equation.as_ref().and_then(|e| e.place.as_ref());
    let beta = match options.value("beta") {
        Some(value) => Some(Ident::new("beta", factor::at(value.span)).into_token_stream()),
        None if accumulates.is_some_and(|p| p.accumulates) => Some(neutral("one")),
        None => None,
    };
    if types && !sum && alphas[0].is_none() && beta.is_none() {
        return quote_spanned!(place=> #bound #contract(#operands, &mut out));
    }
    let beta = beta.unwrap_or_else(|| neutral("zero"));
    if types && sum {
        return quote_spanned!(place=> #bound #contract(#operands, &mut out, #beta));
    }
    if types {
        let contract = function("_into_scaled");
        return quote_spanned!(place=> #bound #contract(#operands, &mut out, #alpha, #beta));
    }
    let arguments = if sum {
        quote_spanned!(place=> raw_mut(&mut out), #beta, #operands)
    } else {
        quote_spanned!(place=> #operands, raw_mut(&mut out), #alpha, #beta)
    };
    quote_spanned! {place=>
        #bound
        #contract(#engine #arguments)
    }
}
