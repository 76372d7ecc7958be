//! The tokens of a call: a match that binds the operands, one constant, one call.
//!
//! Names and places:
//! - Locals have mixed-site hygiene: they never meet the user's. Items have none, so the `use` stands inside of the
//!   match arm, where no expression of the user's is.
//! - What binds an operand has the place of that operand, path and argument alike: rustc then reports a wrong rank
//!   there, and only there. Everything else has the place of the subscripts.

use cteinsum_plan::{ELLIPSIS, Label};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::call::{Call, Operand};
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
    let mut uses = vec!["Rank", "Spec", "raw"];
    let spec = constant(planned, &mut uses, place);
    let binds = binds(call, planned, place);
    let run = run(call, planned, mode, &mut uses, place);
    uses.sort_unstable();
    let uses = uses.iter().map(|name| Ident::new(name, place));
    let body = quote_spanned! {place=>
        use #krate::__private::{#(#uses),*};
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
                let function = Ident::new(name, site);
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
fn constant(planned: &Planned, uses: &mut Vec<&'static str>, place: Span) -> TokenStream {
    let doc = &planned.doc;
    let text = &planned.text;
    if planned.has_ellipsis() {
        uses.push("ELLIPSIS");
    }
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
    let tree = planned.tree.iter().map(|(a, b)| {
        let (a, b) = (number(*a), number(*b));
        quote_spanned!(place=> (#a, #b))
    });
    quote_spanned! {place=>
        #[doc = #doc]
        const SPEC: Spec = Spec::new(#text, &[#(#inputs),*], #output, &[#(#tree),*]);
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

/// One `let` an operand.
fn binds(call: &Call, planned: &Planned, place: Span) -> TokenStream {
    let mut lets = TokenStream::new();
    let mut dots = false;
    for (i, (operand, term)) in call.operands.iter().zip(&planned.inputs).enumerate() {
        let at = Span::mixed_site().located_at(operand.span);
        let op = local(i, at);
        let rank = number(named(term));
        let bind = Bind::of(operand, term);
        let ellipsis = bind == Bind::Ellipsis;
        let kind = match bind {
            Bind::Number => "_number",
            Bind::Labels => "",
            Bind::Ellipsis => "_ellipsis",
        };
        let method = format!("bind{kind}{}", if i == 0 { "" } else { "_as" });
        let method = Ident::new(&method, at);
        let first = (i > 0).then(|| {
            let first = local(0, at);
            quote_spanned!(at=> , &#first)
        });
        let bind = quote_spanned!(at=> Rank::<#rank>::#method(#op #first));
        lets.extend(match (ellipsis, dots) {
            (false, _) => quote_spanned!(place=> let #op = #bind;),
            (true, false) => quote_spanned!(place=> let (#op, dots) = #bind;),
            (true, true) => {
                quote_spanned!(place=> let (#op, more) = #bind; let dots = dots.join(more);)
            }
        });
        dots |= ellipsis;
    }
    lets
}

/// The call of the engine.
fn run(
    call: &Call,
    planned: &Planned,
    mode: Mode,
    uses: &mut Vec<&'static str>,
    place: Span,
) -> TokenStream {
    let rank = number(named(&planned.output));
    let terms = call.operands.iter().zip(&planned.inputs);
    let dots_in = terms
        .map(|(operand, term)| Bind::of(operand, term))
        .any(|b| b == Bind::Ellipsis);
    let dots_out = has_ellipsis(&planned.output);
    let dots = (dots_in && dots_out).then(|| quote_spanned!(place=> dots,));
    let check = (dots_in && !dots_out).then(|| {
        uses.push("covers_nothing");
        quote_spanned!(place=> covers_nothing(dots);)
    });
    let operands = (0..call.operands.len()).map(|i| local(i, place));
    let operands = quote_spanned!(place=> &[#(raw(&#operands)),*]);
    let options = &call.options;
    let engine = options
        .value("engine")
        .map(|_| quote_spanned!(place=> engine,));
    let method = |what: &str| {
        let fallible = if mode == Mode::Try { "try_" } else { "" };
        let given = if engine.is_some() { "_in" } else { "" };
        Ident::new(&format!("{fallible}{what}{given}"), place)
    };
    let Some(out) = options.value("out") else {
        let method = method(if dots.is_some() {
            "contract_ellipsis"
        } else {
            "contract"
        });
        return quote_spanned! {place=>
            #check
            Rank::<#rank>::#method(#engine #dots &SPEC, #operands)
        };
    };
    let at = Span::mixed_site().located_at(out.span);
    let (output, first) = (Ident::new("out", at), local(0, at));
    let bind = Ident::new(
        if dots.is_some() {
            "bind_out_ellipsis"
        } else {
            "bind_out"
        },
        at,
    );
    let bound = quote_spanned!(at=> Rank::<#rank>::#bind(#dots &#first, #output));
    let contract = method("contract_into");
    uses.push("raw_mut");
    uses.push(match (mode, engine.is_some()) {
        (Mode::Panic, false) => "contract_into",
        (Mode::Panic, true) => "contract_into_in",
        (Mode::Try, false) => "try_contract_into",
        (Mode::Try, true) => "try_contract_into_in",
    });
    let mut factor = |name: &'static str, neutral: &'static str| {
        let (name, call) = match options.value(name) {
            Some(_) => (name, None),
            None => {
                uses.push(neutral);
                (neutral, Some(quote_spanned!(place=> ())))
            }
        };
        let name = Ident::new(name, place);
        quote_spanned!(place=> #name #call)
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
