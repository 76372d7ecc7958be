//! Tensors, operands, the engine and the einsums of run time of `cteinsum`: all of it but the macros.
//!
//! A crate of its own because macros compile for long, and nothing here has to wait for them. Users see it as
//! [`cteinsum`](https://docs.rs/cteinsum), which re-exports everything, and so do the examples in this documentation.

#![cfg_attr(any(target_os = "none", cteinsum_no_std), no_std)]

#[cfg(feature = "algebras")]
pub mod algebra;
mod arrays;
mod conj;
mod dims;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod dot_general;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod einsum;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod engine;
#[cfg(any(target_os = "none", cteinsum_no_std))]
#[path = "bare/engine.rs"]
mod engine;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod error;
#[cfg(any(target_os = "none", cteinsum_no_std))]
#[path = "bare/error.rs"]
mod error;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub mod families;
mod family;
#[doc(hidden)]
#[allow(rustdoc::private_intra_doc_links)] // hidden: its links are for readers of the source
pub mod fixed;
#[cfg(feature = "gradient")]
mod gradient;
#[cfg(all(feature = "half", not(any(target_os = "none", cteinsum_no_std))))]
mod half;
mod join;
mod operand;
mod output;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod own;
#[doc(hidden)]
#[allow(rustdoc::private_intra_doc_links)] // hidden: its links are for readers of the source
pub mod private;
mod scalar;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod tensor;
#[cfg(any(target_os = "none", cteinsum_no_std))]
#[path = "bare/tensor.rs"]
mod tensor;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod widen;

#[doc(hidden)]
pub use private as __private;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// The kernels, which are a crate of their own.
#[doc(hidden)]
pub mod kernel {
    pub use cteinsum_kernels::*;
}

pub use arrays::Arrays;
pub use conj::{Conj, ConjView, conj};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use cteinsum_plan::{
    Cost, Diagnostic, IntermediateTooLarge, LabelsError, Mistake, Order, OrderError,
};
#[cfg(feature = "report")]
pub use cteinsum_plan::{Plan, PlanReport, SizesError};
pub use dims::{
    AnyRank, Axes, Axis, Const, CoversNothing, Dims, Dyn, HasAtLeast, HasRank, KnownRank, Longest,
    Part, Rank, RankKind,
};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use dot_general::{DotDimensions, TensordotAxes, dot_general, tensordot};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use einsum::{Einsum, MixedView, PreparedEinsum};
#[cfg(feature = "report")]
pub use engine::Explanation;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use engine::{Engine, EngineError, EngineStats, set_default_threads};
#[cfg(any(target_os = "none", cteinsum_no_std))]
pub use error::EinsumError;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use error::{AxesError, Derivative, EinsumError, LabelName, LabelledAxis};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use family::{Family, NoFamily, Pending, ResultOf, Results, Tensors};
#[cfg(any(target_os = "none", cteinsum_no_std))]
pub use family::{Family, NoFamily, ResultOf, Results, Tensors};
#[cfg(feature = "gradient")]
pub use gradient::{
    Accumulate, Differentiable, GradientLike, GradientOutput, Gradients, Outcome, Panics, Pullback,
    Tries,
};
#[cfg(feature = "report")]
pub use kernel::{Kernel, Reason, Route};
pub use num_complex::{self, Complex};
pub use operand::{Operand, OperandOfRank, OperandWithEllipsis, View, ViewMut};
pub use output::{OperandMut, OutputLike, OutputOfRank};
pub use scalar::{Real, Scalar};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use tensor::{
    DynTensor, DynTensorView, DynTensorViewMut, Iter, IterMut, LayoutError, Slice, Tensor,
    TensorView, TensorViewMut, s,
};

#[cfg(any(target_os = "none", cteinsum_no_std))]
pub use tensor::{TensorView, TensorViewMut};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use widen::{Widen, Widened, widened};
