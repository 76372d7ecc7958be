//! `algebra = …`: one of the library's by its name, or the path of another.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::call::Call;
use crate::errors::Errors;
use crate::notation::Equation;
use crate::tokens::{flatten, is_punct, span_of};

/// Those that come with the library.
const BUILT_IN: [&str; 5] = ["MaxPlus", "MinPlus", "MaxMul", "BoolOr", "Count"];

/// The path as written; on a mistake, says so.
pub(super) fn path(value: Vec<TokenTree>, errors: &mut Errors) -> Option<TokenStream> {
    let tokens = flatten(value.clone());
    let span = span_of(&value);
    if !cfg!(feature = "algebras") {
        errors.push(
            span,
            "option `algebra` needs the feature `algebras` of cteinsum",
        );
        return None;
    }
    if !is_path(&tokens) {
        let message = "expected an algebra: `MaxPlus`, `MinPlus`, `MaxMul`, `BoolOr`, `Count`, or the path of a type \
            that implements `cteinsum::algebra::Algebra`";
        errors.push(span, message);
        return None;
    }
    if let [TokenTree::Ident(word)] = tokens.as_slice()
        && let Some(meant) = misspelt(&word.to_string())
    {
        errors.push(
            span,
            format!("unknown algebra `{word}`: did you mean `{meant}`?"),
        );
        return None;
    }
    Some(value.into_iter().collect())
}

/// Whether this can be the path of a type.
fn is_path(tokens: &[TokenTree]) -> bool {
    let in_path = |t: &TokenTree| match t {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(p) => ":<>,$".contains(p.as_char()),
        // Generic arguments.
        _ => tokens.iter().any(|t| is_punct(t, '<')),
    };
    let starts =
        |t: &TokenTree| matches!(t, TokenTree::Ident(_)) || is_punct(t, ':') || is_punct(t, '$');
    tokens.first().is_some_and(starts) && tokens.iter().all(in_path)
}

/// What stands behind `acc =`: a type.
pub(super) fn accumulator(value: Vec<TokenTree>, errors: &mut Errors) -> Option<TokenStream> {
    let is_path = is_path(&flatten(value.clone()));
    if !is_path {
        let message = "expected the type to add up in, such as `i32` or `f64`";
        errors.push(span_of(&value), message);
    }
    is_path.then(|| value.into_iter().collect())
}

/// What differs from one of the names in case and underscores alone: no name of a type.
fn misspelt(word: &str) -> Option<&'static str> {
    let plain = word.replace('_', "");
    let meant = BUILT_IN
        .into_iter()
        .find(|name| name.eq_ignore_ascii_case(&plain))?;
    (meant != word).then_some(meant)
}

/// What an equation cannot say in an algebra.
pub(super) fn check(equation: &Equation, errors: &mut Errors) {
    for term in &equation.terms {
        if term.negative {
            errors.push(
                term.span,
                "an algebra has no `-`\nwrite a factor of its own instead: in `MaxPlus` it is added to the product",
            );
        }
        for factor in term.factors.iter().filter(|factor| factor.divides) {
            errors.push(
                factor.span,
                "an algebra has no `/`\nmultiply by the inverse",
            );
        }
    }
}

/// What stands for the algebra in an expansion, if one is asked for.
pub(crate) fn by(call: &Call, place: Span) -> Option<TokenStream> {
    let (path, span) = call.options.algebra.as_ref()?;
    let krate = &call.krate;
    let at = place.located_at(*span);
    let mut tokens = flatten(path.clone()).into_iter();
    let path = match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(word)), None) if BUILT_IN.contains(&word.to_string().as_str()) => {
            let word = Ident::new(&word.to_string(), *span);
            quote_spanned!(at=> #krate::algebra::#word)
        }
        _ => quote!(#path),
    };
    Some(quote_spanned!(at=> by::<#path>()))
}
