//! Products of two to four rows, columns and terms: every loop written out.
//!
//! What the [`tiny`](super::tiny) kernel does, element by element in the same order, so that the bits are the same. There,
//! loops, cases and what they read from memory take several times as long as the sums of so few elements; here all that is
//! not known when the program is compiled travels in processor registers.

use core::array::from_fn;

#[cfg(x86_vectors)]
use super::isa::{self, Avx512};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::kind::Kind;
use super::lanes::{Few, Lanes};
use crate::element::Element;

/// Most rows, columns or terms.
pub(crate) const MOST: usize = 4;

/// Whether the kernel is made for elements of this kind.
pub(crate) const fn serves(kind: Kind) -> bool {
    super::OPTIMISED && matches!(kind, Kind::F32 | Kind::F64)
}

/// The first element of an array and a stride in it: two words, so that it travels in registers.
#[derive(Clone, Copy, Debug)]
pub struct Along<P>(pub(crate) P, pub(crate) isize);

/// What is left to say of a product: the stride of columns in B, and the lengths.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    pub(crate) columns: isize,
    pub(crate) lens: usize,
}

impl Rest {
    /// The lengths, from 2 to [`MOST`]: rows, and one of the forms that [`unrolled`] has.
    #[inline(always)]
    pub(crate) fn new(columns: isize, [m, n, k]: [usize; 3]) -> Self {
        Rest {
            columns,
            lens: m << 8 | n << 3 | k,
        }
    }
}

/// `C <- A B`: rows are dense in A and C, `a` and `b` go along the terms, `c` along the columns.
#[derive(Clone, Copy, Debug)]
pub struct Little<T> {
    /// A, and the stride of terms.
    pub a: Along<*const T>,
    /// B, and the stride of terms.
    pub b: Along<*const T>,
    /// C, and the stride of columns.
    pub c: Along<*mut T>,
    /// The rest.
    pub rest: Rest,
}

/// Runs a product.
///
/// # Safety
///
/// Every index leads to an element of its array, C overlaps no other, and the lengths are those that this kernel is for.
#[inline(always)]
pub(crate) unsafe fn run<T: Element>(
    a: Along<*const T>,
    b: Along<*const T>,
    c: Along<*mut T>,
    rest: Rest,
) {
    // By hand instead of `vectorize`, to whose code everything would go through memory.
    #[cfg(x86_vectors)]
    if isa::is_known_to_be(Level::Avx512) {
        // SAFETY: the instruction set is there; the rest is the caller's promise.
        return unsafe { avx512(a, b, c, rest) };
    }
    // SAFETY: the caller's promise.
    unsafe { others(a, b, c, rest) }
}

#[cfg(x86_vectors)]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Element>(a: Along<*const T>, b: Along<*const T>, c: Along<*mut T>, rest: Rest) {
    Little { a, b, c, rest }.run::<Avx512>();
}

#[inline(never)]
unsafe fn others<T: Element>(a: Along<*const T>, b: Along<*const T>, c: Along<*mut T>, rest: Rest) {
    vectorize(Little { a, b, c, rest });
}

impl<T: Element> Vectorize for Little<T> {
    type Output = ();
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        #[cfg(x86_vectors)]
        use super::lanes::Half;
        #[cfg(neon_vectors)]
        use super::lanes::Two;
        #[cfg(neon_vectors)]
        use core::arch::aarch64::{float32x4_t, float64x2_t};
        #[cfg(x86_vectors)]
        use core::arch::x86_64::{__m256, __m256d};
        macro_rules! lanes {
            ($vectors:ident: $($level:ident $kind:ident => $lanes:ty,)*) => {$(
                #[cfg($vectors)]
                if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) } {
                    // SAFETY: the instruction set is there, `T` is the type of the lanes; the rest is the promise of
                    // `run`.
                    return unsafe { unrolled::<T, $lanes>(self) };
                }
            )*};
        }
        lanes! { x86_vectors:
            Avx512 F64 => Half<__m256d>,
            Avx512 F32 => Half<__m256>,
            Avx2 F64 => __m256d,
            Avx2 F32 => __m256,
        }
        lanes! { neon_vectors:
            Neon F64 => Two<float64x2_t>,
            Neon F32 => float32x4_t,
        }
        // SAFETY: the promise of `run`.
        unsafe { unrolled::<T, Few<I, T, MOST>>(self) }
    }
}

/// The product, by its columns and terms.
#[cfg_attr(optimised, inline(always))]
unsafe fn unrolled<T: Element, L: Lanes>(little: Little<T>) {
    macro_rules! forms {
        ($($n:literal $k:literal,)*) => {
            match little.rest.lens & 0x3f {
                $(form if form == $n << 3 | $k => {
                    // SAFETY: these are the lengths; the rest is the promise of `run`.
                    unsafe { columns::<T, L, $n, $k>(little) }
                })*
                _ => debug_assert!(false, "from two to four columns and terms"),
            }
        };
    }
    forms! {
        2 2, 2 3, 2 4,
        3 2, 3 3, 3 4,
        4 2, 4 3, 4 4,
    }
}

/// `N` columns of sums of `K` terms.
#[cfg_attr(optimised, inline(always))]
unsafe fn columns<T: Element, L: Lanes, const N: usize, const K: usize>(little: Little<T>) {
    let Little { a, b, c, rest } = little;
    let rows = rest.lens >> 8;
    // SAFETY: elements of the product; `L::Elem` is `T`, of which a register has `rows`.
    unsafe {
        let a: [L; K] = from_fn(|p| L::load_some(a.0.offset(p as isize * a.1).cast(), rows));
        for j in 0..N as isize {
            let mut sum = L::zero();
            for (p, a) in a.into_iter().enumerate() {
                let b = b.0.offset(p as isize * b.1 + j * rest.columns);
                sum = L::mul_add(a, L::splat(b.cast()), sum);
            }
            sum.store_some(c.0.offset(j * c.1).cast(), rows);
        }
    }
}
