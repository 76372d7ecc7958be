//! The tokens of a call: a match that binds the operands, one constant, one call.
//!
//! Names and places:
//! - Locals have mixed-site hygiene: they never meet the user's. Items have none, so the `use` stands inside of the
//!   match arm, where no expression of the user's is.
//! - What binds an operand has the place of that operand, path and argument alike: rustc then reports a wrong rank
//!   there, and only there. Everything else has the place of the subscripts.

use cteinsum_plan::{ELLIPSIS, Label};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

use crate::axes::{Axes, FLAT, output_axes};
use crate::call::{Call, Operand};
use crate::choice::choice;
use crate::factor;
use crate::notation::{Equation, Scalar};
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

/// `SPEC`, or `SPEC0`, `SPEC1`, … for the terms of a sum.
pub(crate) fn spec_name(terms: &[Planned], term: usize, place: Span) -> Ident {
    numbered("SPEC", terms, term, place)
}

fn numbered(name: &str, terms: &[Planned], term: usize, place: Span) -> Ident {
    match terms {
        [_] => Ident::new(name, place),
        _ => Ident::new(&format!("{name}{term}"), place),
    }
}

/// `match (&a, &b) { (op0, op1) => { body } }`: every operand is evaluated once, in order, and its temporaries live
/// until the result is there; the values of options come last.
pub(crate) fn bind_all(call: &Call, body: TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let krate = &call.krate;
    let mut values = Vec::new();
    let mut names = Vec::new();
    let mut scalars = call.equation.iter().flat_map(|e| &e.scalars).enumerate();
    let mut scalar = scalars.next();
    for i in 0..=call.operands.len() {
        while let Some((n, Scalar { expr, .. })) = scalar.take_if(|(_, s)| s.operands == i) {
            values.push(expr.clone());
            names.push(scalar_local(n, site));
            scalar = scalars.next();
        }
        if let Some(operand) = call.operands.get(i) {
            values.push(match &call.options.acc {
                // The type of a plain number follows the others.
                Some((acc, _)) if !operand.is_number() => {
                    let at = site.located_at(operand.span);
                    let borrowed = borrow(operand, krate, at);
                    quote_spanned!(at=> &#krate::widened::<#acc, _>(#borrowed))
                }
                _ => borrow(operand, krate, site),
            });
            names.push(local(i, site));
        }
    }
    let mut values_of_options = Vec::new();
    for value in &call.options.values {
        let expr = &value.expr;
        names.push(Ident::new(value.name, site));
        values_of_options.push(match value.name {
            "out" if value.borrowed => expr.clone(),
            // A function's argument, for the sake of implicit reborrowing and of rustc's message.
            name @ ("engine" | "out") => {
                let function = Ident::new(&format!("borrow_{name}"), site);
                quote_spanned!(site=> #krate::__private::#function(#expr))
            }
            _ => expr.clone(),
        });
    }
    values.append(&mut values_of_options);
    let bound = match (values.as_slice(), names.as_slice()) {
        ([value], [name]) => quote_spanned!(site=> match (#value,) { (#name,) => { #body } }),
        _ => quote_spanned!(site=> match (#(#values),*) { (#(#names),*) => { #body } }),
    };
    if call
        .equation
        .as_ref()
        .is_some_and(Equation::borrows_by_method)
    {
        quote_spanned!(site=> { use #krate::__private::Place as _; #bound })
    } else {
        bound
    }
}

/// `&operand`, with parentheses unless it is one token: `&` binds tighter than most operators.
fn borrow(operand: &Operand, krate: &TokenStream, site: Span) -> TokenStream {
    let expr = &operand.expr;
    let borrowed = if operand.is_atom() {
        quote_spanned!(site=> &#expr)
    } else {
        quote_spanned!(site=> &(#expr))
    };
    if operand.conj {
        quote_spanned!(site=> &#krate::conj(#borrowed))
    } else {
        borrowed
    }
}

/// The local name of an operand.
pub(crate) fn local(operand: usize, span: Span) -> Ident {
    Ident::new(&format!("op{operand}"), span)
}

/// The local that says what is known of a label's length.
#[cfg(feature = "gradient")]
pub(crate) fn local_axis(label: Label, place: Span) -> Ident {
    Ident::new(&format!("l{label}"), place)
}

/// The local name of a scalar.
pub(crate) fn scalar_local(scalar: usize, span: Span) -> Ident {
    Ident::new(&format!("s{scalar}"), span)
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

/// How an operand is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bind {
    /// A number as it stands under a term without labels: its type is open and follows the other operands. `...`
    /// covers no axis of it.
    Number,
    /// A term of labels alone.
    Labels,
    /// A term with `...`, whose axes are to be known as well.
    Ellipsis,
}

impl Bind {
    pub(crate) fn of(operand: &Operand, term: &[Label]) -> Bind {
        match has_ellipsis(term) {
            _ if named(term) == 0 && operand.is_number() => Bind::Number,
            true => Bind::Ellipsis,
            false => Bind::Labels,
        }
    }
}

/// One `let` an operand; then what is known of labels that have stood before.
fn binds<'a>(call: &'a Call, labels: &'a Labels, place: Span) -> (TokenStream, Axes<'a>) {
    let mut lets = TokenStream::new();
    let lists = call.equation.as_ref().map_or(&[][..], |e| &e.lists);
    let mut axes = Axes::new(labels, place, lists);
    for (i, (operand, term)) in call.operands.iter().zip(&labels.inputs).enumerate() {
        let at = Span::mixed_site().located_at(operand.span);
        let (op, bind) = (local(i, at), Bind::of(operand, term));
        let bound = bound(bind, term, &call.operands[..i], at);
        // `...` covers no axis of a number.
        let term = if bind == Bind::Number {
            &[]
        } else {
            term.as_slice()
        };
        let (pattern, joins) = axes.of_term(term);
        lets.extend(quote_spanned!(place=> let (#op #pattern) = #bound; #joins));
    }
    (lets, axes)
}

/// What binds the operand behind `before`: all of it has the operand's place.
pub(crate) fn bound(bind: Bind, term: &[Label], before: &[Operand], at: Span) -> TokenStream {
    let i = before.len();
    let after_numbers = i > 0 && before.iter().all(Operand::is_number);
    let op = local(i, at);
    let before = (i > 0).then(|| {
        let before = local(i - 1, at);
        quote_spanned!(at=> , &#before)
    });
    let function = |name: String| {
        let behind = if i > 0 { "_as" } else { "" };
        Ident::new(&format!("{name}{behind}"), at)
    };
    match bind {
        Bind::Number => {
            let function = match after_numbers {
                true => Ident::new("bind_number_like", at),
                false => function(String::from("bind_number")),
            };
            quote_spanned!(at=> #function(#op #before))
        }
        Bind::Labels if term.len() > FLAT => {
            let function = function(String::from("bind"));
            let all = number(term.len() as u64);
            quote_spanned!(at=> Many::<#all>::#function(#op #before))
        }
        Bind::Labels => {
            let function = function(format!("bind{}", term.len()));
            quote_spanned!(at=> #function(#op #before))
        }
        Bind::Ellipsis => {
            let function = function(String::from("bind"));
            let before_dots = term.iter().take_while(|l| **l != ELLIPSIS).count() as u64;
            let all = named(term);
            let behind_dots = number(all - before_dots);
            let (all, before_dots) = (number(all), number(before_dots));
            quote_spanned!(at=> Ellipsis::<#all, #before_dots, #behind_dots>::#function(#op #before))
        }
    }
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

/// Number of labels of a term, `...` not counted.
pub(crate) fn named(term: &[Label]) -> u64 {
    term.iter().filter(|l| **l != ELLIPSIS).count() as u64
}
