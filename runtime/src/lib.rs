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
//! `CTEINSUM_ISA=portable` or `avx2`, read once, keeps the crate's own kernels from using later instruction sets (AVX-512 and
//! AVX2 on x86-64, NEON on AArch64), for tests. Results are bit-identical for one instruction set, not across them.

//!
//! This crate holds the fronts of the macros and is otherwise made of re-exports: the code is in `cteinsum-core`.

#![no_std]

mod macros;
#[cfg(feature = "gradient")]
mod macros_of_derivatives;

#[doc(inline)]
pub use cteinsum_core::*;

/// What the expansion of a macro names. Not part of the public interface: it changes with the macros.
#[doc(hidden)]
pub mod __private {
    pub use cteinsum_core::private::*;
    #[cfg(feature = "report")]
    pub use cteinsum_macros::einsum_plan;
    pub use cteinsum_macros::{einsum, try_einsum};
    #[cfg(feature = "gradient")]
    pub use cteinsum_macros::{einsum_jvp, einsum_vjp, try_einsum_jvp, try_einsum_vjp};
}
