//! The macros for derivatives: `einsum_vjp!`, whose arguments are those of `einsum!`, and `einsum_jvp!`, whose operands
//! are pairs.

mod request;
mod rooms;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::axes::{Axes, output_axes};
use crate::bind::{Bind, bind_all, bound, local, named};
use crate::call::{self, Call, Operand};
use crate::check::check;
use crate::constant::{call_site, constant, number, spec_name};
use crate::emit::Mode;
use crate::errors::Errors;
use crate::plan::{Labels, Planned, has_ellipsis, plan};
use crate::tokens::{is_ident, split_commas};
use cteinsum_plan::{ELLIPSIS, Label};
use request::Request;
use rooms::rooms;

/// One of the values that a call borrows.
#[derive(Clone, Copy)]
struct Role {
    /// The term of it.
    term: usize,
    tangent: bool,
}

/// Expands `einsum_vjp!`.
pub(crate) fn vjp(input: TokenStream, mode: Mode) -> TokenStream {
    let (mut errors, mut of_arguments) = (Errors::default(), Errors::default());
    let call = call::parse(input, &mut of_arguments);
    let request = Request::read(&call, &mut of_arguments);
    let roles = (0..call.operands.len()).map(|term| Role {
        term,
        tangent: false,
    });
    let roles: Vec<Role> = roles.collect();
    let planned = planned(&call, &mut errors, of_arguments);
    let (Some((planned, place)), Some(request), true) = (planned, request, errors.is_empty())
    else {
        return reject(&call, errors);
    };
    let place = Span::mixed_site().located_at(place);
    emit(
        &call,
        &planned,
        &roles,
        place,
        |parts| {
            let Parts {
                engine,
                last,
                axes,
                raws,
                labels,
                types,
                ..
            } = parts;
            let function = function(mode, "vjp", place);
            let wrt = request.wrt.iter().map(|&p| number(p as u64));
            let like = |p: usize| self::like(p, place);
            let asked = request.wrt.iter().map(|&p| like(p));
            let transpose = request.transpose;
            if types {
                let count = labels.inputs.len();
                let all: Vec<_> = (0..count).map(like).collect();
                // A number's type may still be open, and has no lengths to ask for.
                let lengths = (0..count)
                    .filter(|p| !labels.inputs[*p].is_empty())
                    .map(like);
                let operands = (0..count).map(|i| local(i, place));
                let rooms = rooms(&planned, labels, &request.wrt, like, place);
                let call = quote_spanned! {place=>
                    constancy((#(#lengths,)*)).#function(
                        Call,
                        (#(&#operands,)*),
                        #axes,
                        (#(#asked,)*),
                        ((#(#all,)*), #rooms),
                        |backward, dy| pull(backward, dy),
                    )
                };
                return match mode {
                    Mode::Panic => quote_spanned! {place=>
                        let (y, kept) = #call;
                        (y, kept.into_pullback())
                    },
                    Mode::Try => quote_spanned! {place=>
                        #call.map(|(y, kept)| (y, kept.into_pullback()))
                    },
                };
            }
            let like = asked;
            quote_spanned! {place=>
                #function(
                    #engine,
                    &#last,
                    #axes,
                    (#(#like,)*),
                    Request { spec: &SPEC, wrt: &[#(#wrt),*], transpose: #transpose },
                    &[#(#raws),*],
                    |backward, dy| pull(backward, dy),
                )
            }
        },
        Some(&request),
    )
}

/// The operands whose gradients a plan is asked for by `wrt`.
#[cfg(feature = "report")]
pub(crate) fn of_plan(call: &Call, operands: usize, errors: &mut Errors) -> Vec<usize> {
    match call.options.derivative.is_empty() {
        true => Vec::new(),
        false => Request::options(call, operands, errors).wrt,
    }
}

/// Expands `einsum_jvp!`.
pub(crate) fn jvp(input: TokenStream, mode: Mode) -> TokenStream {
    let (mut errors, mut of_arguments) = (Errors::default(), Errors::default());
    let mut call = call::parse(input, &mut of_arguments);
    request::refuse(&call, &mut of_arguments);
    let mut pairs = Vec::new();
    for operand in core::mem::take(&mut call.operands) {
        match pair(&operand) {
            Some(pair) => pairs.push(pair),
            None => {
                let notation = if call.equation.is_some() {
                    "[i, j]"
                } else {
                    ""
                };
                let message = format!(
                    "expected an operand and its tangent, as in `(a, da){notation}`, or `(a, _){notation}` if it is constant"
                );
                of_arguments.push(operand.span, message);
            }
        }
    }
    if !of_arguments.is_empty() {
        return reject(&call, of_arguments);
    }
    if !pairs.is_empty() && pairs.iter().all(|(_, tangent)| tangent.is_none()) {
        of_arguments.push(
            pairs[0].0.span,
            "every operand is constant, so the derivative is 0\ngive at least one of them a tangent: `(a, da)`",
        );
    }
    let mut roles = Vec::new();
    let (mut operands, mut all) = (Vec::new(), Vec::new());
    for (term, (operand, tangent)) in pairs.into_iter().enumerate() {
        roles.push(Role {
            term,
            tangent: false,
        });
        all.push(operand.clone());
        operands.push(operand);
        if let Some(tangent) = tangent {
            roles.push(Role {
                term,
                tangent: true,
            });
            all.push(tangent);
        }
    }
    call.operands = operands;
    let planned = planned(&call, &mut errors, of_arguments);
    call.operands = all;
    let (Some((planned, place)), true) = (planned, errors.is_empty()) else {
        return reject(&call, errors);
    };
    let place = Span::mixed_site().located_at(place);
    emit(
        &call,
        &planned,
        &roles,
        place,
        |parts| {
            let Parts {
                engine,
                last,
                axes,
                raws,
                tangents,
                along,
                types,
                ..
            } = parts;
            if types {
                let function = function(mode, "jvp_at", place);
                let operands = roles.iter().enumerate().filter(|(_, role)| !role.tangent);
                let operands = operands.map(|(i, _)| local(i, place));
                return quote_spanned!(place=> #function(Call, #axes, (#(&#operands,)*), (#(&#along,)*)));
            }
            let function = function(mode, "jvp", place);
            quote_spanned!(place=> #function(#engine, &#last, #axes, &SPEC, &[#(#raws),*], &[#(#tangents),*]))
        },
        None,
    )
}

/// `(a, da)` or `(a, _)`, taken apart.
fn pair(operand: &Operand) -> Option<(Operand, Option<Operand>)> {
    let [TokenTree::Group(group)] = operand.tokens() else {
        return None;
    };
    if group.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let [value, tangent] = <[Vec<TokenTree>; 2]>::try_from(split_commas(group.stream())).ok()?;
    if value.is_empty() || tangent.is_empty() {
        return None;
    }
    let constant = matches!(tangent.as_slice(), [only] if is_ident(only, "_"));
    let tangent = (!constant).then(|| Operand::new(tangent).conjugated(operand.conj));
    Some((Operand::new(value).conjugated(operand.conj), tangent))
}

/// Reads the subscripts and plans the order. All mistakes are in `errors` then, those of arguments last.
fn planned(call: &Call, errors: &mut Errors, of_arguments: Errors) -> Option<(Planned, Span)> {
    let (checked, _) = check(call, call.operands.len(), errors);
    errors.append(of_arguments);
    let mut planned = plan(call, &checked?, errors)?;
    let text = call.text.as_ref().map(|text| text.span());
    let place = text.or(call.equation.as_ref().map(|equation| equation.span))?;
    (planned.len() == 1).then(|| (planned.remove(0), place))
}

/// The messages; `compile_error!` is of every type, so that no others follow.
fn reject(call: &Call, errors: Errors) -> TokenStream {
    let errors = errors.into_compile_errors();
    if call.operands.is_empty() {
        return quote!({ #(#errors);* });
    }
    bind_all(call, quote!(#(#errors);*))
}

/// What stands in the call at the end of an expansion.
struct Parts<'a> {
    engine: TokenStream,
    last: Ident,
    axes: TokenStream,
    raws: Vec<TokenStream>,
    tangents: Vec<TokenStream>,
    /// By operand: its tangent, or itself if it has none.
    along: Vec<Ident>,
    labels: &'a Labels,
    /// Whether the types decide who computes it.
    types: bool,
}

/// Most operands whose lengths are asked whether they are all constants.
const MANY: usize = 8;

fn function(mode: Mode, name: &str, place: Span) -> Ident {
    let place = Span::mixed_site().located_at(place);
    let fallible = if mode == Mode::Try { "try_" } else { "" };
    Ident::new(&format!("{fallible}{name}"), place)
}

/// The local that says what the gradient of an operand is.
fn like(operand: usize, place: Span) -> Ident {
    Ident::new(&format!("g{operand}"), place)
}

/// As `emit` of `einsum!`: the operands are bound, one constant, one call.
fn emit(
    call: &Call,
    planned: &Planned,
    roles: &[Role],
    place: Span,
    run: impl FnOnce(Parts<'_>) -> TokenStream,
    request: Option<&Request>,
) -> TokenStream {
    let krate = &call.krate;
    let place = Span::mixed_site().located_at(place);
    let terms = core::slice::from_ref(planned);
    let labels = Labels::of(terms);
    let types = labels.inputs.len() <= MANY && call.options.value("engine").is_none();
    let spec = if types {
        let call = Ident::new("Call", place);
        call_site(&call, planned, &site(roles, request, place), place)
    } else {
        constant(&spec_name(terms, 0, place), planned, place)
    };
    let lists = call.equation.as_ref().map_or(&[][..], |e| &e.lists);
    let mut axes = Axes::new(&labels, place, lists);
    let mut lets = TokenStream::new();
    let (mut raws, mut tangents, mut along) = (Vec::new(), Vec::new(), Vec::new());
    let mut beside = TokenStream::new();
    let mut dots_in = false;
    for (i, (operand, role)) in call.operands.iter().zip(roles).enumerate() {
        let term = &labels.inputs[role.term];
        let at = Span::mixed_site().located_at(operand.span);
        let (op, bind) = (local(i, at), Bind::of(operand, term));
        let bound = bound(bind, term, &call.operands[..i], at);
        let here = local(i, place);
        if role.tangent {
            lets.extend(quote_spanned!(place=> let (#op, ..) = #bound;));
            tangents.pop();
            tangents.push(quote_spanned!(place=> Some(raw(&#here))));
            along.pop();
            along.push(here);
            continue;
        }
        if request.is_some_and(|request| types || request.wrt.contains(&i)) {
            let (like, rule) = (like(i, place), gradient(bind, term, &op, at));
            lets.extend(quote_spanned!(place=> let #like = #rule;));
        }
        let term = if bind == Bind::Number {
            &[]
        } else {
            term.as_slice()
        };
        let (pattern, joins) = axes.of_term(term);
        lets.extend(quote_spanned!(place=> let (#op #pattern) = #bound; #joins));
        if i == 0 {
            lets.extend(quote_spanned!(at=> differentiable(&#op);));
        }
        raws.push(quote_spanned!(place=> raw(&#here)));
        tangents.push(quote_spanned!(place=> None));
        along.push(here.clone());
        dots_in |= bind == Bind::Ellipsis;
        if bind == Bind::Labels && has_ellipsis(&labels.output) {
            beside.extend(quote_spanned!(place=> let dots = dots.beside(&#here);));
        }
    }
    let dots = dots_in && has_ellipsis(&labels.output);
    let check = (dots_in && !dots).then(|| quote_spanned!(place=> covers_nothing(dots);));
    let beside = dots.then_some(beside);
    let engine = match call.options.value("engine") {
        Some(_) => quote_spanned!(place=> Some(engine)),
        None => quote_spanned!(place=> None),
    };
    let run = run(Parts {
        engine,
        last: local(call.operands.len() - 1, place),
        axes: output_axes(&labels.output, dots, place),
        raws,
        tangents,
        along,
        labels: &labels,
        types,
    });
    let body = quote_spanned! {place=>
        use #krate::__private::*;
        #spec
        #lets
        #beside
        #check
        #run
    };
    bind_all(call, body)
}

/// The constants of a call beside its einsum.
fn site(roles: &[Role], request: Option<&Request>, place: Span) -> TokenStream {
    let varying = roles.iter().filter(|role| role.tangent);
    let wrt: Vec<usize> = match request {
        Some(request) => request.wrt.clone(),
        None => varying.map(|role| role.term).collect(),
    };
    let wrt = wrt.iter().map(|&p| number(p as u64));
    let transpose = request.is_some_and(|request| request.transpose);
    let transpose = transpose.then(|| quote_spanned!(place=> const TRANSPOSE: Switch = true;));
    quote_spanned!(place=> const WRT: Numbers = &[#(#wrt),*]; #transpose)
}

/// What says which array the gradient of an operand is: all of it has the operand's place.
fn gradient(bind: Bind, term: &[Label], op: &Ident, at: Span) -> TokenStream {
    let all = number(named(term));
    match bind {
        Bind::Number => quote_spanned!(at=> number_like(#op)),
        Bind::Labels if term.is_empty() => quote_spanned!(at=> like0(#op)),
        Bind::Labels => quote_spanned!(at=> Rank::<#all>::like(#op)),
        Bind::Ellipsis => {
            let before = term.iter().take_while(|l| **l != ELLIPSIS).count() as u64;
            let behind = number(named(term) - before);
            let before = number(before);
            quote_spanned!(at=> Ellipsis::<#all, #before, #behind>::like(#op))
        }
    }
}
