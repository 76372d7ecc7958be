//! The operands in the frame of a call: evaluated once, each bound to a local at the place where it stands.

use cteinsum_plan::{ELLIPSIS, Label};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use crate::axes::{Axes, FLAT};
use crate::call::{Call, Operand};
use crate::constant::number;
use crate::notation::{Equation, Scalar};
use crate::plan::{Labels, has_ellipsis};

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
pub(crate) fn binds<'a>(
    call: &'a Call,
    labels: &'a Labels,
    place: Span,
) -> (TokenStream, Axes<'a>) {
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

/// Number of labels of a term, `...` not counted.
pub(crate) fn named(term: &[Label]) -> u64 {
    term.iter().filter(|l| **l != ELLIPSIS).count() as u64
}
