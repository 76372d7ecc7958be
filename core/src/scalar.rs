//! Element types.

use core::fmt::Debug;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use cteinsum_plan::Product;

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::execute::{self, Fresh, Shape};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::plan::Plan;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::small;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::engine::{Engine, MemoryOrder, Raw, RawMut};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::error::EinsumError;
use crate::family::NoFamily;
#[cfg(any(not(debug_assertions), test))]
use crate::fixed;
use crate::fixed::OnParts;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::kernel::small::{Along, Ready, Rest, run_little};
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::kernel::{Element, ElementType, Kind, Operands, PackBuffer, Prepared, Scale, Team};
use crate::operand::Operand;
use crate::output::OperandMut;
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
use crate::own;

/// An element type of an einsum: a commutative (semi)ring that can be copied between threads.
///
/// Implemented for `f32`, `f64`, [`Complex<f32>`](num_complex::Complex), `Complex<f64>` and every primitive
/// integer; integer arithmetic wraps (two's complement) in every build profile. With the feature `half` also for `f16` and
/// `bf16` of that crate, whose einsums are those of `f32`, rounded once: operands are converted at every call. `fn f<T: Scalar>(..)` is
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
    + Operand<Elem = Self, Dims = (), Family = NoFamily>
    + OperandMut<Elem = Self, Dims = ()>
{
    /// The neutral element of addition: the value of an empty sum.
    const ZERO: Self;
    /// The neutral element of multiplication: the value of an empty product.
    const ONE: Self;
    /// The additive inverse of [`ONE`](Scalar::ONE), if there is one: what `-` multiplies by in the index notation of
    /// `einsum!`.
    const MINUS_ONE: Option<Self> = None;
    /// `a + b`.
    fn add(a: Self, b: Self) -> Self;
    /// `a * b`.
    fn mul(a: Self, b: Self) -> Self;
    /// The complex conjugate; `a` itself where there is none.
    #[inline]
    fn conj(a: Self) -> Self {
        a
    }

    /// Whether the elements are anything but complex numbers.
    #[doc(hidden)]
    const __REAL: bool = true;

    /// Sums are made in another type, which is the engine's business.
    #[doc(hidden)]
    const __NARROW: bool = false;

    /// Of complex numbers: the kernels of their real and imaginary parts, for steps with real operands.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    const __PARTS: Option<Parts<Self>> = None;

    /// Which kernels there are for the type. A user cannot name the type of this constant, so only ours say more.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    const __KIND: Kind = Kind::Other;

    /// Runs a prepared step. The built-in types override it with kernels that are compiled already.
    ///
    /// # Safety
    ///
    /// As for [`Prepared::execute`](crate::kernel::Prepared::execute).
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    unsafe fn __run_step(
        step: &Prepared,
        operands: &Operands<Self>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        // SAFETY: the caller's promise.
        unsafe { own::run_step(step, operands, team, pack) }
    }

    /// The way into the engine. The built-in types override it with a function compiled in this crate, so that a call
    /// site does not compile the engine again.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    fn __einsum(
        engine: &mut Engine,
        plan: Plan<'_>,
        operands: &[Raw<'_, Self>],
        order: MemoryOrder,
    ) -> Result<Fresh<Self>, EinsumError> {
        execute::fresh(engine, plan, operands, order)
    }

    /// The shape of what `__einsum` would give.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    fn __einsum_shape(
        engine: &mut Engine,
        plan: Plan<'_>,
        operands: &[Raw<'_, Self>],
    ) -> Result<Shape, EinsumError> {
        execute::shape(engine, plan, operands)
    }

    /// As `__einsum`, into a given output: `C <- alpha * einsum + beta * C`.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
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

    /// As `__einsum_into`, for a small product that needs no engine; `false` if it is the engine's.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    #[inline(always)]
    fn __small_into(
        _: &Product,
        _: &[Raw<'_, Self>],
        _: &RawMut<'_, Self>,
        _alpha_and_beta: (Self, Self),
    ) -> bool {
        false
    }

    /// Runs such a product: compiled once.
    ///
    /// # Safety
    ///
    /// As for [`Ready::run`].
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    unsafe fn __run_small(_: &Ready<Self>) {
        unreachable!("no product is small");
    }

    /// Runs one of those whose loops are written out: compiled once.
    ///
    /// # Safety
    ///
    /// As for [`Ready::run`].
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    unsafe fn __run_little(
        _: Along<*const Self>,
        _: Along<*const Self>,
        _: Along<*mut Self>,
        _: Rest,
    ) {
        unreachable!("no product is small");
    }

    /// As `__einsum`, for a small product that needs no engine: its elements and, in `shape`, its shape.
    #[cfg(not(any(target_os = "none", cteinsum_no_std)))]
    #[doc(hidden)]
    #[inline(always)]
    fn __small(
        _: &Product,
        _: &[Raw<'_, Self>],
        _alpha: Self,
        _: MemoryOrder,
        _shape: &mut [usize],
    ) -> Option<Vec<Self>> {
        None
    }

    /// Of complex numbers: a step of a call of constant lengths, on arrays of the numbers that they consist of.
    ///
    /// # Safety
    ///
    /// As for [`OnParts::run`](crate::fixed::OnParts::run).
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn __on_parts<P: OnParts>(_: P, _: *const Self, _: *const Self, _: *mut Self) {
        unreachable!("a call of complex numbers")
    }

    /// A call whose lengths are all constants, with the vectors of the element type.
    ///
    /// # Safety
    ///
    /// As for [`contract_into`](crate::fixed::contract_into).
    #[cfg(any(not(debug_assertions), test))]
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn __fixed<K: fixed::Kernel<Self>>(kernel: K, operands: &[*const Self]) -> K::Out {
        // SAFETY: the caller's promise.
        unsafe { fixed::portable(kernel, operands) }
    }
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// A complex number as two real ones.
#[derive(Debug)]
#[allow(clippy::type_complexity)] // an alias would hide what the types say
pub struct Parts<T> {
    /// The type of a part.
    pub(crate) element: ElementType,
    pub(crate) is_real: fn(T) -> bool,
    /// As [`Scalar::__run_step`], for a step over parts: that is what the pointers lead to. Factors are real.
    pub(crate) run_step: unsafe fn(&Prepared, &Operands<T>, &mut Team, &mut PackBuffer),
}

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// The entries of a built-in element type.
macro_rules! entry {
    ($kind:ident) => {
        unsafe fn __run_step(
            step: &Prepared,
            operands: &Operands<Self>,
            team: &mut Team,
            pack: &mut PackBuffer,
        ) {
            // SAFETY: the caller's promise.
            unsafe { <Self as Element>::run_step(step, operands, team, pack) }
        }

        const __KIND: Kind = Kind::$kind;

        #[inline(never)]
        fn __einsum(
            engine: &mut Engine,
            plan: Plan<'_>,
            operands: &[Raw<'_, Self>],
            order: MemoryOrder,
        ) -> Result<Fresh<Self>, EinsumError> {
            execute::fresh(engine, plan, operands, order)
        }

        #[inline(never)]
        fn __einsum_shape(
            engine: &mut Engine,
            plan: Plan<'_>,
            operands: &[Raw<'_, Self>],
        ) -> Result<Shape, EinsumError> {
            execute::shape(engine, plan, operands)
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

#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
/// The entries of an element type whose small products need no engine.
macro_rules! small {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn __small_into(
            product: &Product,
            operands: &[Raw<'_, Self>],
            output: &RawMut<'_, Self>,
            scale: (Self, Self),
        ) -> bool {
            small::into_of(product, operands, output, scale)
        }

        #[inline(never)]
        unsafe fn __run_small(ready: &Ready<Self>) {
            // SAFETY: the caller's promise.
            unsafe { ready.run() }
        }

        #[inline(never)]
        unsafe fn __run_little(
            a: Along<*const Self>,
            b: Along<*const Self>,
            c: Along<*mut Self>,
            rest: Rest,
        ) {
            // SAFETY: the caller's promise.
            unsafe { run_little(a, b, c, rest) }
        }

        #[inline(never)]
        fn __small(
            product: &Product,
            operands: &[Raw<'_, Self>],
            alpha: Self,
            order: MemoryOrder,
            shape: &mut [usize],
        ) -> Option<Vec<Self>> {
            small::fresh_of(product, operands, alpha, order, shape)
        }
    };
}

/// The real numbers that complex ones are made of: `f32` and `f64`. They may stand beside these in one call.
pub trait Real: Scalar {}
impl Real for f32 {}
impl Real for f64 {}

/// The way to the kernels of the parts of a complex number.
#[cfg(not(any(target_os = "none", cteinsum_no_std)))]
macro_rules! parts {
    ($t:ty, $kind:ident) => {
        const __PARTS: Option<Parts<Self>> = Some(Parts {
            element: ElementType {
                kind: Kind::$kind,
                size: size_of::<$t>(),
                align: align_of::<$t>(),
            },
            is_real: |x| x.im == 0.0,
            run_step: |step, operands, team, pack| {
                let scale = operands.scale;
                let operands = Operands {
                    a: operands.a.cast::<$t>(),
                    b: operands.b.cast(),
                    c: operands.c.cast(),
                    scale: Scale {
                        alpha: scale.alpha.re,
                        beta: scale.beta.map(|beta| beta.re),
                        conj_a: false,
                        conj_b: false,
                    },
                };
                // SAFETY: the caller's promise.
                unsafe { <$t as Element>::run_step(step, &operands, team, pack) }
            },
        });
    };
}

#[cfg(any(target_os = "none", cteinsum_no_std))]
macro_rules! entry {
    ($kind:ident) => {};
}
#[cfg(any(target_os = "none", cteinsum_no_std))]
macro_rules! small {
    () => {};
}
#[cfg(any(target_os = "none", cteinsum_no_std))]
macro_rules! parts {
    ($t:ty, $kind:ident) => {};
}

macro_rules! real {
    ($($t:ty, $kind:ident, $complex:ident);*) => {$(
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MINUS_ONE: Option<Self> = Some(-1.0);
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            entry!($kind);
            small!();

            #[cfg(any(not(debug_assertions), test))]
            #[inline(always)]
            unsafe fn __fixed<K: fixed::Kernel<Self>>(kernel: K, operands: &[*const Self]) -> K::Out {
                // SAFETY: the caller's promise.
                unsafe { fixed::floats(kernel, operands) }
            }
        }
        crate::scalar_operand!($t);

        impl Scalar for num_complex::Complex<$t> {
            const ZERO: Self = num_complex::Complex::new(0.0, 0.0);
            const ONE: Self = num_complex::Complex::new(1.0, 0.0);
            const MINUS_ONE: Option<Self> = Some(num_complex::Complex::new(-1.0, 0.0));
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
            const __REAL: bool = false;
            #[inline(always)]
            unsafe fn __on_parts<P: OnParts>(step: P, a: *const Self, b: *const Self, c: *mut Self) {
                // SAFETY: the caller's promise.
                unsafe { step.run::<$t>(a.cast(), b.cast(), c.cast()) }
            }
            parts!($t, $kind);
            entry!($complex);
        }
        crate::scalar_operand!(num_complex::Complex<$t>);
    )*};
}

macro_rules! integer {
    ($($t:ty, $kind:ident);*) => {$(
        impl Scalar for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MINUS_ONE: Option<Self> = Some((0 as Self).wrapping_sub(1));
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            entry!($kind);
        }
        crate::scalar_operand!($t);
    )*};
}

real!(f32, F32, C32; f64, F64, C64);
integer!(
    i8, U8; i16, U16; i32, U32; i64, U64; i128, U128;
    u8, U8; u16, U16; u32, U32; u64, U64; u128, U128
);
#[cfg(target_pointer_width = "64")]
integer!(isize, U64; usize, U64);
#[cfg(target_pointer_width = "32")]
integer!(isize, U32; usize, U32);
#[cfg(target_pointer_width = "16")]
integer!(isize, U16; usize, U16);

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
            type Family = $crate::NoFamily;
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
