//! Einsums given by integer labels.

use crate::{
    check::Checked,
    sorted::Numbers,
    spec::{ELLIPSIS, Label},
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// What is wrong with integer labels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LabelsError {
    /// There is no operand.
    NoOperands,
    /// A label of the output is in no input.
    UnknownOutputLabel {
        /// Its place in the output.
        axis: usize,
        /// The label.
        label: usize,
    },
    /// More different labels than a contraction can have (65,533).
    TooManyLabels,
}

impl Checked {
    /// Checks an einsum given by integers: `from_labels(&[[0, 1], [1, 2]], &[0, 2])` is `ij,jk->ik`.
    ///
    /// Any integers will do; they are the names of the labels. Its text is `[0,1],[1,2]->[0,2]`.
    ///
    /// # Errors
    /// No operands, a label of the output that no input has, or too many labels.
    pub fn from_labels<I: AsRef<[usize]>>(
        inputs: &[I],
        output: &[usize],
    ) -> Result<Checked, LabelsError> {
        if inputs.is_empty() {
            return Err(LabelsError::NoOperands);
        }
        let mut numbers = Numbers::new();
        let mut names = Vec::new();
        let mut terms = Vec::with_capacity(inputs.len());
        for input in inputs {
            let mut term = Vec::with_capacity(input.as_ref().len());
            for &label in input.as_ref() {
                if names.len() + 2 > usize::from(ELLIPSIS) && numbers.get(&label).is_none() {
                    return Err(LabelsError::TooManyLabels);
                }
                let (number, new) = numbers.number(label);
                if new {
                    names.push(label.to_string());
                }
                term.push(number as Label);
            }
            terms.push(term);
        }
        let known = |(axis, label): (usize, &usize)| {
            numbers.get(label).map(|number| number as Label).ok_or(
                LabelsError::UnknownOutputLabel {
                    axis,
                    label: *label,
                },
            )
        };
        let labels = output
            .iter()
            .enumerate()
            .map(known)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Checked {
            text: text(&terms, &labels, &names),
            names,
            inputs: terms,
            output: labels,
            implicit_output: false,
            groups: None,
        })
    }
}

/// `[0,1],[1,2]->[0,2]`: no subscripts begin with `[`, so the two notations cannot be confused.
fn text(inputs: &[Vec<Label>], output: &[Label], names: &[String]) -> String {
    let term = |text: &mut String, labels: &[Label]| {
        text.push('[');
        for (at, &label) in labels.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(&names[usize::from(label)]);
        }
        text.push(']');
    };
    let mut text = String::with_capacity(8 * inputs.len());
    for (at, input) in inputs.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        term(&mut text, input);
    }
    text.push_str("->");
    term(&mut text, output);
    text
}
