//! Compile-time einsum.

pub mod kernel;
mod operand;
mod scalar;
mod tensor;

pub use operand::{AnyRank, Axes, Dims, Dyn, Operand, Rank, View};
pub use scalar::Scalar;
pub use tensor::TensorView;
