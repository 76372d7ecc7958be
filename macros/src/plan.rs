//! Labels to a contraction tree: everything that the constant of an expansion holds.

use cteinsum_plan::{Checked, ELLIPSIS, Label, Order, OrderError, Request, Strategy};
use proc_macro2::Span;

use crate::call::Call;
use crate::errors::Errors;
use crate::explain::{explain, line};
use crate::options::SizeHint;

/// What is emitted for each term: no spans.
#[derive(Debug)]
pub(crate) struct Planned {
    /// One line about the einsum for the reader of the expansion.
    pub(crate) doc: String,
    pub(crate) text: String,
    /// By label.
    names: Vec<String>,
    pub(crate) inputs: Vec<Vec<Label>>,
    pub(crate) output: Vec<Label>,
    /// The order, as far as it is settled.
    pub(crate) strategy: Strategy,
}

/// The labels of a whole call: those of the output are the same in every term of a sum, the others are each term's own.
#[derive(Debug)]
pub(crate) struct Labels {
    /// By label.
    pub(crate) names: Vec<String>,
    /// By operand.
    pub(crate) inputs: Vec<Vec<Label>>,
    pub(crate) output: Vec<Label>,
}

impl Labels {
    pub(crate) fn of(terms: &[Planned]) -> Labels {
        let mut labels = Labels {
            names: terms[0].names.clone(),
            inputs: terms[0].inputs.clone(),
            output: terms[0].output.clone(),
        };
        for term in &terms[1..] {
            let mut numbers = Vec::with_capacity(term.names.len());
            for (label, name) in term.names.iter().enumerate() {
                let of_output = term.output.iter().position(|l| usize::from(*l) == label);
                numbers.push(of_output.map_or(labels.names.len() as Label, |at| labels.output[at]));
                if of_output.is_none() {
                    labels.names.push(name.clone());
                }
            }
            let number = |label: &Label| match *label {
                ELLIPSIS => ELLIPSIS,
                label => numbers[usize::from(label)],
            };
            let inputs = term.inputs.iter();
            labels
                .inputs
                .extend(inputs.map(|input| input.iter().map(number).collect()));
        }
        labels
    }
}

pub(crate) fn has_ellipsis(term: &[Label]) -> bool {
    term.contains(&ELLIPSIS)
}

/// Plans each term in the order that the call asks for; says what is wrong with that order otherwise.
pub(crate) fn plan(call: &Call, terms: &[Checked], errors: &mut Errors) -> Option<Vec<Planned>> {
    let options = &call.options;
    if let Some((order, span)) = &options.order
        && terms.len() > 1
        && order.spans().is_some()
    {
        errors.push(
            *span,
            "a path or tree is that of one product, and this is a sum\n\
            fix the order of each term by parentheses",
        );
        return None;
    }
    check_hints(&options.sizes, terms, errors)?;
    let terms = terms.iter().map(|term| plan_term(call, term, errors));
    terms.collect()
}

fn plan_term(call: &Call, checked: &Checked, errors: &mut Errors) -> Option<Planned> {
    let options = &call.options;
    if let Some((_, span)) = &options.order
        && checked.groups.is_some()
    {
        errors.push(
            *span,
            "the parentheses of the subscripts fix the order already\n\
            leave out `order = …`, or the parentheses",
        );
        return None;
    }
    let sizes = expected_sizes(&options.sizes, checked);
    let (order, place) = match &options.order {
        None => (Order::Auto, None),
        Some((order, span)) => (order.order(), Some((*span, order.spans()))),
    };
    let request = Request {
        order,
        cost: options.cost.unwrap_or_default(),
        max_intermediate: options.max_intermediate.map(|(limit, _)| limit),
        sizes,
    };
    match checked.strategy(&request) {
        Ok(strategy) => {
            check_limit(call, checked, &request, &strategy, errors)?;
            explain(call, checked, &request, &strategy, errors);
            Some(Planned {
                doc: format!(" {}", line(checked, &strategy)),
                text: checked.text.clone(),
                names: checked.names.clone(),
                inputs: checked.inputs.clone(),
                output: checked.output.clone(),
                strategy,
            })
        }
        Err(error) => {
            let (whole, steps) = place.unwrap_or((Span::call_site(), None));
            let (step, message) = describe(&error, checked.inputs.len());
            let span = step.zip(steps).and_then(|(step, spans)| spans.get(step));
            errors.push(*span.unwrap_or(&whole), message);
            None
        }
    }
}

/// Says which size is hinted at for no label of any term.
fn check_hints(hints: &[SizeHint], terms: &[Checked], errors: &mut Errors) -> Option<()> {
    let names: Vec<&String> = terms.iter().flat_map(|term| &term.names).collect();
    let unknown = |hint: &&SizeHint| !names.contains(&&hint.label);
    let mut known = Some(());
    for hint in hints.iter().filter(unknown) {
        let mut list: Vec<&str> = Vec::new();
        for name in &names {
            if !list.contains(&name.as_str()) {
                list.push(name);
            }
        }
        let message = format!(
            "there is no label `{}` in the subscripts\nthe labels are `{}`",
            hint.label,
            list.join("`, `")
        );
        errors.push(hint.span, message);
        known = None;
    }
    known
}

/// The sizes hinted at, by label.
fn expected_sizes(hints: &[SizeHint], checked: &Checked) -> Vec<Option<usize>> {
    let mut sizes = vec![None; checked.names.len()];
    for hint in hints {
        if let Some(label) = checked.names.iter().position(|name| *name == hint.label) {
            sizes[label] = Some(hint.size);
        }
    }
    sizes
}

/// Refuses a limit on intermediates that no order keeps to at the sizes expected, if all of them are given.
fn check_limit(
    call: &Call,
    checked: &Checked,
    request: &Request,
    strategy: &Strategy,
    errors: &mut Errors,
) -> Option<()> {
    let Some((_, span)) = call.options.max_intermediate else {
        return Some(());
    };
    match checked.check_limit(request, strategy) {
        Ok(()) => Some(()),
        Err(error) => {
            errors.push(span, format!("{error}\nfor the sizes in `sizes = […]`"));
            None
        }
    }
}

/// The step that is wrong, and what is wrong with it.
fn describe(error: &OrderError, operands: usize) -> (Option<usize>, String) {
    let last = operands.saturating_sub(1);
    match error {
        OrderError::EmptyStep { step } => (
            Some(*step),
            String::from("a step takes at least one operand"),
        ),
        OrderError::NoSuchPosition {
            step, tensors: 1, ..
        } => (
            Some(*step),
            String::from("the path is too long: everything is contracted before this step"),
        ),
        OrderError::NoSuchPosition {
            step,
            position,
            tensors,
        } => (
            Some(*step),
            format!(
                "position {position} is not in the list: {} left before this step{}\n\
                 in a path, each step takes its operands out of the list and puts the result at the end",
                counted(*tensors, "tensor is", "tensors are"),
                range(*tensors),
            ),
        ),
        OrderError::PositionTwice { step, position } => (
            Some(*step),
            format!("position {position} is taken twice in this step"),
        ),
        OrderError::PathTooShort { steps, left } => (
            None,
            format!(
                "the path ends too early: {} left after {}",
                counted(*left, "tensor is", "tensors are"),
                counted(*steps, "step", "steps"),
            ),
        ),
        OrderError::TreeLength { steps, expected } => (
            None,
            format!(
                "a tree of {} has {}, found {steps}",
                counted(operands, "operand", "operands"),
                counted(*expected, "step", "steps"),
            ),
        ),
        OrderError::NoSuchTensor {
            step,
            tensor,
            tensors,
        } => (
            Some(*step),
            format!(
                "tensor {tensor} is not there yet: {} before this step{}\n\
                 the operands are 0 to {last}, and each step adds the next number",
                counted(*tensors, "tensor is", "tensors are"),
                range(*tensors),
            ),
        ),
        OrderError::UsedTwice {
            step,
            tensor,
            first,
        } if step == first => (
            Some(*step),
            format!("tensor {tensor} cannot be contracted with itself"),
        ),
        OrderError::UsedTwice {
            step,
            tensor,
            first,
        } => (
            Some(*step),
            format!(
                "tensor {tensor} is used up: step {first} contracted it\n\
                 the result of step {first} is tensor {}",
                operands + first
            ),
        ),
        other => (
            None,
            format!("this is no order of these operands: {other:?}"),
        ),
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn range(n: usize) -> String {
    if n > 1 {
        format!(" (0 to {})", n - 1)
    } else {
        String::from(" (0)")
    }
}
