//! What a contraction costs, as far as labels and sizes tell: the models that orders are chosen by.
//!
//! Each model is a sum of one term a product and one an intermediate, each a function of labels and sizes alone and
//! growing with the sizes: never of strides or of the machine the program runs on, and of the element type only whether
//! operands are real among complex ones. So the order
//! is the same everywhere, and exact dynamic programming over subsets of the operands applies.
//!
//! The coefficients are those that `cargo run --release -p cteinsum-benches -- fit` finds for this engine, double precision and
//! one core of a machine with AVX-512, in round numbers.
//!
//! Sums over labels of a single operand come before anything else in every order. They cost the same in all of them.

use crate::spec::Cost;

/// Nanoseconds for an element of an operand or a result to be read or written once.
pub(crate) const ELEMENT: f64 = 0.13;

/// Nanoseconds for each product of a batch that is more than an element.
const BATCH: f64 = 15.0;

/// The least that a multiply-add costs in any of the models that count them.
pub(crate) const LEAST: f64 = 0.03;

/// Nanoseconds a multiply-add, by [`shape`].
///
/// A matrix product has the highest rate. What is below it is mostly waiting for memory, which [`ELEMENT`] counts, so
/// that no rate is beyond twice the best: a size of 2 instead of 1, which makes a vector a matrix, never costs less.
const RATES: [f64; 16] = {
    const GEMM: f64 = LEAST;
    const VECTOR: f64 = 0.06;
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

/// How many real numbers an element of a subset of the operands is, where those in `real` are real and others complex; 1
/// where nothing is known. A product takes as many multiply-adds as this is for both of its parts together.
#[inline]
pub(crate) const fn parts(real: u32, subset: u32) -> f64 {
    if real == 0 || subset & !real == 0 {
        1.0
    } else {
        2.0
    }
}
