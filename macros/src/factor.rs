//! The factors of terms: what the scalars of an equation and the option `alpha` make of `alpha`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::bind::scalar_local;
use crate::call::Call;
use crate::notation::{Term, Value};
use crate::options::by;

/// By term; `None` for 1.
pub(crate) fn alphas(call: &Call, terms: usize, place: Span) -> Vec<Option<TokenStream>> {
    let given = call.options.value("alpha");
    let given = given.map(|value| Ident::new("alpha", at(value.span)).into_token_stream());
    match &call.equation {
        None => vec![given; terms],
        Some(equation) => {
            let times = by(call, place).map_or_else(
                || quote_spanned!(place=> times),
                |by| quote_spanned!(place=> #by.times),
            );
            let of_term = |term| alpha(term, given.clone(), &times, place);
            equation.terms.iter().map(of_term).collect()
        }
    }
}

/// The place of a factor, for the local that it is: a type that does not fit is reported there.
pub(crate) fn at(factor: Span) -> Span {
    Span::mixed_site().located_at(factor)
}

/// The product of what is given and of the factors, in the order in which they are written.
fn alpha(
    term: &Term,
    given: Option<TokenStream>,
    times: &TokenStream,
    place: Span,
) -> Option<TokenStream> {
    let mut alpha = given;
    for factor in &term.factors {
        let value = match &factor.value {
            Value::Literal(literal) => literal.to_token_stream(),
            Value::Scalar(scalar) => scalar_local(*scalar, at(factor.span)).into_token_stream(),
        };
        let at = at(factor.span);
        alpha = Some(match (alpha, factor.divides) {
            (None, false) => value,
            (None, true) => quote_spanned!(at=> over(one(), #value)),
            (Some(alpha), false) => quote_spanned!(place=> #times(#alpha, #value)),
            (Some(alpha), true) => quote_spanned!(at=> over(#alpha, #value)),
        });
    }
    if term.negative {
        let alpha = alpha.unwrap_or_else(|| quote_spanned!(place=> one()));
        return Some(quote_spanned!(place=> negative(#alpha)));
    }
    alpha
}
