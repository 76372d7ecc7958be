//! What the model says of a program that is already chosen.

use crate::lower::{Program, Step};
use crate::model::{ELEMENT, product, shape};
use crate::spec::{Cost, Label};

/// Nanoseconds of a step whatever its size: dispatch, and the first cache lines. The same for every order, as is [`SUM`].
const STEP: f64 = 150.0;

/// Nanoseconds for each element that a sum over one operand's own labels reads.
const SUM: f64 = 0.32;

impl Step {
    /// Predicted nanoseconds for these sizes of the labels, by [`Cost::Time`].
    pub fn time(&self, sizes: &[usize]) -> f64 {
        let volume = |labels: &[Label]| -> f64 {
            labels
                .iter()
                .map(|&l| sizes[usize::from(l)].max(1) as f64)
                .product()
        };
        let kept = |labels: &[Label], summed: &[Label]| {
            if summed.is_empty() {
                (0.0, volume(labels))
            } else {
                let kept = volume(labels) / volume(summed);
                (STEP + SUM * volume(labels) + ELEMENT * kept, kept)
            }
        };
        let (sums, left) = kept(&self.left_labels, &self.left_summed);
        if self.right.is_none() {
            return match self.left_summed.is_empty() {
                true => STEP + ELEMENT * 2.0 * left,
                false => sums,
            };
        }
        let (more, right) = kept(&self.right_labels, &self.right_summed);
        let free =
            usize::from(!self.left_free.is_empty()) + usize::from(!self.right_free.is_empty());
        let shape = shape(!self.batch.is_empty(), !self.contracted.is_empty(), free);
        let [multiply_add, matrix] = product(Cost::Time, shape);
        let result = volume(&self.batch) * volume(&self.left_free) * volume(&self.right_free);
        sums + more
            + STEP
            + multiply_add * result * volume(&self.contracted)
            + matrix * volume(&self.batch)
            + ELEMENT * (left + right + result)
    }
}

impl Program {
    /// Predicted nanoseconds of all steps, by [`Cost::Time`].
    pub fn time(&self, sizes: &[usize]) -> f64 {
        self.steps.iter().map(|step| step.time(sizes)).sum()
    }

    /// Elements of the largest result of a step that is not the last: what [`Cost::Size`] makes small. Saturates.
    pub fn largest_intermediate(&self, sizes: &[usize]) -> u64 {
        let inner = self.steps.split_last().map_or(&[][..], |(_, inner)| inner);
        Program {
            steps: inner.to_vec(),
        }
        .largest(sizes)
    }
}
