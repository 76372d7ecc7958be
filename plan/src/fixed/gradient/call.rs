//! One call of a plan of gradients: an einsum of one or two arrays, and where they are.

use super::MAX_AXES;
use crate::fixed::FixedArray;
use crate::spec::Label;

/// Where an array of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientPlace {
    /// An operand of the einsum.
    Operand(usize),
    /// In what is saved for the way back: its first element.
    Saved(usize),
    /// In memory of this direction: its first element.
    Scratch(usize),
    /// The result on the way forward, its gradient on the way back.
    Result,
    /// The gradient of an operand.
    Gradient(usize),
}

/// An array of a call.
#[derive(Clone, Copy, Debug)]
pub struct GradientTerm {
    /// Where it is.
    pub place: GradientPlace,
    pub(super) labels: [Label; MAX_AXES],
    pub(super) lens: [usize; MAX_AXES],
    pub(super) strides: [isize; MAX_AXES],
    pub(super) rank: usize,
    /// Whether its elements count as conjugated.
    pub conj: bool,
}

impl GradientTerm {
    pub(super) const NONE: GradientTerm = GradientTerm {
        place: GradientPlace::Result,
        labels: [0; MAX_AXES],
        lens: [1; MAX_AXES],
        strides: [0; MAX_AXES],
        rank: 0,
        conj: false,
    };

    /// The label of each axis.
    #[inline]
    pub const fn labels(&self) -> &[Label] {
        self.labels.split_at(self.rank).0
    }

    /// Its lengths and strides.
    #[inline]
    pub const fn array(&self) -> FixedArray<'_> {
        let shape = self.lens.split_at(self.rank).0;
        let array = FixedArray::strided(shape, self.strides.split_at(self.rank).0);
        FixedArray {
            conj: self.conj,
            ..array
        }
    }

    #[inline]
    const fn moved(mut self, scratch: usize, operands: usize) -> GradientTerm {
        self.place = match self.place {
            GradientPlace::Scratch(at) => GradientPlace::Scratch(at + scratch),
            GradientPlace::Operand(p) => GradientPlace::Operand(p + operands),
            place => place,
        };
        self
    }

    /// One more axis; false if there are too many.
    #[inline]
    pub(super) const fn push(&mut self, label: usize, len: usize, stride: isize) -> bool {
        if self.rank == MAX_AXES {
            return false;
        }
        self.labels[self.rank] = label as Label;
        self.lens[self.rank] = len;
        self.strides[self.rank] = stride;
        self.rank += 1;
        true
    }
}

/// An einsum of one or two arrays.
#[derive(Clone, Copy, Debug)]
pub struct GradientCall {
    pub(super) inputs: [GradientTerm; 2],
    pub(super) binary: bool,
    /// What it makes.
    pub output: GradientTerm,
}

impl GradientCall {
    pub(super) const NONE: GradientCall = GradientCall {
        inputs: [GradientTerm::NONE; 2],
        binary: false,
        output: GradientTerm::NONE,
    };

    /// The same call with the tangent of input `i` in its place, and of its result: intermediates are `scratch` further
    /// on, operands `operands`. `tangents` is the call of the plan whose operands are the tangents.
    #[inline]
    pub const fn along(
        mut self,
        i: usize,
        tangents: &GradientCall,
        scratch: usize,
        operands: usize,
    ) -> GradientCall {
        self.inputs[i] = tangents.inputs[i].moved(scratch, operands);
        self.output = self.output.moved(scratch, operands);
        self
    }

    /// What it reads.
    #[inline]
    pub const fn inputs(&self) -> &[GradientTerm] {
        self.inputs.split_at(1 + self.binary as usize).0
    }
}
