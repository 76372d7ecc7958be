//! Element types as the tests see them.

use num_complex::Complex;

use cteinsum::Scalar;

use crate::data::rule;
use crate::oracle::Ring;

/// An element type with an exact twin for the oracle.
pub trait Element: Scalar {
    /// Numbers in which the oracle computes exactly.
    type Exact: Ring;
    /// Name for messages.
    const NAME: &'static str;
    /// Sums and products are exact below this magnitude; infinite if they are exact modulo a power of 2.
    const EXACT_BELOW: f64;
    /// Fills what no operand covers.
    const POISON: Self;
    /// An integer as an exact number.
    fn whole(n: i64) -> Self::Exact;
    /// Element n of operand k in the data.
    fn number(n: usize, k: usize) -> Self::Exact {
        Self::whole(rule(n, k))
    }
    /// The element that stands for an exact number.
    fn from_exact(exact: Self::Exact) -> Self;
    /// The bits.
    fn bits(self) -> u128;
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Element for $t {
            type Exact = i128;
            const NAME: &'static str = stringify!($t);
            const EXACT_BELOW: f64 = f64::INFINITY;
            const POISON: Self = 99;
            fn whole(n: i64) -> i128 {
                n as i128
            }
            fn from_exact(exact: i128) -> Self {
                exact as $t
            }
            fn bits(self) -> u128 {
                self as u128
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! floats {
    ($($t:ident $digits:literal)*) => {$(
        impl Element for $t {
            type Exact = i128;
            const NAME: &'static str = stringify!($t);
            const EXACT_BELOW: f64 = (1u64 << $digits) as f64;
            const POISON: Self = $t::NAN;
            fn whole(n: i64) -> i128 {
                n as i128
            }
            fn from_exact(exact: i128) -> Self {
                exact as $t
            }
            fn bits(self) -> u128 {
                self.to_bits() as u128
            }
        }
        impl Element for Complex<$t> {
            type Exact = Complex<i128>;
            const NAME: &'static str = concat!("Complex<", stringify!($t), ">");
            // A part of a product is the difference of two products, each below the bound.
            const EXACT_BELOW: f64 = (1u64 << ($digits - 1)) as f64;
            const POISON: Self = Complex::new($t::NAN, $t::NAN);
            fn whole(n: i64) -> Complex<i128> {
                Complex::new(n as i128, 0)
            }
            fn number(n: usize, k: usize) -> Complex<i128> {
                let imaginary = ((5 * n + 2 * k + 3) % 7) as i128 - 3;
                Complex::new(rule(n, k) as i128, imaginary)
            }
            fn from_exact(exact: Complex<i128>) -> Self {
                Complex::new(exact.re as $t, exact.im as $t)
            }
            fn bits(self) -> u128 {
                (self.re.to_bits() as u128) << 64 | self.im.to_bits() as u128
            }
        }
    )*};
}
floats!(f32 24 f64 53);
