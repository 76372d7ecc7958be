//! What a program costs, as numbers and as polynomials in the sizes.

use crate::lists::{Listed, joined};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    lower::{Program, Step},
    sorted::{Numbers, sort},
    spec::Label,
};

/// What kind of work a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// One operand, nothing to do but to copy it in the same order of axes.
    Copy,
    /// One operand, its axes in another order.
    Transpose,
    /// One operand, summed over some labels.
    Sum,
    /// Free labels on both sides and contracted ones.
    Gemm,
    /// Free labels on one side only, and contracted ones.
    Gemv,
    /// Contracted labels only.
    Dot,
    /// Free labels on both sides, nothing contracted.
    Outer,
    /// Batch labels, and free ones on one side at most.
    Elementwise,
    /// One operand has no labels.
    Scale,
    /// Batch labels, and in each of the batch a [`Kind::Gemm`].
    BatchedGemm,
    /// Batch labels, and in each of the batch a [`Kind::Gemv`].
    BatchedGemv,
    /// Batch labels, and in each of the batch a [`Kind::Dot`].
    BatchedDot,
    /// Batch labels, and in each of the batch a [`Kind::Outer`].
    BatchedOuter,
}

impl Kind {
    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Copy => "copy",
            Kind::Transpose => "transpose",
            Kind::Sum => "sum",
            Kind::Gemm => "gemm",
            Kind::Gemv => "gemv",
            Kind::Dot => "dot",
            Kind::Outer => "outer product",
            Kind::Elementwise => "elementwise product",
            Kind::Scale => "scaling",
            Kind::BatchedGemm => "batched gemm",
            Kind::BatchedGemv => "batched gemv",
            Kind::BatchedDot => "batched dot",
            Kind::BatchedOuter => "batched outer product",
        }
    }
}

/// The arithmetic of one step. Numbers saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepCost {
    /// Products, each added to a sum.
    pub multiply_adds: u64,
    /// Additions of the sums over one operand's own labels.
    pub additions: u64,
}

impl StepCost {
    /// Two for each multiply-add, one for each addition.
    pub fn flops(self) -> u64 {
        self.multiply_adds
            .saturating_mul(2)
            .saturating_add(self.additions)
    }
}

/// Product of the sizes of some labels; saturates.
pub(crate) fn volume(labels: &[Label], sizes: &[usize]) -> u64 {
    // An empty axis makes the product 0, however large the rest is.
    let mut sizes = labels.iter().map(|&l| sizes[usize::from(l)] as u64);
    if sizes.clone().any(|size| size == 0) {
        return 0;
    }
    sizes.try_fold(1u64, u64::checked_mul).unwrap_or(u64::MAX)
}

impl Step {
    /// What kind of work it is, apart from sums of one operand's own labels before a product.
    pub fn kind(&self) -> Kind {
        if self.right.is_none() {
            return match () {
                () if !self.left_summed.is_empty() => Kind::Sum,
                () if self.left_labels == self.result => Kind::Copy,
                () => Kind::Transpose,
            };
        }
        let free =
            usize::from(!self.left_free.is_empty()) + usize::from(!self.right_free.is_empty());
        match (self.batch.is_empty(), self.contracted.is_empty(), free) {
            (true, false, 2) => Kind::Gemm,
            (true, false, 1) => Kind::Gemv,
            (true, false, _) => Kind::Dot,
            (true, true, 2) => Kind::Outer,
            (true, true, _) => Kind::Scale,
            (false, true, 0 | 1) => Kind::Elementwise,
            (false, false, 2) => Kind::BatchedGemm,
            (false, false, 1) => Kind::BatchedGemv,
            (false, false, _) => Kind::BatchedDot,
            (false, true, _) => Kind::BatchedOuter,
        }
    }

    /// The labels over which the product runs.
    pub(crate) fn product(&self) -> Vec<Label> {
        [
            &self.batch[..],
            &self.contracted,
            &self.left_free,
            &self.right_free,
        ]
        .concat()
    }

    /// The sums of one operand's own labels: the labels over which each runs.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &[Label]> {
        let of = |summed: &[Label]| !summed.is_empty();
        let left = of(&self.left_summed).then_some(&self.left_labels[..]);
        let right = of(&self.right_summed).then_some(&self.right_labels[..]);
        left.into_iter().chain(right)
    }

    /// The arithmetic of the step for these sizes of the labels.
    pub fn cost(&self, sizes: &[usize]) -> StepCost {
        StepCost {
            multiply_adds: if self.right.is_some() {
                volume(&self.product(), sizes)
            } else {
                0
            },
            additions: self
                .sums()
                .map(|labels| volume(labels, sizes))
                .fold(0, u64::saturating_add),
        }
    }
}

impl Program {
    /// Number of operands.
    pub fn operands(&self) -> usize {
        match self.steps.as_slice() {
            [Step { right: None, .. }] => 1,
            steps => steps.len() + 1,
        }
    }

    /// The arithmetic of all steps for these sizes of the labels.
    pub fn cost(&self, sizes: &[usize]) -> StepCost {
        self.steps
            .iter()
            .map(|step| step.cost(sizes))
            .fold(StepCost::default(), |sum, step| StepCost {
                multiply_adds: sum.multiply_adds.saturating_add(step.multiply_adds),
                additions: sum.additions.saturating_add(step.additions),
            })
    }

    /// Elements of the largest result of a step, the last one included; saturates.
    pub fn largest(&self, sizes: &[usize]) -> u64 {
        self.steps
            .iter()
            .map(|step| volume(&step.result, sizes))
            .max()
            .unwrap_or(0)
    }

    /// Elements that intermediates take at the busiest step, if each lives from the step that writes it to the end of
    /// the one that reads it; the result itself is not counted. Saturates.
    pub fn peak(&self, sizes: &[usize]) -> u64 {
        let operands = self.operands();
        let elements: Vec<u64> = self
            .steps
            .iter()
            .map(|step| volume(&step.result, sizes))
            .listed();
        let mut live = Vec::new();
        let mut peak = 0;
        for (at, step) in self.steps.iter().enumerate() {
            if at + 1 < self.steps.len() {
                live.push(at);
            }
            // The live ones are summed anew, since a saturated sum cannot be taken back.
            peak = peak.max(
                live.iter()
                    .map(|&s| elements[s])
                    .fold(0, u64::saturating_add),
            );
            let read = [Some(step.left), step.right];
            live.retain(|&writer| !read.contains(&Some(operands + writer)));
        }
        peak
    }

    /// Two flops for each multiply-add and one for each addition, as a polynomial in the sizes.
    pub fn flops(&self) -> Polynomial {
        let mut terms: Vec<(u64, Vec<Label>)> = Vec::new();
        let mut numbers: Numbers<Vec<Label>> = Numbers::new();
        let mut add = |coefficient: u64, mut labels: Vec<Label>| {
            sort(&mut labels);
            let (place, new) = numbers.number(labels.clone());
            if new {
                terms.push((0, labels));
            }
            terms[place].0 = terms[place].0.saturating_add(coefficient);
        };
        for step in &self.steps {
            for labels in step.sums() {
                add(1, labels.to_vec());
            }
            if step.right.is_some() {
                add(2, step.product());
            }
        }
        Polynomial { terms }
    }
}

/// A sum of products of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial {
    /// A coefficient and the labels whose sizes are multiplied, in increasing order; no two with equal labels.
    pub terms: Vec<(u64, Vec<Label>)>,
}

impl Polynomial {
    /// Its value; saturates.
    pub fn at(&self, sizes: &[usize]) -> u64 {
        let term = |(c, labels): &(u64, Vec<Label>)| c.saturating_mul(volume(labels, sizes));
        self.terms.iter().map(term).fold(0, u64::saturating_add)
    }

    /// `2·i·j·k + 2·i·k·l`: `name` gives the name of a label. A name that begins with a digit stands in brackets.
    pub fn text(&self, name: impl Fn(Label) -> String) -> String {
        let mut terms = Vec::with_capacity(self.terms.len());
        for (coefficient, labels) in &self.terms {
            let mut term = if *coefficient == 1 && !labels.is_empty() {
                String::new()
            } else {
                coefficient.to_string()
            };
            for &label in labels {
                if !term.is_empty() {
                    term.push('·');
                }
                let name = name(label);
                let digit = name.starts_with(|c: char| c.is_numeric());
                term.push_str(&if digit { format!("[{name}]") } else { name });
            }
            terms.push(term);
        }
        if terms.is_empty() {
            String::from("0")
        } else {
            joined(&terms, " + ")
        }
    }
}
