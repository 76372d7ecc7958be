//! Gradients and tangents of `einsum_vjp!` and `einsum_jvp!`.

mod calls;
mod corners;
mod errors;
mod known;
mod mixed;
mod random;
mod wide;
