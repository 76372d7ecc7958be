//! What the expansion of a macro calls. Not part of the public interface: it changes with the macros.
//!
//! An expansion imports all of it. `bind` takes the operands in, one after the other; `join` says
//! what is known of a label's length where it stands twice; `contract` and `out` hand over to the engine.

mod bind;
#[cfg(feature = "algebras")]
mod by;
mod contract;
mod covers;
#[allow(clippy::type_complexity)] // an alias would hide what the types say
mod elements;
mod factor;
#[cfg(feature = "gradient")]
#[allow(clippy::type_complexity)] // an alias would hide what the types say
mod gradient;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod many;
mod operands;
mod out;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
mod sum;
mod summands;

pub use bind::*;
#[cfg(feature = "algebras")]
pub use by::*;
pub use contract::*;
pub use covers::*;
pub use elements::*;
pub use factor::*;
#[cfg(feature = "gradient")]
pub use gradient::*;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use many::*;
pub use operands::*;
pub use out::*;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use sum::*;
pub use summands::*;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use crate::engine::MemoryOrder;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use crate::engine::execute::{Fresh, Shape};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use crate::engine::plan::Plan;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
pub use crate::engine::sum::Term;
pub use crate::engine::{Raw, RawMut};
pub use crate::join::*;
pub use crate::{
    __einsum_diagonal, __einsum_dots, __einsum_given, __einsum_given_dots, __einsum_join,
};
// What an expansion names, whatever is called so around the call.
pub use core::option::Option::{None, Some};
pub use cteinsum_plan::{Cost, ELLIPSIS};

use crate::dims::Axes;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::Engine;
use crate::error::EinsumError;
use crate::family::ResultOf;
use crate::operand::Operand;

/// The constant of a call.
pub type Spec = cteinsum_plan::Spec<'static>;

/// The constant of a call with one or two operands: there is one order only.
pub const fn spec(
    text: &'static str,
    inputs: &'static [&'static [u16]],
    output: &'static [u16],
) -> Spec {
    let tree: &[(u32, u32)] = if inputs.len() < 2 { &[] } else { &[(0, 1)] };
    Spec::new(text, inputs, output, tree)
}

/// A number of labels.
#[derive(Debug)]
pub struct Rank<const N: usize>;

/// The result of an output term of `N` labels, if the first operand is an `X`.
type Closed<const N: usize, X> = <<crate::dims::Rank<N> as Axes>::List as ResultOf<
    <X as Operand>::Elem,
    <X as Operand>::Family,
>>::Out;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// The engine of a call, reborrowed.
#[inline]
pub fn borrow_engine(engine: &mut Engine) -> &mut Engine {
    engine
}

impl<const N: usize> Rank<N> {
    /// The type of a rejected call, so that what follows it still type-checks.
    pub fn rejected<X: Operand + ?Sized>(_first: &X) -> Closed<N, X>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<X::Elem, X::Family>>,
    {
        unreachable!("the call was rejected when the program was compiled")
    }

    /// The type of a rejected call of `try_einsum!`.
    ///
    /// # Errors
    /// Never returns.
    pub fn try_rejected<X: Operand + ?Sized>(_first: &X) -> Result<Closed<N, X>, EinsumError>
    where
        crate::dims::Rank<N>: Axes<List: ResultOf<X::Elem, X::Family>>,
    {
        unreachable!("the call was rejected when the program was compiled")
    }
}

#[track_caller]
fn or_panic<O>(result: Result<O, EinsumError>) -> O {
    match result {
        Ok(out) => out,
        Err(error) => error.raise(),
    }
}
