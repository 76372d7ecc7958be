//! Compile-time einsum.

pub mod kernel;
mod operand;
mod scalar;
mod tensor;

pub use operand::{AnyRank, Axes, Dims, Dyn, Operand, Rank, View, ViewMut};
pub use scalar::Scalar;
pub use tensor::{
    DynTensor, DynTensorView, DynTensorViewMut, Iter, IterMut, LayoutError, Slice, Tensor,
    TensorView, TensorViewMut, s,
};
