//! Einsums whose lengths are all constants: bound, ordered and lowered to loops in const evaluation.
//!
//! ```text
//! Spec, FixedArrays ─ Bound::new ─▶ Bound ─ order ─▶ tree ─ lower ─▶ FixedPlan { steps: loops over strided axes }
//! ```
//!
//! Everything is a `const fn` over arrays of a fixed capacity, without `alloc`: a call site computes its plan while
//! it compiles, and what is left of it in the program are the constants of its loops. What exceeds a capacity is not
//! an error but [`FixedPlan::fits`]` == false`; the engine computes it.

mod array;
mod bind;

pub use array::{FixedArray, FixedStrides};
pub use bind::{Bound, LabelSet};

/// Most operands of a fixed plan.
pub const MAX_OPERANDS: usize = 16;
/// Most labels of a fixed plan, axes of `...` included.
pub const MAX_LABELS: usize = 64;
