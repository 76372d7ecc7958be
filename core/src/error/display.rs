//! What the errors say.

use core::fmt;

use cteinsum_plan::{LabelRef, Span, TermRef, axis_span, picture, term_span};

use super::{AxesError, Derivative, EinsumError, LabelName, LabelledAxis};

impl fmt::Display for EinsumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EinsumError::Subscripts {
                subscripts,
                mistakes,
            } => {
                for (i, mistake) in mistakes.iter().enumerate() {
                    let separator = if i == 0 { "" } else { "\n" };
                    write!(f, "{separator}{}", mistake.render(subscripts))?;
                }
                Ok(())
            }
            EinsumError::Labels(error) => write!(f, "{error}"),
            EinsumError::Intermediate { subscripts, error } => {
                write!(f, "{error}\n{}", picture(subscripts, &[], ""))
            }
            EinsumError::Order { subscripts, error } => {
                write!(f, "{error}\n{}", picture(subscripts, &[], ""))
            }
            EinsumError::OperandCount {
                subscripts,
                terms,
                operands,
            } => {
                let given = match operands {
                    1 => "1 operand is given".to_owned(),
                    n => format!("{n} operands are given"),
                };
                let plural = if *terms == 1 { "" } else { "s" };
                let spans: Vec<Span> = (0..*terms)
                    .filter_map(|term| term_span(subscripts, TermRef::Input(term)))
                    .collect();
                write!(
                    f,
                    "the subscripts have {terms} input term{plural}, but {given}\n{}",
                    picture(subscripts, &spans, "")
                )
            }
            EinsumError::Rank {
                subscripts,
                operand,
                labels,
                ellipsis,
                rank,
            } => {
                let plural = if *labels == 1 { "" } else { "s" };
                let beside = if *ellipsis { " beside `...`" } else { "" };
                let axes = if *rank == 1 { "axis" } else { "axes" };
                let span = term_span(subscripts, TermRef::Input(*operand));
                write!(
                    f,
                    "the subscripts give operand {operand} {labels} label{plural}{beside}, but it has {rank} {axes}\n{}",
                    picture(subscripts, span.as_slice(), "")
                )
            }
            EinsumError::EllipsisNotInOutput {
                subscripts,
                operand,
                covered,
            } => {
                let axes = if *covered == 1 { "axis" } else { "axes" };
                let span = term_span(subscripts, TermRef::Output);
                write!(
                    f,
                    "the output leaves out `...`, which covers {covered} {axes} of operand {operand}\n{}",
                    picture(
                        subscripts,
                        span.as_slice(),
                        "put `...` here, or name the labels to sum over"
                    )
                )
            }
            EinsumError::Size {
                subscripts,
                label,
                first,
                second,
            } => {
                let note = if first.operand == second.operand {
                    "repeated axes of one operand must be equal"
                } else {
                    ""
                };
                let spans: Vec<Span> = [first, second]
                    .iter()
                    .filter_map(|at| {
                        axis_span(subscripts, TermRef::Input(at.operand), at.axis, at.rank)
                    })
                    .collect();
                write!(
                    f,
                    "{label} is {first} but {second}\n{}",
                    picture(subscripts, &spans, note)
                )
            }
            EinsumError::Output {
                subscripts,
                expected,
                found,
            } => {
                let axis = (0..expected.len()).find(|&i| found.get(i) != expected.get(i));
                let span = match axis {
                    Some(axis) => axis_span(subscripts, TermRef::Output, axis, expected.len()),
                    None => None,
                }
                .or_else(|| term_span(subscripts, TermRef::Output));
                write!(
                    f,
                    "the result has shape {expected:?}, but `out` has shape {found:?}\n{}",
                    picture(subscripts, span.as_slice(), "")
                )
            }
            EinsumError::Terms {
                subscripts,
                term,
                expected,
                found,
            } => {
                let axis = (0..found.len()).find(|&i| found.get(i) != expected.get(i));
                let span = axis
                    .and_then(|axis| axis_span(subscripts, TermRef::Output, axis, found.len()))
                    .or_else(|| term_span(subscripts, TermRef::Output));
                write!(
                    f,
                    "term {term} of the sum has shape {found:?}, but the first has {expected:?}\n{}",
                    picture(subscripts, span.as_slice(), "all terms have one shape")
                )
            }
            EinsumError::Shape {
                subscripts,
                operand,
                expected,
                found,
            } => {
                let span = term_span(subscripts, TermRef::Input(*operand));
                write!(
                    f,
                    "operand {operand} has shape {found:?}, but the einsum was prepared for {expected:?}\n{}",
                    picture(subscripts, span.as_slice(), "")
                )
            }
            EinsumError::Derivative {
                subscripts,
                of,
                expected,
                found,
            } => {
                let (term, whose, what) = match of {
                    Derivative::Cotangent => {
                        (TermRef::Output, "the result".to_owned(), "its gradient")
                    }
                    Derivative::Gradient(p) => (
                        TermRef::Input(*p),
                        format!("operand {p}"),
                        "the array for its gradient",
                    ),
                    Derivative::Tangent(p) => {
                        (TermRef::Input(*p), format!("operand {p}"), "its tangent")
                    }
                };
                let axis = (0..expected.len()).find(|&i| found.get(i) != expected.get(i));
                let span = axis.and_then(|axis| axis_span(subscripts, term, axis, expected.len()));
                match axis.filter(|_| found.len() == expected.len()) {
                    Some(axis) => {
                        let (here, there) = (expected[axis], found[axis]);
                        let label = span.and_then(|span| subscripts.get(span.start..span.end));
                        match label.filter(|label| !label.contains('.')) {
                            Some(label) => {
                                write!(f, "label '{label}' is {here} in {whose} (axis {axis})")
                            }
                            None => write!(f, "axis {axis} is {here} in {whose}"),
                        }?;
                        write!(
                            f,
                            " but {there} in {what}, which has shape {found:?} and not {expected:?}"
                        )?;
                    }
                    None => write!(
                        f,
                        "{whose} has shape {expected:?}, but {what} has shape {found:?}"
                    )?,
                }
                let span = span.or_else(|| term_span(subscripts, term));
                write!(f, "\n{}", picture(subscripts, span.as_slice(), ""))
            }
            EinsumError::TooLarge { subscripts, shape } => write!(
                f,
                "a tensor of shape {shape:?} is larger than memory can be\n{}",
                picture(subscripts, &[], "")
            ),
            EinsumError::TooManyLabels { subscripts } => {
                write!(f, "too many labels\n{}", picture(subscripts, &[], ""))
            }
            EinsumError::Axes(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for LabelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelName::Named(name) => write!(f, "label '{name}'"),
            LabelName::Ellipsis(axis) => LabelRef::Ellipsis(*axis).fmt(f),
        }
    }
}

impl fmt::Display for LabelledAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in operand {} (axis {})",
            self.size, self.operand, self.axis
        )
    }
}

impl fmt::Display for AxesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |operand: &usize| if *operand == 0 { "left" } else { "right" };
        match self {
            AxesError::Count { kind, left, right } => write!(
                f,
                "{left} {kind} axes of the left operand, but {right} of the right one"
            ),
            AxesError::OutOfRange {
                operand,
                axis,
                rank,
            } => {
                write!(
                    f,
                    "axis {axis} of the {} operand, which has {rank} axes",
                    side(operand)
                )
            }
            AxesError::TooMany { count, rank } => write!(
                f,
                "the last {count} axes of the left operand are to be contracted, but it has {rank}"
            ),
            AxesError::Repeated { operand, axis } => {
                write!(
                    f,
                    "axis {axis} of the {} operand is named twice",
                    side(operand)
                )
            }
            AxesError::Length { axes, lengths } => write!(
                f,
                "axis {} of the left operand has length {}, but axis {} of the right one has length {}",
                axes.0, lengths.0, axes.1, lengths.1
            ),
        }
    }
}
