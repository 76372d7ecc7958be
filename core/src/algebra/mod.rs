//! Algebras: what `algebra = …` puts in the place of `+` and `·`.
//!
//! An einsum is a sum of products, and any commutative semiring has both: the order of contraction, the plans and the
//! kernels stay as they are.
//!
//! | `algebra =` | a ⊕ b | a ⊗ b | zero | one | elements |
//! |---|---|---|---|---|---|
//! | [`MaxPlus`] | the greater | a + b | −∞ | 0 | `f32`, `f64`, signed integers |
//! | [`MinPlus`] | the smaller | a + b | ∞ | 0 | `f32`, `f64`, integers |
//! | [`MaxMul`] | the greater | a · b | 0 | 1 | `f32`, `f64`, unsigned integers; none negative |
//! | [`BoolOr`] | a or b | a and b | `false` | `true` | `bool` |
//! | [`Count`] | the greater, with how often | a + b, of c · d ways | −∞, in no way | 0, in one way | [`Counted`] |
//!
//! ```
//! use cteinsum::{Tensor, einsum};
//! const NO_ROAD: f64 = f64::INFINITY;
//! let road = Tensor::from_vec([3, 3], vec![0.0, 4.0, NO_ROAD, 4.0, 0.0, 1.0, NO_ROAD, 1.0, 0.0]);
//! // The shortest ways of at most two roads.
//! let two = einsum!("ij,jk->ik", road, road, algebra = MinPlus);
//! assert_eq!(two.as_slice(), [0.0, 4.0, 5.0, 4.0, 0.0, 1.0, 5.0, 1.0, 0.0]);
//! ```
//!
//! One's own is a type that implements [`Algebra`]; `algebra =` takes its path. The five names above always mean the ones
//! here (`self::Count` is another). One whose sums are made in another type than its elements', such as log-sum-exp,
//! implements [`Accumulating`] instead.
//!
//! - The empty sum, and what stands off the diagonal of a repeated output label, is the zero of the algebra. `alpha` and
//!   `beta` act in it: alpha ⊗ result ⊕ beta ⊗ c. There is no negative and no quotient. `conj(…)` changes nothing.
//! - *NaN.* In a sum of [`MaxPlus`], [`MinPlus`] and [`MaxMul`] a NaN counts as zero, since it is neither greater nor
//!   smaller than a number; −∞ ⊗ ∞ is NaN, so that zero absorbs in sums. A product that is not summed is NaN.
//! - *Integers.* `MIN` is −∞ of [`MaxPlus`], `MAX` is ∞ of [`MinPlus`], and both absorb. Other sums and products
//!   beyond the range become the number at its end.
//! - [`MaxPlus`] and [`MinPlus`] over `f32` and `f64` have kernels of their own for the vector instructions of the
//!   machine, compiled with this crate; all others are compiled where they are used.

mod accumulating;
mod builtin;
mod counted;
mod within;

pub use accumulating::Accumulating;
pub use builtin::{BoolOr, Count, MaxMul, MaxPlus, MinPlus};
pub use counted::Counted;
pub(crate) use within::{entries, entries_of};

use core::fmt::Debug;

use crate::engine::execute::{Fresh, Shape};
use crate::engine::sum::Term;
use crate::engine::{Engine, MemoryOrder, RawMut};
use crate::error::EinsumError;
use crate::kernel::{Kind, Operands, PackBuffer, Prepared, Team};
use crate::own;
use crate::scalar::Scalar;
use within::In;

/// A commutative semiring of elements `T`.
///
/// `add` and `mul` must be associative and commutative, `mul` must distribute over `add`, `ZERO` is neutral for `add` and
/// absorbs in `mul`, and `ONE` is neutral for `mul`. Where rounding or NaN break this, the order of contraction shows.
///
/// ```
/// use cteinsum::algebra::Algebra;
/// use cteinsum::{Tensor, einsum};
///
/// /// The widest way: a way is as wide as its narrowest road.
/// #[derive(Clone, Copy, Debug)]
/// struct Bottleneck;
/// impl Algebra<f64> for Bottleneck {
///     const ZERO: f64 = 0.0;
///     const ONE: f64 = f64::INFINITY;
///     fn add(a: f64, b: f64) -> f64 { a.max(b) }
///     fn mul(a: f64, b: f64) -> f64 { a.min(b) }
/// }
///
/// let width = Tensor::from_vec([2, 2], vec![1.0, 3.0, 2.0, 5.0]);
/// let two = einsum!("ij,jk->ik", width, width, algebra = Bottleneck);
/// assert_eq!(two.as_slice(), [2.0, 3.0, 2.0, 5.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "einsum: `{Self}` is no algebra of these elements, `{T}`",
    label = "no `Algebra<{T}>`",
    note = "implement `cteinsum::algebra::Algebra<{T}>` for it, or take elements that it has"
)]
pub trait Algebra<T: Scalar>: Copy + Debug + Send + Sync + 'static {
    /// The neutral element of ⊕: the value of an empty sum.
    const ZERO: T;
    /// The neutral element of ⊗: the value of an empty product.
    const ONE: T;
    /// a ⊕ b.
    fn add(a: T, b: T) -> T;
    /// a ⊗ b.
    fn mul(a: T, b: T) -> T;

    /// As [`Scalar::__KIND`].
    #[doc(hidden)]
    const __KIND: Kind = Kind::Other;

    /// As [`Scalar::__run_step`].
    ///
    /// # Safety
    ///
    /// As for [`Prepared::execute`](crate::kernel::Prepared::execute).
    #[doc(hidden)]
    unsafe fn __run_step(
        step: &Prepared,
        operands: &Operands<T>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        // SAFETY: the caller's promise; `In` is transparent.
        unsafe { own::run_step::<In<Self, T>>(step, &operands.cast(), team, pack) }
    }

    /// The way into the engine; built-in algebras override it with functions compiled in this crate.
    #[doc(hidden)]
    fn __fresh(
        engine: &mut Engine,
        terms: &[Term<'_, T>],
        order: MemoryOrder,
    ) -> Result<Fresh<T>, EinsumError> {
        within::fresh::<Self, T>(engine, terms, order)
    }

    /// The shape of what `__fresh` would give.
    #[doc(hidden)]
    fn __shape(engine: &mut Engine, terms: &[Term<'_, T>]) -> Result<Shape, EinsumError> {
        within::shape::<Self, T>(engine, terms)
    }

    /// `C <- sum + beta * C`.
    #[doc(hidden)]
    fn __into(
        engine: &mut Engine,
        terms: &[Term<'_, T>],
        output: &RawMut<'_, T>,
        beta: T,
    ) -> Result<(), EinsumError> {
        within::into::<Self, T>(engine, terms, output, beta)
    }
}
