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

use crate::axes::{Axes, output_axes};
use crate::call::{Call, Operand};
use crate::choice::choice;
use crate::plan::{Planned, has_ellipsis};

/// Which macro was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `einsum!`: panics if the sizes do not fit.
    Panic,
    /// `try_einsum!`: returns a `Result`.
    Try,
}

/// The expansion of a call without mistakes.
pub(crate) fn emit(call: &Call, planned: &Planned, mode: Mode, place: Span) -> TokenStream {
    let krate = &call.krate;
    let place = Span::mixed_site().located_at(place);
    let spec = constant(planned, place);
    let binds = binds(call, planned, place);
    let run = run(call, planned, mode, place);
    let body = quote_spanned! {place=>
        use #krate::__private::*;
        #spec
        #binds
        #run
    };
    bind_all(call, body)
}

/// `match (&a, &b) { (op0, op1) => { body } }`: every operand is evaluated once, in order, and its temporaries live
/// until the result is there; the values of options come last.
pub(crate) fn bind_all(call: &Call, body: TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let krate = &call.krate;
    let operands = call.operands.iter().map(|o| borrow(o, site));
    let values = call.options.values.iter().map(|value| {
        let expr = &value.expr;
        match value.name {
            // A function's argument, for the sake of implicit reborrowing and of rustc's message.
            name @ ("engine" | "out") => {
                let function = Ident::new(&format!("borrow_{name}"), site);
                quote_spanned!(site=> #krate::__private::#function(#expr))
            }
            _ => expr.clone(),
        }
    });
    let values: Vec<_> = operands.chain(values).collect();
    let names: Vec<_> = (0..call.operands.len())
        .map(|i| local(i, site))
        .chain(
            call.options
                .values
                .iter()
                .map(|value| Ident::new(value.name, site)),
        )
        .collect();
    if let ([value], [name]) = (values.as_slice(), names.as_slice()) {
        return quote_spanned!(site=> match (#value,) { (#name,) => { #body } });
    }
    quote_spanned!(site=> match (#(#values),*) { (#(#names),*) => { #body } })
}

/// `&operand`, with parentheses unless it is one token: `&` binds tighter than most operators.
fn borrow(operand: &Operand, site: Span) -> TokenStream {
    let expr = &operand.expr;
    if operand.is_atom() {
        quote_spanned!(site=> &#expr)
    } else {
        quote_spanned!(site=> &(#expr))
    }
}

/// The local name of an operand.
pub(crate) fn local(operand: usize, span: Span) -> Ident {
    Ident::new(&format!("op{operand}"), span)
}

/// The constant, under a line for the reader of the expansion.
fn constant(planned: &Planned, place: Span) -> TokenStream {
    let doc = &planned.doc;
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
    let value = if planned.inputs.len() > 2 {
        quote_spanned!(place=> Spec::new(#text, &[#(#inputs),*], #output, &[#(#tree),*]))
    } else {
        quote_spanned!(place=> spec(#text, &[#(#inputs),*], #output))
    };
    quote_spanned! {place=>
        #[doc = #doc]
        const SPEC: Spec = #value #choice;
    }
}

/// A number without a suffix.
pub(crate) fn number(n: impl Into<u64>) -> TokenTree {
    TokenTree::Literal(Literal::u64_unsuffixed(n.into()))
}

/// How an operand is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bind {
    /// A number as it stands under a term without labels: its type is open and follows the other operands. `...`
    /// covers no axis of it.
    Number,
    /// A term of labels alone.
    Labels,
    /// A term with `...`, whose axes are to be known as well.
    Ellipsis,
}

impl Bind {
    fn of(operand: &Operand, term: &[Label]) -> Bind {
        match has_ellipsis(term) {
            _ if named(term) == 0 && operand.is_number() => Bind::Number,
            true => Bind::Ellipsis,
            false => Bind::Labels,
        }
    }
}

/// One `let` an operand; then what is known of labels that have stood before.
fn binds(call: &Call, planned: &Planned, place: Span) -> TokenStream {
    let mut lets = TokenStream::new();
    let mut axes = Axes::new(planned, call.options.value("out").is_none(), place);
    for (i, (operand, term)) in call.operands.iter().zip(&planned.inputs).enumerate() {
        let at = Span::mixed_site().located_at(operand.span);
        let (op, bind) = (local(i, at), Bind::of(operand, term));
        let bound = bound(bind, term, i, at);
        // `...` covers no axis of a number.
        let term = if bind == Bind::Number {
            &[]
        } else {
            term.as_slice()
        };
        let (pattern, joins) = axes.of_term(term);
        lets.extend(quote_spanned!(place=> let (#op #pattern) = #bound; #joins));
    }
    lets
}

/// What binds an operand: all of it has the operand's place.
fn bound(bind: Bind, term: &[Label], i: usize, at: Span) -> TokenStream {
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
            let function = function(String::from("bind_number"));
            quote_spanned!(at=> #function(#op #before))
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

/// The call of the engine.
fn run(call: &Call, planned: &Planned, mode: Mode, place: Span) -> TokenStream {
    let mut terms = call.operands.iter().zip(&planned.inputs);
    let dots_in = terms.any(|(operand, term)| Bind::of(operand, term) == Bind::Ellipsis);
    let dots = dots_in && has_ellipsis(&planned.output);
    let check = (dots_in && !dots).then(|| quote_spanned!(place=> covers_nothing(dots);));
    let operands = (0..call.operands.len()).map(|i| local(i, place));
    let operands = quote_spanned!(place=> &[#(raw(&#operands)),*]);
    let last = call.operands.len() - 1;
    let options = &call.options;
    let engine = options
        .value("engine")
        .map(|_| quote_spanned!(place=> engine,));
    let function = |what: &str| {
        let fallible = if mode == Mode::Try { "try_" } else { "" };
        let given = if engine.is_some() { "_in" } else { "" };
        Ident::new(&format!("{fallible}{what}{given}"), place)
    };
    let Some(out) = options.value("out") else {
        let (contract, last) = (function("contract"), local(last, place));
        let axes = output_axes(&planned.output, dots, place);
        // An operand of any rank makes the rank of the result so, wherever `...` stands.
        let beside = (0..call.operands.len())
            .filter(|&i| dots && Bind::of(&call.operands[i], &planned.inputs[i]) == Bind::Labels)
            .map(|i| local(i, place))
            .map(|op| quote_spanned!(place=> let dots = dots.beside(&#op);));
        return quote_spanned! {place=>
            #(#beside)*
            #check
            #contract(#engine &#last, #axes, &SPEC, #operands)
        };
    };
    let at = Span::mixed_site().located_at(out.span);
    let rank = number(named(&planned.output));
    let (output, last) = (Ident::new("out", at), local(last, at));
    let (bind, dots) = if dots {
        ("bind_out_ellipsis", Some(quote_spanned!(at=> dots,)))
    } else {
        ("bind_out", None)
    };
    let bind = Ident::new(bind, at);
    let bound = quote_spanned!(at=> Rank::<#rank>::#bind(#dots &#last, #output));
    let contract = function("contract_into");
    let factor = |name: &'static str, neutral: &'static str| match options.value(name) {
        Some(_) => Ident::new(name, place).into_token_stream(),
        None => {
            let neutral = Ident::new(neutral, place);
            quote_spanned!(place=> #neutral())
        }
    };
    let (alpha, beta) = (factor("alpha", "one"), factor("beta", "zero"));
    quote_spanned! {place=>
        #check
        let mut out = #bound;
        #contract(#engine &SPEC, #operands, raw_mut(&mut out), #alpha, #beta)
    }
}

/// Number of labels of a term, `...` not counted.
fn named(term: &[Label]) -> u64 {
    term.iter().filter(|l| **l != ELLIPSIS).count() as u64
}
