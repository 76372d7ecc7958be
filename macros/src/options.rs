//! The options of a call: `name = value` after the operands, in any order.

mod algebra;
mod hints;
mod order;

use cteinsum_plan::Cost;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use crate::errors::{Errors, nearest};
use crate::notation::Equation;
use crate::tokens::{is_punct, span_of};
pub(crate) use algebra::by;
pub(crate) use hints::SizeHint;
pub(crate) use order::OrderOption;

/// The names of the options.
const NAMES: [&str; 11] = [
    "acc",
    "algebra",
    "order",
    "minimize",
    "sizes",
    "max_intermediate",
    "explain",
    "engine",
    "out",
    "alpha",
    "beta",
];
/// The options of `einsum_vjp!`.
const DERIVATIVE: [&str; 2] = ["wrt", "transpose"];
/// Those of them whose values are expressions.
const EXPRESSIONS: &[&str] = NAMES.split_at(7).1;
/// What other libraries call an option of ours.
const ELSEWHERE: [(&str, &str); 8] = [
    ("dtype", "acc"),
    ("preferred_element_type", "acc"),
    ("semiring", "algebra"),
    ("optimize", "order"),
    ("optimizer", "order"),
    ("path", "order"),
    ("memory_limit", "max_intermediate"),
    ("size_dict", "sizes"),
];
const LIST: &str = "the options are `order = …`, `minimize = …`, `sizes = […]`, `max_intermediate = …`, \
    `explain = true`, `acc = …`, `algebra = …`, `engine = …`, `out = …`, `alpha = …` and `beta = …`";

/// The options given.
#[derive(Debug, Default)]
pub(crate) struct Options {
    seen: Vec<String>,
    /// The order, if it was given and could be read, and where.
    pub(crate) order: Option<(OrderOption, Span)>,
    /// The algebra: its path, and where that stands.
    pub(crate) algebra: Option<(TokenStream, Span)>,
    /// The type to add up in, and where that stands.
    pub(crate) acc: Option<(TokenStream, Span)>,
    /// What to make small.
    pub(crate) cost: Option<Cost>,
    /// Sizes that labels are expected to have.
    pub(crate) sizes: Vec<SizeHint>,
    /// The most elements of an intermediate, and where that stands.
    pub(crate) max_intermediate: Option<(u64, Span)>,
    /// Whether to print the plan, and where that stands.
    pub(crate) explain: Option<(bool, Span)>,
    /// The options of derivatives, as written.
    pub(crate) derivative: Vec<(Ident, Vec<TokenTree>)>,
    /// The options whose values are expressions, as written: they are evaluated in this order.
    pub(crate) values: Vec<Value>,
}

/// An option whose value is an expression.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) name: &'static str,
    pub(crate) expr: TokenStream,
    pub(crate) span: Span,
    name_span: Span,
    /// The expression is a borrow as it stands: the array on the left of an equation.
    pub(crate) borrowed: bool,
}

#[cfg(feature = "gradient")]
impl Value {
    /// Where the name of the option stands.
    pub(crate) fn name_span(&self) -> Span {
        self.name_span
    }
}

/// Takes `name = value` apart; `None` for an operand.
pub(crate) fn split(argument: &[TokenTree]) -> Option<(Ident, Vec<TokenTree>)> {
    let [TokenTree::Ident(name), equals, value @ ..] = argument else {
        return None;
    };
    // `a == b` and `a => b` are no options.
    let longer = value
        .first()
        .is_some_and(|t| is_punct(t, '=') || is_punct(t, '>'));
    let glued = matches!(equals, TokenTree::Punct(p) if p.spacing() == proc_macro2::Spacing::Joint);
    (is_punct(equals, '=') && !(longer && glued)).then(|| (name.clone(), value.to_vec()))
}

/// What to say of an option without its value; `None` for anything else.
pub(crate) fn bare(argument: &[TokenTree]) -> Option<String> {
    let [TokenTree::Ident(name)] = argument else {
        return None;
    };
    let word = name.to_string();
    let value = match word.as_str() {
        "explain" | "transpose" => "true",
        word if NAMES.contains(&word) || DERIVATIVE.contains(&word) => "…",
        _ => return None,
    };
    Some(format!(
        "an option has a value: did you mean `{word} = {value}`?"
    ))
}

impl Options {
    /// Whether any option was given, well-formed or not.
    pub(crate) fn any(&self) -> bool {
        !self.seen.is_empty()
    }

    /// The value of an option that is an expression.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|value| value.name == name)
    }

    /// What only all options together show: a factor needs something to scale.
    pub(crate) fn check(&self, errors: &mut Errors) {
        if self.seen.iter().any(|name| name == "out") {
            return;
        }
        for value in self
            .values
            .iter()
            .filter(|v| v.name == "alpha" || v.name == "beta")
        {
            let message = format!(
                "option `{}` needs `out = …`\n`out = &mut c, alpha = …, beta = …` makes `c` alpha · einsum + beta · c",
                value.name
            );
            errors.push(value.name_span, message);
        }
    }

    /// Refuses the options of derivatives where there are none.
    pub(crate) fn no_derivative(&self, errors: &mut Errors) {
        for (name, _) in &self.derivative {
            errors.push(
                name.span(),
                format!("option `{name}` is one of `einsum_vjp!`"),
            );
        }
    }

    /// The output of an equation, before the values of options; and what goes with it.
    pub(crate) fn of_equation(&mut self, equation: &Equation, errors: &mut Errors) {
        if self.algebra.is_some() {
            algebra::check(equation, errors);
        }
        for value in &self.values {
            let message = match (value.name, &equation.place) {
                ("out", _) => String::from(
                    "the array on the left is the output\nwrite `c[i, k] = …` without `out = …`",
                ),
                ("alpha" | "beta", None) => format!(
                    "option `{}` needs an array on the left: `c[i, k] = …`",
                    value.name
                ),
                ("beta", Some(place)) if place.accumulates => String::from(
                    "`+=` and `-=` keep what the array holds, so that `beta` is 1\nwrite `=` with `beta = …`",
                ),
                _ => continue,
            };
            errors.push(value.name_span, message);
        }
        self.values.retain(|value| value.name != "out");
        let Some(place) = &equation.place else { return };
        let expr = &place.expr;
        let at = Span::mixed_site().located_at(place.span);
        let expr = if equation.borrows_by_method() {
            quote_spanned!(at=> #expr.__einsum_place())
        } else {
            quote_spanned!(at=> &mut #expr)
        };
        let value = Value {
            name: "out",
            expr,
            span: place.span,
            name_span: place.span,
            borrowed: true,
        };
        self.values.insert(0, value);
    }

    pub(crate) fn add(&mut self, name: &Ident, value: Vec<TokenTree>, errors: &mut Errors) {
        let word = name.to_string();
        let repeated = self.seen.contains(&word);
        self.seen.push(word.clone());
        let of_derivatives = DERIVATIVE.contains(&word.as_str());
        if !NAMES.contains(&word.as_str()) && !of_derivatives {
            return errors.push(name.span(), unknown(&word));
        }
        if repeated {
            return errors.push(name.span(), format!("option `{word}` is given twice"));
        }
        if of_derivatives {
            return self.derivative.push((name.clone(), value));
        }
        let name_span = name.span();
        let span = span_of(&value);
        if let Some(name) = EXPRESSIONS.iter().find(|n| **n == word) {
            let expr = value.into_iter().collect();
            self.values.push(Value {
                name,
                expr,
                span,
                name_span,
                borrowed: false,
            });
            return;
        }
        match word.as_str() {
            "acc" => self.acc = algebra::accumulator(value, errors).map(|path| (path, span)),
            "algebra" => self.algebra = algebra::path(value, errors).map(|path| (path, span)),
            "minimize" => self.cost = hints::cost(&value, errors),
            "sizes" => self.sizes = hints::sizes(&value, errors).unwrap_or_default(),
            "max_intermediate" => {
                self.max_intermediate = hints::elements(&value, errors).map(|n| (n, span));
            }
            "explain" => self.explain = hints::flag(&value, errors).map(|flag| (flag, span)),
            _ => self.order = order::parse(&value, errors).map(|order| (order, span)),
        }
    }
}

fn unknown(word: &str) -> String {
    if word == "conj" {
        return format!("unknown option `{word}`: conjugate an operand as `conj(&a)`\n{LIST}");
    }
    let meant = ELSEWHERE
        .iter()
        .find_map(|(theirs, ours)| (*theirs == word).then_some(*ours))
        .or_else(|| nearest(word, &NAMES));
    match meant {
        Some(meant) => format!("unknown option `{word}`: did you mean `{meant}`?\n{LIST}"),
        None => format!("unknown option `{word}`\n{LIST}"),
    }
}

#[cfg(test)]
mod tests;
