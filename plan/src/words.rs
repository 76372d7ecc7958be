//! What the errors of explicit orders and of integer labels say, for the macro and the run time alike.

use alloc::{format, string::String};
use core::fmt;

use crate::{labels::LabelsError, order::OrderError};

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderError::Parentheses => {
                f.write_str("parentheses fix the order already: give either them or `order`")
            }
            OrderError::EmptyStep { step } => write!(f, "step {step} of the path is empty"),
            OrderError::NoSuchPosition {
                step,
                position,
                tensors,
            } => write!(
                f,
                "step {step} of the path takes position {position}, but there {} then (0 to {})",
                if *tensors == 1 {
                    String::from("is 1 tensor")
                } else {
                    format!("are {tensors} tensors")
                },
                tensors.saturating_sub(1)
            ),
            OrderError::PositionTwice { step, position } => {
                write!(f, "step {step} of the path takes position {position} twice")
            }
            OrderError::PathTooShort { steps, left } => write!(
                f,
                "the path ends after {steps} step{} with {left} tensors left to contract",
                if *steps == 1 { "" } else { "s" }
            ),
            OrderError::TreeLength { steps, expected } => write!(
                f,
                "the tree has {steps} step{}, expected {expected}: one less than there are operands",
                if *steps == 1 { "" } else { "s" }
            ),
            OrderError::NoSuchTensor {
                step,
                tensor,
                tensors,
            } => write!(
                f,
                "step {step} of the tree takes tensor {tensor}, but there are {tensors} operands and results then (0 to {})",
                tensors.saturating_sub(1)
            ),
            OrderError::UsedTwice {
                step,
                tensor,
                first,
            } if step == first => {
                write!(
                    f,
                    "step {step} of the tree contracts tensor {tensor} with itself"
                )
            }
            OrderError::UsedTwice {
                step,
                tensor,
                first,
            } => {
                write!(
                    f,
                    "step {step} of the tree takes tensor {tensor}, which step {first} has used up"
                )
            }
        }
    }
}

impl fmt::Display for LabelsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelsError::NoOperands => f.write_str("an einsum needs at least one operand"),
            LabelsError::UnknownOutputLabel { axis, label } => {
                write!(f, "output label {label} (axis {axis}) is in no input")
            }
            LabelsError::TooManyLabels => f.write_str("too many labels"),
        }
    }
}

impl core::error::Error for OrderError {}
impl core::error::Error for LabelsError {}
