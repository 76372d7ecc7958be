//! The constants that a macro call leaves in a program.

use crate::product::Product;

/// A label as a small integer: its position in the list of names, in order of first appearance.
pub type Label = u16;

/// Stands in a term where `...` was written.
pub const ELLIPSIS: Label = u16::MAX;

/// A stretch of the subscripts' text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; equal to `start` for a place between two characters.
    pub end: usize,
}

impl Span {
    /// The bytes `start..end`.
    #[inline]
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The place before byte `at`.
    #[inline]
    pub const fn empty(at: usize) -> Span {
        Span { start: at, end: at }
    }

    /// The smallest span that holds both.
    #[inline]
    pub const fn to(self, other: Span) -> Span {
        Span {
            start: if other.start < self.start {
                other.start
            } else {
                self.start
            },
            end: if other.end > self.end {
                other.end
            } else {
                self.end
            },
        }
    }
}

/// One of the terms of an einsum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermRef {
    /// The term of an operand, counted from 0.
    Input(usize),
    /// The output term.
    Output,
}

/// What an order is to make small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cost {
    /// Predicted time: multiply-adds at the rate of the kind of step, elements moved, a fixed cost a step.
    #[default]
    Time,
    /// Multiply-adds, as other planners count.
    Flops,
    /// The largest intermediate, the result not counted; among equals the predicted time.
    Size,
}

/// How much of the order of contraction is settled before the sizes are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Choice<'a> {
    /// All: the tree is what it is.
    #[default]
    Settled,
    /// Nothing but the groups: the cheapest of all trees for the sizes.
    Exact,
    /// Nothing but the groups: the greedy tree for the sizes.
    Greedy,
    /// The cheapest of the tree and these others for the sizes; where the contraction takes long, improved by a search.
    Among(&'a [&'a [(u32, u32)]]),
}

/// A checked einsum and its order of contraction: what the macro emits.
///
/// Nothing is validated when it is made or used: the macro, or [`Checked`](crate::Checked) at run time, has done so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spec<'a> {
    /// The subscripts as written (the value of the literal).
    pub text: &'a str,
    /// The labels of each operand's axes; [`ELLIPSIS`] at most once a term.
    pub inputs: &'a [&'a [Label]],
    /// The labels of the result's axes, written or implicit; [`ELLIPSIS`] at most once.
    pub output: &'a [Label],
    /// The contraction tree in SSA form: the operands are 0..n, step s contracts its pair and makes n + s; n - 1 steps.
    /// Where the order is not settled, a tree that is good for equal sizes, or for those that the caller expects.
    pub tree: &'a [(u32, u32)],
    /// Whether it is this tree, or one to be chosen for the sizes.
    pub choice: Choice<'a>,
    /// Groups of operands that are contracted to one tensor before anything outside touches them, inner ones first:
    /// the operands are 0..n, group g is n + g, the last one holds all. Empty where nothing is grouped.
    pub groups: &'a [&'a [u32]],
    /// What the choice is to make small.
    pub cost: Cost,
    /// The most elements that an intermediate may have.
    pub max_intermediate: Option<u64>,
    /// The product that it is, if there is no more to it.
    pub product: Option<Product>,
}

impl<'a> Spec<'a> {
    /// Puts the four parts together, and sees whether they are a product of two matrices. The order is settled: it is the tree.
    #[inline]
    pub const fn new(
        text: &'a str,
        inputs: &'a [&'a [Label]],
        output: &'a [Label],
        tree: &'a [(u32, u32)],
    ) -> Spec<'a> {
        Spec {
            text,
            inputs,
            output,
            tree,
            choice: Choice::Settled,
            groups: &[],
            cost: Cost::Time,
            max_intermediate: None,
            product: Product::of(inputs, output),
        }
    }

    /// The same, with the cheapest of all trees for the sizes.
    #[inline]
    pub const fn by_sizes(mut self) -> Spec<'a> {
        self.choice = Choice::Exact;
        self
    }

    /// The same, with the greedy tree for the sizes.
    #[inline]
    pub const fn greedy(mut self) -> Spec<'a> {
        self.choice = Choice::Greedy;
        self
    }

    /// The same, with the cheapest of the tree and these others for the sizes.
    #[inline]
    pub const fn among(mut self, trees: &'a [&'a [(u32, u32)]]) -> Spec<'a> {
        self.choice = Choice::Among(trees);
        self
    }

    /// The same, with groups.
    #[inline]
    pub const fn grouped(mut self, groups: &'a [&'a [u32]]) -> Spec<'a> {
        self.groups = groups;
        self
    }

    /// The same, with something else to make small than the time.
    #[inline]
    pub const fn minimize(mut self, cost: Cost) -> Spec<'a> {
        self.cost = cost;
        self
    }

    /// The same, with a bound on the elements of each intermediate.
    #[inline]
    pub const fn max_intermediate(mut self, elements: u64) -> Spec<'a> {
        self.max_intermediate = Some(elements);
        self
    }

    /// Whether the order does not depend on the sizes.
    #[inline]
    pub const fn is_settled(&self) -> bool {
        matches!(self.choice, Choice::Settled)
    }
}
