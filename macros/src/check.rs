//! The text of the subscripts, read and checked against the number of operands; or an equation's terms.

use cteinsum_plan::{Checked, Diagnostic, Mistake, Subscripts, Term};
use proc_macro2::Span;

use crate::call::{Call, Operand};
use crate::errors::{Errors, nearest};
use crate::literal::SpecText;
use crate::notation::{Equation, List};

/// The checked einsums, one a term of an equation, if there is no mistake, and the number of labels of the output, if
/// that can be read.
///
/// The second does not count an output with `...`: its rank follows from the operands.
pub(crate) fn check(
    call: &Call,
    operands: usize,
    errors: &mut Errors,
) -> (Option<Vec<Checked>>, Option<usize>) {
    if let Some(equation) = &call.equation {
        return of_equation(equation, &call.operands, errors);
    }
    let Some(text) = &call.text else {
        return (None, None);
    };
    let (subscripts, mistakes) = Subscripts::diagnose(&text.value, operands);
    let dots = |term: &Term| term.items.iter().any(|item| item.ellipsis);
    let dots_in = subscripts.inputs().iter().any(dots);
    let dots_out = subscripts.output().is_none_or(dots);
    let rank = subscripts.output_rank().filter(|_| !(dots_in && dots_out));
    if mistakes.is_empty() {
        return (subscripts.check().ok().map(|checked| vec![checked]), rank);
    }
    let mut together = false;
    for mistake in mistakes {
        match (&mistake.mistake, call.operands.as_slice()) {
            (Mistake::OperandCount { terms, .. }, [operand]) if *terms > 1 => {
                if let Some(parts) = operand.parts().filter(|parts| parts.len() == *terms) {
                    let message = format!(
                        "the {terms} operands are given as one argument\neach is an argument of its own: `einsum!(…, {})`",
                        parts.join(", ")
                    );
                    errors.push(operand.span, message);
                    together = true;
                    continue;
                }
            }
            _ => {}
        }
        errors.push(place(&mistake, call, text), mistake.render(&text.value));
    }
    // What stands for the operands has a type that would only be complained of once more.
    (None, rank.filter(|_| !together))
}

/// As many operands as the text has terms, for a plan.
#[cfg(feature = "report")]
pub(crate) fn terms(call: &Call) -> usize {
    let text = call.text.as_ref().map_or("", |text| &text.value);
    Subscripts::parse_lossy(text).0.inputs().len()
}

/// The same for index notation, where the label itself has a place and needs no picture.
fn of_equation(
    equation: &Equation,
    operands: &[Operand],
    errors: &mut Errors,
) -> (Option<Vec<Checked>>, Option<usize>) {
    let dots_in = equation.lists.iter().any(List::has_dots);
    let output = &equation.output;
    let rank = (!(dots_in && output.has_dots())).then(|| output.rank());
    let known: Vec<&str> = equation.lists.iter().flat_map(List::names).collect();
    let before = errors.len();
    let mut checked = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for term in &equation.terms {
        let mistakes = match term.text.subscripts.check() {
            Ok(term) => {
                checked.push(term);
                continue;
            }
            Err(mistakes) => mistakes,
        };
        for mistake in mistakes {
            let (place, message) = (term.text.span(mistake.span), mistake.message());
            let place = place.unwrap_or(equation.span);
            let Mistake::UnknownOutputLabel { label } = &mistake.mistake else {
                errors.push(place, message);
                continue;
            };
            if known.contains(&label.as_str()) {
                let message = format!(
                    "output label `{label}` is not in this term\n\
                     every term of a sum has all labels of the result"
                );
                errors.push(term.span, message);
            } else if !told.contains(label) {
                let free = known
                    .iter()
                    .filter(|name| !output.names().any(|o| o == **name));
                let one_each = operands.iter().any(|operand| operand.is_indexed_by(label));
                let help = match nearest(label, &free.copied().collect::<Vec<_>>()) {
                    _ if one_each => Some(String::from(
                        "all indices of an operand stand in one pair of brackets: `a[i, j]`",
                    )),
                    Some(meant) if label.chars().nth(1).is_some() => {
                        Some(format!("did you mean `{meant}`?"))
                    }
                    _ => mistake.help().map(String::from),
                };
                let help = help.map_or_else(String::new, |help| format!("\n{help}"));
                errors.push(place, message + &help);
                told.push(label.clone());
            }
        }
    }
    ((errors.len() == before).then_some(checked), rank)
}

/// Where the mistake is: in the text, or at the first operand that has no term.
fn place(diagnostic: &Diagnostic, call: &Call, text: &SpecText) -> Span {
    match diagnostic.mistake {
        Mistake::OperandCount { terms, operands } if operands > terms => call.operands[terms].span,
        _ => text.subspan(diagnostic.span.start..diagnostic.span.end),
    }
}
