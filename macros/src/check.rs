//! The text of the subscripts, read and checked against the number of operands.

use cteinsum_plan::{Checked, Diagnostic, Mistake, Subscripts, Term};
use proc_macro2::Span;

use crate::call::Call;
use crate::errors::Errors;
use crate::literal::SpecText;

/// The checked einsum, if the text has no mistake, and the number of labels of its output term, if that can be read.
///
/// The second does not count an output with `...`: its rank follows from the operands.
pub(crate) fn check(call: &Call, errors: &mut Errors) -> (Option<Checked>, Option<usize>) {
    let Some(text) = &call.text else {
        return (None, None);
    };
    let (subscripts, mistakes) = Subscripts::diagnose(&text.value, call.operands.len());
    let dots = |term: &Term| term.items.iter().any(|item| item.ellipsis);
    let dots_in = subscripts.inputs().iter().any(dots);
    let dots_out = subscripts.output().is_none_or(dots);
    let rank = subscripts.output_rank().filter(|_| !(dots_in && dots_out));
    if mistakes.is_empty() {
        return (subscripts.check().ok(), rank);
    }
    for mistake in mistakes {
        errors.push(place(&mistake, call, text), mistake.render(&text.value));
    }
    (None, rank)
}

/// Where the mistake is: in the text, or at the first operand that has no term.
fn place(diagnostic: &Diagnostic, call: &Call, text: &SpecText) -> Span {
    match diagnostic.mistake {
        Mistake::OperandCount { terms, operands } if operands > terms => call.operands[terms].span,
        _ => text.subspan(diagnostic.span.start..diagnostic.span.end),
    }
}
