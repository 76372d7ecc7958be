//! Einsums whose lengths are all constants: bound, ordered and lowered to loops in const evaluation.
//!
//! ```text
//! Spec, FixedArrays ─ Bound::new ─▶ Bound ─ order ─▶ tree ─ lower ─▶ FixedPlan { steps: loops over strided axes }
//! ```
//!
//! Everything is a `const fn`, `#[inline]` so that nobody compiles it, over arrays of a fixed capacity, without `alloc`: a call site computes its plan while
//! it compiles, and what is left of it in the program are the constants of its loops. What exceeds a capacity is not
//! an error but [`FixedPlan::fits`]` == false`; the engine computes it.

mod array;
mod bind;
#[cfg(feature = "gradient")]
pub mod gradient;
mod lower;
mod nest;
mod order;
mod step;
#[cfg(test)]
mod tests;

pub use array::{FixedArray, FixedStrides};
pub use bind::{Bound, Carried, LabelSet};
pub use order::FixedTree;
pub use step::{FixedAxis, FixedGroup, FixedPlace, FixedPlan, FixedStep};

/// Most operands of a fixed plan.
pub const MAX_OPERANDS: usize = 16;
/// Most labels of a fixed plan, axes of `...` included.
pub const MAX_LABELS: usize = 64;
/// Most steps of a fixed plan.
pub const MAX_STEPS: usize = 32;
/// Most axes of a step, once those that are one loop are joined.
pub const MAX_AXES: usize = 16;
