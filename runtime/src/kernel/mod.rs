//! Kernels: strided contractions, reductions and copies.
//!
//! Kernels know nothing of labels. A step is a [`Contraction`] or a [`Reduction`]: loops with strides for up to
//! three arrays. [`Prepared`] fuses the loops and chooses a kernel; [`Prepared::run`] runs it.

mod axis;
mod cascade;
mod copy;
mod decide;
mod direct;
mod elementwise;
#[cfg(feature = "faer")]
mod faer_gemm;
mod fuse;
mod isa;
mod kind;
mod operands;
mod pack_buffer;
mod packed;
mod prepared;
mod route;
mod scale;
mod share;
mod sum;
mod team;
mod walk;

pub use axis::{Axis, AxisList, Contraction, Reduction};
pub(crate) use kind::Kind;
pub(crate) use operands::Operands;
pub use pack_buffer::PackBuffer;
pub use prepared::Prepared;
pub use route::{Kernel, Reason, Route};
pub use scale::Scale;
pub use team::{Team, TeamError};

#[cfg(test)]
mod tests;
