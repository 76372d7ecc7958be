//! Factors, and the array on the left: what index notation has beside operands.

use crate::scalar::Scalar;

/// The array on the left of an equation, borrowed in place, or reborrowed if it is a reference already.
pub trait Place {
    /// As a method, for the sake of what rustc does to a receiver.
    #[inline]
    fn __einsum_place(&mut self) -> &mut Self {
        self
    }
}
impl<X: ?Sized> Place for X {}

/// `a · b`, of factors.
#[inline]
pub fn times<T: Scalar>(a: T, b: T) -> T {
    T::mul(a, b)
}

/// `-a`, of a factor.
#[inline]
pub fn negative<T: Scalar>(a: T) -> T {
    let minus_one = const {
        match T::MINUS_ONE {
            Some(minus_one) => minus_one,
            None => panic!("einsum: this element type has no `Scalar::MINUS_ONE`, so no `-`"),
        }
    };
    T::mul(minus_one, a)
}

/// `a / b`, of factors.
#[inline]
pub fn over<T: Quotient>(a: T, b: T) -> T {
    T::over(a, b)
}

/// Element types that divide without leaving a rest.
#[diagnostic::on_unimplemented(
    message = "einsum: `{Self}` has no division that undoes its product",
    label = "division by a scalar is for f32, f64 and complex numbers",
    note = "divide the result, or multiply by the inverse"
)]
pub trait Quotient: Scalar {
    /// `a / b`.
    fn over(a: Self, b: Self) -> Self;
}
macro_rules! quotients {
    ($($t:ty),*) => {$(
        impl Quotient for $t {
            #[inline]
            fn over(a: Self, b: Self) -> Self {
                a / b
            }
        }
    )*};
}
#[cfg(all(feature = "half", not(any(target_os = "none", cteinsum_no_std))))]
quotients!(half::f16, half::bf16);
quotients!(
    f32,
    f64,
    num_complex::Complex<f32>,
    num_complex::Complex<f64>
);
