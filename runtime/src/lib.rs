//! Compile-time einsum.

mod arrays;
mod conj;
mod dims;
mod dot_general;
mod einsum;
mod engine;
mod error;
pub mod families;
mod family;
#[doc(hidden)]
pub mod fixed;
mod join;
pub mod kernel;
mod macros;
mod operand;
mod output;
#[doc(hidden)]
pub mod private;
mod scalar;
mod tensor;

#[doc(hidden)]
pub use private as __private;

pub use arrays::Arrays;
pub use conj::{Conj, ConjView, conj};
pub use cteinsum_plan::{Diagnostic, LabelsError, Mistake, Order, OrderError};
pub use dims::{
    AnyRank, Axes, Axis, Const, CoversNothing, Dims, Dyn, HasAtLeast, HasRank, Longest, Rank,
};
pub use dot_general::{DotDimensions, TensordotAxes, dot_general, tensordot};
pub use einsum::Einsum;
pub use engine::{Engine, EngineError, EngineStats, set_default_threads};
pub use error::{AxesError, EinsumError, LabelName, LabelledAxis};
pub use family::{Family, NoFamily, Pending, ResultOf, Results, Tensors};
pub use num_complex::{self, Complex};
pub use operand::{Operand, OperandOfRank, OperandWithEllipsis, View, ViewMut};
pub use output::{OperandMut, OutputLike, OutputOfRank};
pub use scalar::Scalar;
pub use tensor::{
    DynTensor, DynTensorView, DynTensorViewMut, Iter, IterMut, LayoutError, Slice, Tensor,
    TensorView, TensorViewMut, s,
};
