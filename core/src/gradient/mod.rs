//! Derivatives of einsums: `einsum_vjp!` and `einsum_jvp!`.
//!
//! Where all lengths are constants, [`constant`] computes both ways. Else [`plan`] turns the steps of `cteinsum_plan::Gradient` into calls of the engine, remembered by it for the shapes of the
//! operands; [`steps`] runs those that write intermediates, [`run`] one of the others; [`pullback`] goes backward, [`tangent`] forward; [`results`] says which arrays
//! gradients are.

#[allow(unreachable_pub)] // public in the types of expansions
#[allow(clippy::type_complexity)] // an alias would hide what the types say
mod constant;
mod display;
mod last;
mod outcome;
pub(crate) mod plan;
#[allow(clippy::type_complexity)] // an alias would hide what the types say
mod pullback;
mod results;
mod run;
mod saved;
mod schedule;
mod steps;
mod tangent;

pub(crate) use constant::jvp as constant_jvp;
pub use constant::{Constant, Kept, Varying, constancy};
pub use outcome::{Outcome, Panics, Tries};
pub use pullback::Pullback;
pub use pullback::{Backward, Request};
pub(crate) use pullback::{In, vjp};
pub use results::{Accumulate, GradientLike, GradientOutput, Gradients};
pub(crate) use saved::{Home, Passing, Saved};
pub(crate) use tangent::jvp;

use crate::scalar::Scalar;

/// Element types that einsums are differentiated over: `f32`, `f64` and their complex numbers.
///
/// An element type of your own may implement it, if its [`add`](Scalar::add) and [`mul`](Scalar::mul) are those of a
/// field.
#[diagnostic::on_unimplemented(
    message = "einsum: there are no gradients over elements of type `{Self}`",
    label = "elements that can be differentiated over are f32, f64 and complex numbers",
    note = "convert integers first; an element type of your own implements `cteinsum::Differentiable`"
)]
pub trait Differentiable: Scalar {}
impl Differentiable for f32 {}
impl Differentiable for f64 {}
impl Differentiable for num_complex::Complex<f32> {}
impl Differentiable for num_complex::Complex<f64> {}
