//! An einsum for operands of known ranks: `...` is expanded and every axis has a label.

use crate::lists::Listed;
use alloc::vec::Vec;
use core::fmt;

use crate::{
    check::Checked,
    spec::{ELLIPSIS, Label, Spec},
};

/// An einsum whose axes all have labels.
///
/// The axes that `...` covers get labels after the named ones, in the order of the axes of the widest `...`; narrower
/// ones are aligned from the right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    /// The labels of each operand's axes; a repeated one takes the diagonal.
    pub inputs: Vec<Vec<Label>>,
    /// The labels of the result's axes; a repeated one writes the diagonal.
    pub output: Vec<Label>,
    /// Number of labels.
    pub labels: usize,
    /// Number of labels that have a name; the others are axes of `...`.
    pub named: usize,
}

/// The ranks of the operands do not fit the terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RankError {
    /// As many operands as terms are needed.
    OperandCount {
        /// Terms of the subscripts.
        terms: usize,
        /// Operands given.
        operands: usize,
    },
    /// An operand has another number of axes than its term has labels.
    Rank {
        /// The operand, counted from 0.
        operand: usize,
        /// Labels of its term, each occurrence counted.
        labels: usize,
        /// Its axes.
        rank: usize,
    },
    /// An operand has fewer axes than its term has labels beside the `...`.
    TooFewAxes {
        /// The operand, counted from 0.
        operand: usize,
        /// Labels of its term without the `...`, each occurrence counted.
        labels: usize,
        /// Its axes.
        rank: usize,
    },
    /// The output has no `...`, but that of an operand covers axes.
    EllipsisNotInOutput {
        /// The first such operand, counted from 0.
        operand: usize,
        /// How many axes its `...` covers.
        covered: usize,
    },
    /// Named labels and axes of `...` are too many together.
    TooManyLabels,
}

/// What a label of a [`Network`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelRef {
    /// A label with a name: its number among the names.
    Named(usize),
    /// An axis that `...` covers, counted from the right, the last one being 0.
    Ellipsis(usize),
}

/// `label 0`, or `the last axis of `...``; with names at hand, say those of named labels instead.
impl fmt::Display for LabelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LabelRef::Named(label) => write!(f, "label {label}"),
            LabelRef::Ellipsis(0) => write!(f, "the last axis of `...`"),
            LabelRef::Ellipsis(axis) => {
                write!(f, "axis {} of `...`, counted from the right", axis + 1)
            }
        }
    }
}

impl Checked {
    /// The einsum for operands with these numbers of axes.
    ///
    /// # Errors
    /// The first operand that does not fit its term.
    pub fn network(&self, ranks: &[usize]) -> Result<Network, RankError> {
        expand(&self.inputs, &self.output, ranks)
    }
}

impl Network {
    /// The einsum of a [`Spec`] for operands with these numbers of axes.
    ///
    /// # Errors
    /// The first operand that does not fit its term.
    pub fn from_spec(spec: &Spec<'_>, ranks: &[usize]) -> Result<Network, RankError> {
        expand(spec.inputs, spec.output, ranks)
    }

    /// What a label stands for.
    pub fn label(&self, label: Label) -> LabelRef {
        match usize::from(label) {
            named if named < self.named => LabelRef::Named(named),
            axis => LabelRef::Ellipsis(self.labels.saturating_sub(axis + 1)),
        }
    }

    /// The labels that each operand carries, given the shapes: each once, in axis order, those of length 1 left out.
    ///
    /// A length of 1 broadcasts, so an operand is constant along it. This is what a
    /// [`Program`](crate::Program) is made of.
    pub fn carried(&self, shapes: &[&[usize]]) -> Vec<Vec<Label>> {
        let operand = |(labels, shape): (&Vec<Label>, &&[usize])| {
            let mut carried = Vec::with_capacity(labels.len());
            for (&label, &length) in labels.iter().zip(*shape) {
                if length != 1 && !carried.contains(&label) {
                    carried.push(label);
                }
            }
            carried
        };
        self.inputs.iter().zip(shapes).map(operand).listed()
    }

    /// The distinct labels of the result with a length other than 1, in the order of its axes, for these sizes of the
    /// labels.
    pub fn carried_output(&self, sizes: &[usize]) -> Vec<Label> {
        let mut carried = Vec::with_capacity(self.output.len());
        for &label in &self.output {
            if sizes[usize::from(label)] != 1 && !carried.contains(&label) {
                carried.push(label);
            }
        }
        carried
    }
}

fn expand<T: AsRef<[Label]>>(
    terms: &[T],
    output: &[Label],
    ranks: &[usize],
) -> Result<Network, RankError> {
    if terms.len() != ranks.len() {
        return Err(RankError::OperandCount {
            terms: terms.len(),
            operands: ranks.len(),
        });
    }
    let mut named = 0;
    let mut widest = 0;
    let mut covering = None;
    for (operand, (term, &rank)) in terms.iter().zip(ranks).enumerate() {
        let term = term.as_ref();
        let labels = term.iter().filter(|&&label| label != ELLIPSIS).count();
        if labels == term.len() && labels != rank {
            return Err(RankError::Rank {
                operand,
                labels,
                rank,
            });
        }
        if labels > rank {
            return Err(RankError::TooFewAxes {
                operand,
                labels,
                rank,
            });
        }
        widest = widest.max(rank - labels);
        if rank > labels && covering.is_none() {
            covering = Some((operand, rank - labels));
        }
        let highest = term.iter().filter(|&&label| label != ELLIPSIS).max();
        named = named.max(highest.map_or(0, |&label| usize::from(label) + 1));
    }
    if let Some((operand, covered)) = covering
        && !output.contains(&ELLIPSIS)
    {
        return Err(RankError::EllipsisNotInOutput { operand, covered });
    }
    if named + widest >= usize::from(ELLIPSIS) {
        return Err(RankError::TooManyLabels);
    }
    let total = named + widest;
    let fill = |term: &[Label], covered: usize| -> Vec<Label> {
        let mut labels = Vec::with_capacity(term.len() + covered);
        for &label in term {
            match label {
                ELLIPSIS => labels.extend((total - covered..total).map(|l| l as Label)),
                label => labels.push(label),
            }
        }
        labels
    };
    let inputs = terms.iter().zip(ranks).map(|(term, rank)| {
        let term = term.as_ref();
        fill(
            term,
            rank - term.iter().filter(|&&label| label != ELLIPSIS).count(),
        )
    });
    Ok(Network {
        inputs: inputs.listed(),
        output: fill(output, widest),
        labels: total,
        named,
    })
}
