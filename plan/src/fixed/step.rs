//! What a fixed plan consists of: steps, each a nest of loops over strided axes.

use super::{MAX_AXES, MAX_STEPS};

/// One loop, with the stride of each array in it; 0 for an array that does not carry the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedAxis {
    /// Number of rounds.
    pub len: usize,
    /// Stride in the left operand.
    pub a: isize,
    /// Stride in the right operand.
    pub b: isize,
    /// Stride in the result; 0 for a sum.
    pub c: isize,
}

impl FixedAxis {
    /// One round.
    pub const ONE: FixedAxis = FixedAxis {
        len: 1,
        a: 0,
        b: 0,
        c: 0,
    };
}

/// Several loops that are run through as one, the last axis fastest.
#[derive(Clone, Copy, Debug)]
pub struct FixedGroup {
    axes: [FixedAxis; MAX_AXES],
    count: usize,
}

impl FixedGroup {
    /// No loops: one round.
    pub const EMPTY: FixedGroup = FixedGroup {
        axes: [FixedAxis::ONE; MAX_AXES],
        count: 0,
    };

    /// One loop more, inside of the others.
    #[inline]
    pub(super) const fn push(&mut self, axis: FixedAxis) {
        self.axes[self.count] = axis;
        self.count += 1;
    }

    /// The axis at a position.
    #[inline]
    pub const fn axis(&self, i: usize) -> FixedAxis {
        self.axes[i]
    }

    /// Number of axes.
    #[inline]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Number of rounds.
    #[inline]
    pub const fn rounds(&self) -> usize {
        let (mut product, mut i) = (1, 0);
        while i < self.count {
            product *= self.axes[i].len;
            i += 1;
        }
        product
    }

    /// Takes the axis at a position out.
    #[inline]
    pub(super) const fn remove(&mut self, at: usize) -> FixedAxis {
        let axis = self.axes[at];
        let mut i = at + 1;
        while i < self.count {
            self.axes[i - 1] = self.axes[i];
            i += 1;
        }
        self.count -= 1;
        self.axes[self.count] = FixedAxis::ONE;
        axis
    }

    /// Swaps two axes.
    #[inline]
    pub(super) const fn swap(&mut self, i: usize, j: usize) {
        let axis = self.axes[i];
        self.axes[i] = self.axes[j];
        self.axes[j] = axis;
    }
}

/// Where an array of a step lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedPlace {
    /// An operand of the call.
    Operand(usize),
    /// An intermediate: its first element in the scratch buffer.
    Scratch(usize),
    /// The result of the call.
    Output,
    /// Nowhere: the right operand of a step with one.
    Absent,
}

/// One contraction, or the copy or sum of one array.
///
/// `C[outer, rows, vec] <- sum over sums of A * B`, or with a summed `vec` `C[outer, rows] <- sum over sums and vec`.
#[derive(Clone, Copy, Debug)]
pub struct FixedStep {
    /// The left operand.
    pub left: FixedPlace,
    /// The right operand.
    pub right: FixedPlace,
    /// The result.
    pub result: FixedPlace,
    /// Whether the left operand is conjugated.
    pub conj_left: bool,
    /// Whether the right operand is conjugated.
    pub conj_right: bool,
    /// Whether the elements are the real and imaginary parts of complex numbers: strides are counted in these.
    pub parts: bool,
    /// Elements of the result that are set to 0 first: a real result is written to the real parts alone.
    pub cleared: usize,
    /// The axis along which vectors lie.
    pub vec: FixedAxis,
    /// Whether `vec` is summed.
    pub vec_summed: bool,
    /// Kept axes over which an array that has vectors is reused: the rows of a register tile.
    pub rows: FixedGroup,
    /// Summed axes.
    pub sums: FixedGroup,
    /// The other kept axes.
    pub outer: FixedGroup,
}

impl FixedStep {
    /// Does nothing of use; fills up arrays.
    pub const NONE: FixedStep = FixedStep {
        left: FixedPlace::Absent,
        right: FixedPlace::Absent,
        result: FixedPlace::Absent,
        conj_left: false,
        conj_right: false,
        parts: false,
        cleared: 0,
        vec: FixedAxis::ONE,
        vec_summed: false,
        rows: FixedGroup::EMPTY,
        sums: FixedGroup::EMPTY,
        outer: FixedGroup::EMPTY,
    };

    /// Whether this is the product of two matrices of 2×2 elements that lie in order, row by row; the other way round
    /// where the right operand is the left factor.
    #[inline]
    pub const fn two_by_two(&self) -> Option<bool> {
        if self.parts || self.vec.len != 2 || self.vec.c != 1 || self.outer.rounds() != 1 {
            return None;
        }
        if self.rows.count() != 1 || self.sums.count() != 1 {
            return None;
        }
        let (row, sum) = (self.rows.axis(0), self.sums.axis(0));
        if row.len != 2 || sum.len != 2 || row.c != 2 {
            return None;
        }
        match (self.vec.a, self.vec.b, row.a, row.b, sum.a, sum.b) {
            (0, 1, 2, 0, 1, 2) => Some(false),
            (1, 0, 0, 2, 2, 1) => Some(true),
            _ => None,
        }
    }

    /// Number of products.
    #[inline]
    pub const fn work(&self) -> usize {
        self.vec.len * self.rows.rounds() * self.sums.rounds() * self.outer.rounds()
    }
}

/// All of a call: steps in order, and the memory for what lies between them.
#[derive(Clone, Copy, Debug)]
pub struct FixedPlan {
    /// The steps; the first `count` mean something.
    pub steps: [FixedStep; MAX_STEPS],
    /// Number of steps.
    pub count: usize,
    /// Elements of scratch memory.
    pub scratch: usize,
    /// Whether the output is set to zero (or scaled) as a whole first: an empty sum, or a diagonal.
    pub fill: bool,
    /// Whether everything is within the capacities; if not, the rest of the plan means nothing.
    pub fits: bool,
}

impl FixedPlan {
    /// Number of products of all steps.
    #[inline]
    pub const fn work(&self) -> usize {
        let (mut sum, mut s) = (0usize, 0);
        while s < self.count {
            sum = sum.saturating_add(self.steps[s].work());
            s += 1;
        }
        sum
    }
}
