//! The arrays that steps read and write.

use cteinsum_plan::{Label, Listed, Network};

use super::Place;
use crate::engine::raw::Layout;
use crate::engine::strides::label_strides;

/// An operand or intermediate: its distinct labels of length other than 1, and the stride of each.
pub(super) struct Source {
    pub(super) place: Place,
    pub(super) strides: Vec<(Label, isize)>,
    /// Real numbers among complex ones.
    pub(super) real: bool,
    pub(super) conj: bool,
}

impl Source {
    /// As [`stride`](Source::stride), in parts of complex numbers if asked for.
    pub(super) fn stride_in(&self, label: Label, parts: bool) -> isize {
        let stride = self.stride(label);
        match parts && !self.real {
            true => stride.wrapping_mul(2),
            false => stride,
        }
    }

    /// 0 where the label is not carried: the same element serves for every index.
    fn stride(&self, label: Label) -> isize {
        self.strides
            .iter()
            .find(|&&(l, _)| l == label)
            .map_or(0, |&(_, stride)| stride)
    }
}

/// The operands of a call. Real ones are told apart if they stand among complex ones.
pub(super) fn operand_sources(
    network: &Network,
    operands: &[Layout<'_>],
    mixed: bool,
) -> Vec<Source> {
    network
        .inputs
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(p, (labels, operand))| Source {
            place: Place::Operand(p),
            strides: label_strides(labels, operand.shape, operand.strides),
            real: mixed && operand.real,
            conj: operand.conj && !operand.real,
        })
        .listed()
}
