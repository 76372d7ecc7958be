//! What a contraction costs, as far as labels and sizes tell: the models that orders are chosen by.
//!
//! Each model is a sum of one term a product and one an intermediate, each a function of labels and sizes alone and
//! growing with the sizes: never of strides, of the element type or of the machine the program runs on. So the order
//! is the same everywhere, and exact dynamic programming over subsets of the operands applies.
//!
//! The coefficients are estimates for double precision on one core of a machine with AVX2, in round numbers. They have
//! not been fitted to measurements of the engine.
//!
//! Sums over labels of a single operand come before anything else in every order. They cost the same in all of them.

use crate::{
    lower::{Program, Step},
    spec::{Cost, Label},
};

/// Nanoseconds of a step whatever its size: dispatch, and the first cache lines.
pub(crate) const STEP: f64 = 40.0;

/// Nanoseconds for an element of an operand or a result to be read or written once.
pub(crate) const ELEMENT: f64 = 0.25;

/// Nanoseconds for each element that a sum over one operand's own labels reads.
pub(crate) const SUM: f64 = 0.25;

/// Nanoseconds for each product of a batch that is more than an element.
const BATCH: f64 = 12.0;

/// Nanoseconds a multiply-add, by [`shape`].
///
/// A matrix product has the highest rate. What is below it is mostly waiting for memory, which [`ELEMENT`] counts, so
/// that no rate is beyond twice the best: a size of 2 instead of 1, which makes a vector a matrix, never costs less.
const RATES: [f64; 16] = {
    const GEMM: f64 = 0.06;
    const VECTOR: f64 = 0.12;
    let mut rates = [VECTOR; 16];
    rates[shape(false, true, 2)] = GEMM;
    rates[shape(true, true, 2)] = GEMM * 1.5;
    rates
};

/// Nanoseconds a product of a batch, by [`shape`].
const BATCHES: [f64; 16] = {
    let mut batches = [0.0; 16];
    batches[shape(true, true, 0)] = BATCH;
    batches[shape(true, true, 1)] = BATCH;
    batches[shape(true, true, 2)] = BATCH;
    batches[shape(true, false, 2)] = BATCH;
    batches
};

/// The kind of a product as an index: whether it has batch and contracted labels, and on how many sides free ones.
pub(crate) const fn shape(batch: bool, contracted: bool, free_sides: usize) -> usize {
    batch as usize | (contracted as usize) << 1 | free_sides << 2
}

/// What a product of this shape costs, apart from the elements moved: `[a multiply-add, a product of the batch]`.
#[inline]
pub(crate) const fn product(cost: Cost, shape: usize) -> [f64; 2] {
    match cost {
        Cost::Flops => [1.0, 0.0],
        Cost::Time => [RATES[shape], BATCHES[shape]],
        Cost::Size => [0.0, 0.0],
    }
}

/// What an element of an intermediate costs: it is written and read once each.
#[inline]
pub(crate) const fn element(cost: Cost) -> f64 {
    match cost {
        Cost::Time => 2.0 * ELEMENT,
        Cost::Flops | Cost::Size => 0.0,
    }
}

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
