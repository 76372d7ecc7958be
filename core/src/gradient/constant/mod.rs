//! Derivatives of einsums whose lengths are all constants: no allocation, no engine.
//!
//! `cteinsum_plan::fixed::gradient` plans both directions in const evaluation as calls of one or two arrays; each is an
//! einsum of [`fixed`](crate::fixed) with kernels of its own. [`rooms`] is the memory of what is saved, as a type;
//! [`calls`] runs the calls; [`kept`] is what the way forward leaves, [`tangent`] the product rule.

mod calls;
mod facts;
mod kept;
mod rooms;
mod tangent;

pub use calls::{LastCall, Memory, Way};
pub use facts::Facts;
pub(crate) use facts::each;
pub use kept::{Constant, Kept, Varying, constancy};
pub(crate) use tangent::jvp;
