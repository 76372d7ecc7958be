//! What can be wrong with a call when the program runs.

use std::borrow::Cow;

use cteinsum_plan::{
    Diagnostic, IntermediateTooLarge, LabelRef, LabelsError, Network, OrderError, RankError,
    SizeError, label_names,
};

use crate::engine::plan::Plan;

mod display;

/// Why an einsum was not computed. No result and no workspace was allocated, nothing was written.
///
/// Holds what is needed to react; the text is made when it is displayed: one line, then the subscripts with a
/// caret under the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EinsumError {
    /// The subscripts are no einsum: every mistake in them.
    Subscripts {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The mistakes, in the order of their places.
        mistakes: Vec<Diagnostic>,
    },
    /// The integer labels are no einsum.
    Labels(LabelsError),
    /// The order does not contract these operands.
    Order {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// What is wrong with it.
        error: OrderError,
    },
    /// As many operands as input terms are needed.
    OperandCount {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The number of input terms.
        terms: usize,
        /// The number of operands given.
        operands: usize,
    },
    /// An operand has more or fewer axes than its term has labels.
    Rank {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The operand, counted from 0.
        operand: usize,
        /// The number of labels in its term.
        labels: usize,
        /// Whether the term has `...`: then it needs at least as many axes as labels, else exactly as many.
        ellipsis: bool,
        /// The number of axes of the operand.
        rank: usize,
    },
    /// The output leaves out `...`, which covers axes of an operand.
    EllipsisNotInOutput {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The first such operand, counted from 0.
        operand: usize,
        /// How many of its axes `...` covers.
        covered: usize,
    },
    /// Two lengths of one label differ. A length of 1 goes with any other, but not on two axes of one operand.
    Size {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The label.
        label: LabelName,
        /// An axis that the label names.
        first: LabelledAxis,
        /// An axis of another length that it names as well; of the same operand if that is walked diagonally.
        second: LabelledAxis,
    },
    /// The output given has another shape than the result. An output does not broadcast.
    Output {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The shape of the result.
        expected: Vec<usize>,
        /// The shape of the output given.
        found: Vec<usize>,
    },
    /// Two terms of a sum have different shapes. Within a sum nothing broadcasts.
    Terms {
        /// The subscripts of the later term.
        subscripts: Cow<'static, str>,
        /// The later term, counted from 0.
        term: usize,
        /// The shape of the first term.
        expected: Vec<usize>,
        /// The shape of the later one.
        found: Vec<usize>,
    },
    /// An operand has another shape than the one that the einsum was prepared for.
    Shape {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The operand, counted from 0.
        operand: usize,
        /// The shape prepared for.
        expected: Vec<usize>,
        /// The shape of the operand.
        found: Vec<usize>,
    },
    /// A gradient or a tangent has another shape than the array that it belongs to.
    Derivative {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// What it is.
        of: Derivative,
        /// The shape of the array that it belongs to.
        expected: Vec<usize>,
        /// Its shape.
        found: Vec<usize>,
    },
    /// The result or an intermediate has more elements than an allocation can hold.
    TooLarge {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The shape of that tensor.
        shape: Vec<usize>,
    },
    /// No order that the call allows keeps its intermediates within `max_intermediate`.
    Intermediate {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
        /// The limit and the smallest that can be had.
        error: IntermediateTooLarge,
    },
    /// More labels, named ones and axes of `...` together, than an einsum can have (65,533).
    TooManyLabels {
        /// The subscripts as written.
        subscripts: Cow<'static, str>,
    },
    /// The axis numbers given to `dot_general` or `tensordot` do not fit the operands.
    Axes(AxesError),
}

/// An array whose shape an einsum's arrays settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Derivative {
    /// The gradient of the result, which a pullback is given.
    Cotangent,
    /// The gradient of this operand, which a pullback accumulates into.
    Gradient(usize),
    /// The tangent of this operand.
    Tangent(usize),
}

/// What a label is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LabelName {
    /// By its name.
    Named(String),
    /// An axis that `...` covers, counted from the right: 0 is the last one.
    Ellipsis(usize),
}

/// An axis with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LabelledAxis {
    /// The operand, counted from 0.
    pub operand: usize,
    /// The axis, counted from 0.
    pub axis: usize,
    /// The length of the axis.
    pub size: usize,
    /// The number of axes of the operand.
    pub rank: usize,
}

/// What is wrong with the axis numbers of a contraction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AxesError {
    /// The two lists of a pair differ in length.
    Count {
        /// `"batch"` or `"contracting"`.
        kind: &'static str,
        /// Axes given for the left operand.
        left: usize,
        /// Axes given for the right operand.
        right: usize,
    },
    /// An operand has no such axis.
    OutOfRange {
        /// The operand: 0 is the left one.
        operand: usize,
        /// The axis.
        axis: usize,
        /// The number of axes of the operand.
        rank: usize,
    },
    /// More axes are to be contracted than the left operand has.
    TooMany {
        /// How many.
        count: usize,
        /// The number of axes of the left operand.
        rank: usize,
    },
    /// An axis is named twice.
    Repeated {
        /// The operand: 0 is the left one.
        operand: usize,
        /// The axis.
        axis: usize,
    },
    /// Two axes that belong together have different lengths.
    Length {
        /// The axes: of the left operand, of the right one.
        axes: (usize, usize),
        /// Their lengths.
        lengths: (usize, usize),
    },
}

impl EinsumError {
    pub(crate) fn rank(plan: Plan<'_>, error: RankError) -> Self {
        let subscripts = plan.text();
        match error {
            RankError::OperandCount { terms, operands } => EinsumError::OperandCount {
                subscripts,
                terms,
                operands,
            },
            RankError::Rank {
                operand,
                labels,
                rank,
            } => EinsumError::Rank {
                subscripts,
                operand,
                labels,
                ellipsis: false,
                rank,
            },
            RankError::TooFewAxes {
                operand,
                labels,
                rank,
            } => EinsumError::Rank {
                subscripts,
                operand,
                labels,
                ellipsis: true,
                rank,
            },
            RankError::EllipsisNotInOutput { operand, covered } => {
                EinsumError::EllipsisNotInOutput {
                    subscripts,
                    operand,
                    covered,
                }
            }
            RankError::TooManyLabels => EinsumError::TooManyLabels { subscripts },
            other => unreachable!("an error of ranks that this crate does not know: {other:?}"),
        }
    }

    pub(crate) fn size(plan: Plan<'_>, network: &Network, error: SizeError) -> Self {
        let subscripts = plan.text();
        match error {
            SizeError::Mismatch {
                label,
                first,
                second,
            }
            | SizeError::Diagonal {
                label,
                first,
                second,
            } => {
                let label = match network.label(label) {
                    LabelRef::Named(number) => {
                        LabelName::Named(label_names(&subscripts).swap_remove(number))
                    }
                    LabelRef::Ellipsis(axis) => LabelName::Ellipsis(axis),
                };
                let axis = |at: cteinsum_plan::AxisSize| LabelledAxis {
                    operand: at.operand,
                    axis: at.axis,
                    size: at.size,
                    rank: network.inputs[at.operand].len(),
                };
                EinsumError::Size {
                    subscripts,
                    label,
                    first: axis(first),
                    second: axis(second),
                }
            }
            SizeError::Rank {
                operand,
                expected,
                found,
            } => EinsumError::Rank {
                subscripts,
                operand,
                labels: expected,
                ellipsis: false,
                rank: found,
            },
            other => unreachable!("an error of sizes that this crate does not know: {other:?}"),
        }
    }

    pub(crate) fn output(plan: Plan<'_>, expected: &[usize], found: &[usize]) -> Self {
        EinsumError::Output {
            subscripts: plan.text(),
            expected: expected.to_vec(),
            found: found.to_vec(),
        }
    }

    #[cfg(feature = "gradient")]
    pub(crate) fn derivative(
        subscripts: Cow<'static, str>,
        of: Derivative,
        expected: &[usize],
        found: &[usize],
    ) -> Self {
        EinsumError::Derivative {
            subscripts,
            of,
            expected: expected.to_vec(),
            found: found.to_vec(),
        }
    }

    pub(crate) fn intermediate(plan: Plan<'_>, error: IntermediateTooLarge) -> Self {
        EinsumError::Intermediate {
            subscripts: plan.text(),
            error,
        }
    }

    pub(crate) fn too_large(plan: Plan<'_>, shape: &[usize]) -> Self {
        EinsumError::TooLarge {
            subscripts: plan.text(),
            shape: shape.to_vec(),
        }
    }

    /// Ends a call that cannot return an error.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn raise(self) -> ! {
        panic!("einsum: {self}")
    }
}

impl std::error::Error for EinsumError {}

impl From<LabelsError> for EinsumError {
    fn from(error: LabelsError) -> Self {
        EinsumError::Labels(error)
    }
}
