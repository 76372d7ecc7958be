//! How a call ends: by a panic, or with an error.

use core::fmt::Debug;

use crate::error::EinsumError;

/// How a call ends whose sizes do not fit.
#[doc(hidden)]
pub trait Outcome: Debug + 'static {
    /// What a call gives instead of a `G`.
    type Of<G>;
    /// Ends the call.
    fn end<G>(result: Result<G, EinsumError>) -> Self::Of<G>;
    /// What a call gave that has ended.
    #[doc(hidden)]
    fn result<G>(of: Self::Of<G>) -> Result<G, EinsumError>;
}
/// By a panic: the outcome of `einsum_vjp!`.
#[derive(Debug)]
#[doc(hidden)]
pub enum Panics {}
/// With an [`EinsumError`]: the outcome of `try_einsum_vjp!`.
#[derive(Debug)]
#[doc(hidden)]
pub enum Tries {}
impl Outcome for Panics {
    type Of<G> = G;
    #[track_caller]
    #[inline]
    fn end<G>(result: Result<G, EinsumError>) -> G {
        match result {
            Ok(out) => out,
            Err(error) => error.raise(),
        }
    }
    #[inline]
    fn result<G>(of: G) -> Result<G, EinsumError> {
        Ok(of)
    }
}
impl Outcome for Tries {
    type Of<G> = Result<G, EinsumError>;
    #[inline]
    fn end<G>(result: Result<G, EinsumError>) -> Result<G, EinsumError> {
        result
    }
    #[inline]
    fn result<G>(of: Result<G, EinsumError>) -> Result<G, EinsumError> {
        of
    }
}
