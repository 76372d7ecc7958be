//! The constants that a macro call leaves in a program.

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
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The place before byte `at`.
    pub const fn empty(at: usize) -> Span {
        Span { start: at, end: at }
    }

    /// The smallest span that holds both.
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

/// A checked einsum and its contraction tree: what the macro emits.
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
    pub tree: &'a [(u32, u32)],
}

impl<'a> Spec<'a> {
    /// Puts the four parts together, at no cost.
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
        }
    }
}
