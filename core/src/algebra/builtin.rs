//! The algebras that come with the crate.

use super::{Algebra, Counted, entries_of};

/// The greatest of sums (⊕ is the greater, ⊗ is +): the best way, the ground state, the likeliest path by logarithms.
#[derive(Clone, Copy, Debug)]
pub struct MaxPlus;
/// The smallest of sums (⊕ is the smaller, ⊗ is +): shortest paths.
#[derive(Clone, Copy, Debug)]
pub struct MinPlus;
/// The greatest of products of numbers that are not negative (⊕ is the greater, ⊗ is ·): the likeliest path.
#[derive(Clone, Copy, Debug)]
pub struct MaxMul;
/// Whether there is any (⊕ is or, ⊗ is and): reachability, joins of relations.
#[derive(Clone, Copy, Debug)]
pub struct BoolOr;
/// [`MaxPlus`] that counts in how many ways the greatest sum comes about: a ground state and its degeneracy. The elements
/// are [`Counted`].
#[derive(Clone, Copy, Debug)]
pub struct Count;

/// `+`, `·` and their neutral elements; the comparison decides, and a NaN loses it.
macro_rules! floats {
    ($($t:ident $max:ident $min:ident),*) => {$(
        impl Algebra<$t> for MaxPlus {
            const ZERO: $t = $t::NEG_INFINITY;
            const ONE: $t = 0.0;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                if b > a || a.is_nan() { b } else { a }
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                a + b
            }
            entries_of!($t, $max);
        }
        impl Algebra<$t> for MinPlus {
            const ZERO: $t = $t::INFINITY;
            const ONE: $t = 0.0;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                if b < a || a.is_nan() { b } else { a }
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                a + b
            }
            entries_of!($t, $min);
        }
        impl Algebra<$t> for MaxMul {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                if b > a || a.is_nan() { b } else { a }
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                a * b
            }
        }
    )*};
}
floats!(f32 MaxF32 MinF32, f64 MaxF64 MinF64);

macro_rules! signed {
    ($($t:ident),*) => {$(
        impl Algebra<$t> for MaxPlus {
            const ZERO: $t = $t::MIN;
            const ONE: $t = 0;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                a.max(b)
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                if a == $t::MIN || b == $t::MIN { $t::MIN } else { a.saturating_add(b) }
            }
        }
    )*};
}
signed!(i8, i16, i32, i64, i128, isize);

macro_rules! integers {
    ($($t:ident),*) => {$(
        impl Algebra<$t> for MinPlus {
            const ZERO: $t = $t::MAX;
            const ONE: $t = 0;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                a.min(b)
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                if a == $t::MAX || b == $t::MAX { $t::MAX } else { a.saturating_add(b) }
            }
        }
    )*};
}
integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

macro_rules! unsigned {
    ($($t:ident),*) => {$(
        impl Algebra<$t> for MaxMul {
            const ZERO: $t = 0;
            const ONE: $t = 1;
            #[inline(always)]
            fn add(a: $t, b: $t) -> $t {
                a.max(b)
            }
            #[inline(always)]
            fn mul(a: $t, b: $t) -> $t {
                a.saturating_mul(b)
            }
        }
    )*};
}
unsigned!(u8, u16, u32, u64, u128, usize);

impl Algebra<bool> for BoolOr {
    const ZERO: bool = false;
    const ONE: bool = true;
    #[inline(always)]
    fn add(a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn mul(a: bool, b: bool) -> bool {
        a & b
    }
}

macro_rules! counted {
    ($($t:ident),*) => {$(
        impl Algebra<Counted<$t>> for Count {
            const ZERO: Counted<$t> = Counted { value: <MaxPlus as Algebra<$t>>::ZERO, count: 0 };
            const ONE: Counted<$t> = Counted { value: <MaxPlus as Algebra<$t>>::ONE, count: 1 };
            #[inline]
            fn add(a: Counted<$t>, b: Counted<$t>) -> Counted<$t> {
                #[allow(clippy::eq_op)] // a NaN is not itself; an integer always is
                if a.value != a.value || b.value > a.value {
                    b
                } else if a.value == b.value {
                    Counted { value: a.value, count: a.count.saturating_add(b.count) }
                } else {
                    a
                }
            }
            #[inline]
            fn mul(a: Counted<$t>, b: Counted<$t>) -> Counted<$t> {
                let value = <MaxPlus as Algebra<$t>>::mul(a.value, b.value);
                if value == <MaxPlus as Algebra<$t>>::ZERO {
                    return Self::ZERO;
                }
                Counted { value, count: a.count.saturating_mul(b.count) }
            }
        }

        impl crate::Scalar for Counted<$t> {
            const ZERO: Self = <Count as Algebra<Self>>::ZERO;
            const ONE: Self = <Count as Algebra<Self>>::ONE;
            #[inline]
            fn add(a: Self, b: Self) -> Self {
                <Count as Algebra<Self>>::add(a, b)
            }
            #[inline]
            fn mul(a: Self, b: Self) -> Self {
                <Count as Algebra<Self>>::mul(a, b)
            }
        }
        crate::scalar_operand!(Counted<$t>);
    )*};
}
counted!(f32, f64, i16, i32, i64, i128);

/// As in NumPy: or, and. It is the algebra [`BoolOr`], with that or without.
impl crate::Scalar for bool {
    const ZERO: Self = false;
    const ONE: Self = true;
    #[inline]
    fn add(a: Self, b: Self) -> Self {
        a | b
    }
    #[inline]
    fn mul(a: Self, b: Self) -> Self {
        a & b
    }
}
crate::scalar_operand!(bool);
