//! Einsum, worked out while the program compiles.
//!
//! [`einsum!`] reads the subscripts in the compiler: a mistake is an error that points at it, and what is left in the
//! program is one constant and one call.
//!
//! ```
//! use cteinsum::{Tensor, einsum};
//!
//! let a = Tensor::from_fn([2, 3], |[i, j]| (3 * i + j) as f64);
//! let b = Tensor::from_fn([3, 4], |[j, k]| (4 * j + k) as f64);
//! let c = einsum!("ij,jk->ik", a, b);
//! assert_eq!(c.shape(), &[2, 4]);
//! let s: f64 = einsum!("ij,ij->", a, a);
//! assert_eq!(s, 55.0);
//! ```
//!
//! - [`einsum!`], [`try_einsum!`]: subscripts known when the program is written. The options and the table from NumPy's
//!   and JAX's `optimize=` are there.
//! - [`Einsum`]: subscripts known only when it runs. [`dot_general`], [`tensordot`]: axis numbers instead of labels.
//! - [`Tensor`] and its views: an array of the crate's own. Nested arrays, `Vec` and slices are operands as they are;
//!   other array types implement [`Operand`].
//! - [`Engine`]: threads, workspace and prepared calls. Without one, each thread keeps one of its own;
//!   [`set_default_threads`] lends it threads.
//! - [`Scalar`]: the element types, and how to add one. [`conj`]: conjugation without a copy.
//!
//! # Environment
//!
//! `CTEINSUM_ISA=portable` or `avx2`, read once, keeps the crate's own kernels from using later instruction sets, for
//! tests. Results are bit-identical for one instruction set, not across them.

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
mod join;
mod macros;
#[cfg(feature = "gradient")]
mod macros_of_derivatives;
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

#[doc(hidden)]
pub use private as __private;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
#[doc(hidden)]
pub use cteinsum_kernels as kernel;

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
pub use einsum::{Einsum, PreparedEinsum};
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
pub use scalar::Scalar;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use tensor::{
    DynTensor, DynTensorView, DynTensorViewMut, Iter, IterMut, LayoutError, Slice, Tensor,
    TensorView, TensorViewMut, s,
};

#[cfg(any(target_os = "none", cteinsum_no_std))]
pub use tensor::{TensorView, TensorViewMut};
