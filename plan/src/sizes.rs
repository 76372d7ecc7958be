//! One size a label.

use alloc::vec::Vec;

use crate::{network::Network, spec::Label};

/// An axis of an operand and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisSize {
    /// The operand, counted from 0.
    pub operand: usize,
    /// The axis, counted from 0.
    pub axis: usize,
    /// Its length.
    pub size: usize,
}

/// The shapes of the operands contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SizeError {
    /// There are not as many shapes, or not as many lengths in one, as the network was made for.
    Rank {
        /// The operand, counted from 0.
        operand: usize,
        /// Axes in the network.
        expected: usize,
        /// Axes of the shape.
        found: usize,
    },
    /// A label has two lengths in two operands, neither of them 1.
    Mismatch {
        /// The label; [`Network::label`] says what it stands for.
        label: Label,
        /// The first axis of the label whose length is not 1.
        first: AxisSize,
        /// The first axis that contradicts it.
        second: AxisSize,
    },
    /// A label is repeated in one operand, with two lengths. A length of 1 does not broadcast there.
    Diagonal {
        /// The label; [`Network::label`] says what it stands for.
        label: Label,
        /// The first axis of the label in this operand.
        first: AxisSize,
        /// The first axis that contradicts it.
        second: AxisSize,
    },
}

impl Network {
    /// The size of every label, given the shapes.
    ///
    /// Axes with one label must have one length; across operands, a length of 1 fits any other (and is repeated). A
    /// label whose lengths are all 1 has size 1.
    ///
    /// # Errors
    /// The first contradiction, operands and axes in order.
    pub fn bind(&self, shapes: &[&[usize]]) -> Result<Vec<usize>, SizeError> {
        let mut sizes = alloc::vec![1; self.labels];
        // The axis that settled the size of a label.
        let mut settled: Vec<Option<AxisSize>> = alloc::vec![None; self.labels];
        for (operand, labels) in self.inputs.iter().enumerate() {
            let shape: &[usize] = shapes.get(operand).copied().unwrap_or_default();
            if shape.len() != labels.len() {
                return Err(SizeError::Rank {
                    operand,
                    expected: labels.len(),
                    found: shape.len(),
                });
            }
            for (axis, (&label, &size)) in labels.iter().zip(shape).enumerate() {
                let second = AxisSize {
                    operand,
                    axis,
                    size,
                };
                // A term has few labels, most of them once: looking back is cheaper than a table.
                if let Some(earlier) = labels[..axis].iter().position(|&l| l == label) {
                    if shape[earlier] != size {
                        let first = AxisSize {
                            operand,
                            axis: earlier,
                            size: shape[earlier],
                        };
                        return Err(SizeError::Diagonal {
                            label,
                            first,
                            second,
                        });
                    }
                } else if size != 1 {
                    match settled[usize::from(label)] {
                        Some(first) if first.size != size => {
                            return Err(SizeError::Mismatch {
                                label,
                                first,
                                second,
                            });
                        }
                        Some(_) => {}
                        None => {
                            settled[usize::from(label)] = Some(second);
                            sizes[usize::from(label)] = size;
                        }
                    }
                }
            }
        }
        if shapes.len() > self.inputs.len() {
            let operand = self.inputs.len();
            return Err(SizeError::Rank {
                operand,
                expected: 0,
                found: shapes[operand].len(),
            });
        }
        Ok(sizes)
    }
}
