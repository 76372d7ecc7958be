//! Element types.

use core::fmt::Debug;

use crate::engine::execute::{self, Fresh};
use crate::engine::plan::Plan;
use crate::engine::{Engine, Raw, RawMut};
use crate::error::EinsumError;
use crate::operand::Operand;
use crate::output::OperandMut;

/// An element type of an einsum: a commutative (semi)ring that can be copied between threads.
///
/// Implemented for `f32`, `f64`, [`Complex<f32>`](num_complex::Complex), `Complex<f64>` and every primitive
/// integer; integer arithmetic wraps (two's complement) in every build profile. `fn f<T: Scalar>(..)` is
/// enough of a bound to call `einsum!` on tensors of `T`.
///
/// Every scalar is itself an operand without axes; [`scalar_operand!`](crate::scalar_operand) writes that part
/// for an element type of your own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of einsum",
    note = "element types are f32, f64, Complex<f32>, Complex<f64>, the integers, and types that implement `cteinsum::Scalar`"
)]
pub trait Scalar:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Operand<Elem = Self, Dims = ()>
    + OperandMut<Elem = Self, Dims = ()>
{
    /// The neutral element of addition: the value of an empty sum.
    const ZERO: Self;
    /// The neutral element of multiplication: the value of an empty product.
    const ONE: Self;
    /// `a + b`.
    fn add(a: Self, b: Self) -> Self;
    /// `a * b`.
    fn mul(a: Self, b: Self) -> Self;
    /// The complex conjugate; `a` itself where there is none.
    #[inline]
    fn conj(a: Self) -> Self {
        a
    }

    /// The way into the engine. The built-in types override it with a function compiled in this crate, so that a call
    /// site does not compile the engine again.
    #[doc(hidden)]
    fn __einsum(
        engine: &mut Engine,
        plan: Plan<'_>,
        operands: &[Raw<'_, Self>],
    ) -> Result<Fresh<Self>, EinsumError> {
        execute::fresh(engine, plan, operands)
    }

    /// As `__einsum`, into a given output: `C <- alpha * einsum + beta * C`.
    #[doc(hidden)]
    fn __einsum_into(
        engine: &mut Engine,
        plan: Plan<'_>,
        operands: &[Raw<'_, Self>],
        output: &RawMut<'_, Self>,
        alpha: Self,
        beta: Self,
    ) -> Result<(), EinsumError> {
        execute::into(engine, plan, operands, output, alpha, beta)
    }
}

/// The entries of a built-in element type.
macro_rules! entry {
    () => {
        #[inline(never)]
        fn __einsum(
            engine: &mut Engine,
            plan: Plan<'_>,
            operands: &[Raw<'_, Self>],
        ) -> Result<Fresh<Self>, EinsumError> {
            execute::fresh(engine, plan, operands)
        }

        #[inline(never)]
        fn __einsum_into(
            engine: &mut Engine,
            plan: Plan<'_>,
            operands: &[Raw<'_, Self>],
            output: &RawMut<'_, Self>,
            alpha: Self,
            beta: Self,
        ) -> Result<(), EinsumError> {
            execute::into(engine, plan, operands, output, alpha, beta)
        }
    };
}

macro_rules! real {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            entry!();
        }
        crate::scalar_operand!($t);

        impl Scalar for num_complex::Complex<$t> {
            const ZERO: Self = num_complex::Complex::new(0.0, 0.0);
            const ONE: Self = num_complex::Complex::new(1.0, 0.0);
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            #[inline]
            fn conj(a: Self) -> Self {
                num_complex::Complex::new(a.re, -a.im)
            }
            entry!();
        }
        crate::scalar_operand!(num_complex::Complex<$t>);
    )*};
}

macro_rules! integer {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            entry!();
        }
        crate::scalar_operand!($t);
    )*};
}

real!(f32, f64);
integer!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

/// Makes an element type of your own an operand without axes, as [`Scalar`] asks.
///
/// ```
/// use cteinsum::Scalar;
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Mod7(u8);
/// cteinsum::scalar_operand!(Mod7);
/// impl Scalar for Mod7 {
///     const ZERO: Self = Mod7(0);
///     const ONE: Self = Mod7(1);
///     fn add(a: Self, b: Self) -> Self { Mod7((a.0 + b.0) % 7) }
///     fn mul(a: Self, b: Self) -> Self { Mod7((a.0 * b.0) % 7) }
/// }
/// ```
#[macro_export]
macro_rules! scalar_operand {
    ($t:ty) => {
        impl $crate::Operand for $t {
            type Elem = Self;
            type Dims = ();
            type View<'a> = $crate::TensorView<'a, Self, 0>;
            #[inline]
            fn operand_view(&self) -> $crate::TensorView<'_, Self, 0> {
                $crate::TensorView::from_element(self)
            }
        }
        impl $crate::OperandMut for $t {
            type Elem = Self;
            type Dims = ();
            type ViewMut<'a> = $crate::TensorViewMut<'a, Self, 0>;
            #[inline]
            fn operand_view_mut(&mut self) -> $crate::TensorViewMut<'_, Self, 0> {
                $crate::TensorViewMut::from_element(self)
            }
        }
    };
}
