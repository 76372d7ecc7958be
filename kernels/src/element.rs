//! Element types as kernels need them.

use core::fmt::Debug;

use num_complex::Complex;

use crate::kind::Kind;
use crate::operands::Operands;
use crate::pack_buffer::PackBuffer;
use crate::prepared::Prepared;
use crate::team::Team;

/// A commutative semiring whose elements can be copied between threads.
pub trait Element: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;
    /// `a + b`.
    fn add(a: Self, b: Self) -> Self;
    /// `a * b`.
    fn mul(a: Self, b: Self) -> Self;
    /// The complex conjugate; `a` itself where there is none.
    #[cfg_attr(optimised, inline(always))]
    fn conj(a: Self) -> Self {
        a
    }

    /// Which kernels there are for the type: [`Kind::Other`] unless it has the size, the values and the arithmetic of
    /// that kind.
    const KIND: Kind = Kind::Other;

    /// Runs a prepared step. The types of this crate override it with functions that are compiled here; a signed integer
    /// runs as the unsigned one, whose sums and products have the same bits.
    ///
    /// # Safety
    ///
    /// As for [`Prepared::execute`].
    unsafe fn run_step(
        step: &Prepared,
        operands: &Operands<Self>,
        team: &mut Team,
        pack: &mut PackBuffer,
    ) {
        // SAFETY: the caller's promise.
        unsafe { step.execute::<Self>(operands, team, pack) }
    }
}

/// The kernels of a type, compiled in this crate.
macro_rules! compiled_here {
    ($kind:ident) => {
        const KIND: Kind = Kind::$kind;

        #[inline(never)]
        unsafe fn run_step(
            step: &Prepared,
            operands: &Operands<Self>,
            team: &mut Team,
            pack: &mut PackBuffer,
        ) {
            // SAFETY: the caller's promise.
            unsafe { step.execute::<Self>(operands, team, pack) }
        }
    };
    ($kind:ident, $twin:ty) => {
        const KIND: Kind = Kind::$kind;

        #[inline(never)]
        unsafe fn run_step(
            step: &Prepared,
            operands: &Operands<Self>,
            team: &mut Team,
            pack: &mut PackBuffer,
        ) {
            // SAFETY: the caller's promise; the two types have the same size, values and arithmetic, bit by bit.
            unsafe { step.execute::<$twin>(&operands.cast(), team, pack) }
        }
    };
}

macro_rules! floats {
    ($($t:ty, $kind:ident, $complex:ident);*) => {$(
        impl Element for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[cfg_attr(optimised, inline(always))]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[cfg_attr(optimised, inline(always))]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            compiled_here!($kind);
        }

        impl Element for Complex<$t> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            #[cfg_attr(optimised, inline(always))]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[cfg_attr(optimised, inline(always))]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            #[cfg_attr(optimised, inline(always))]
            fn conj(a: Self) -> Self {
                Complex::new(a.re, -a.im)
            }
            compiled_here!($complex);
        }
    )*};
}

macro_rules! integers {
    ($($t:ty, $twin:ty, $kind:ident);*) => {$(
        impl Element for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[cfg_attr(optimised, inline(always))]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[cfg_attr(optimised, inline(always))]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            compiled_here!($kind, $twin);
        }
    )*};
}

floats!(f32, F32, C32; f64, F64, C64);
integers!(
    i8, u8, U8; i16, u16, U16; i32, u32, U32; i64, u64, U64; i128, u128, U128;
    u8, u8, U8; u16, u16, U16; u32, u32, U32; u64, u64, U64; u128, u128, U128
);
#[cfg(target_pointer_width = "64")]
integers!(isize, u64, U64; usize, u64, U64);
#[cfg(target_pointer_width = "32")]
integers!(isize, u32, U32; usize, u32, U32);
#[cfg(target_pointer_width = "16")]
integers!(isize, u16, U16; usize, u16, U16);
