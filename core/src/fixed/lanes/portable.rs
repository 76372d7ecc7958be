//! Vectors as arrays, for every element type and machine: the compiler finds the instructions.

use core::mem::size_of;

use super::{Isa, Lanes};
use crate::scalar::Scalar;

#[derive(Clone, Copy)]
pub struct Array<T, const W: usize>([T; W]);

/// Arrays of up to 32 bytes.
pub struct Portable;

impl<T: Scalar> Isa<T> for Portable {
    type V1 = Array<T, 1>;
    type V2 = Array<T, 2>;
    type V4 = Array<T, 4>;
    type V8 = Array<T, 8>;
    type V16 = Array<T, 16>;
    const WIDEST: usize = match size_of::<T>() {
        0..=2 => 16,
        3 | 4 => 8,
        5..=8 => 4,
        _ => 1,
    };
    const SUMMED: usize = <Self as Isa<T>>::WIDEST;
    const ACCUMULATORS: usize = 6;
}

impl<T: Scalar, const W: usize> Lanes<T> for Array<T, W> {
    const WIDTH: usize = W;
    const SUMS: usize = 1;
    type Sums = Array<T, 1>;

    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Array([x; W])
    }

    #[inline(always)]
    unsafe fn load(p: *const T, n: usize) -> Self {
        // SAFETY: as the caller promises for `n` elements at `p`.
        unsafe { Self::gather(p, 1, n) }
    }

    #[inline(always)]
    unsafe fn load_all(p: *const T) -> Self {
        // SAFETY: as the caller promises for `W` elements at `p`.
        unsafe { Self::gather(p, 1, W) }
    }

    #[inline(always)]
    unsafe fn gather(p: *const T, stride: isize, n: usize) -> Self {
        let mut lanes = [T::ZERO; W];
        let mut i = 0;
        while i < W {
            if i < n {
                // SAFETY: lane `i` is one of the `n` that the caller lets us read.
                lanes[i] = unsafe { *p.offset(i as isize * stride) };
            }
            i += 1;
        }
        Array(lanes)
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut T, n: usize) {
        // SAFETY: as the caller promises for `n` elements at `p`.
        unsafe { self.scatter(p, 1, n) }
    }

    #[inline(always)]
    unsafe fn store_all(self, p: *mut T) {
        // SAFETY: as the caller promises for `W` elements at `p`.
        unsafe { self.scatter(p, 1, W) }
    }

    #[inline(always)]
    unsafe fn scatter(self, p: *mut T, stride: isize, n: usize) {
        let mut i = 0;
        while i < W {
            if i < n {
                // SAFETY: lane `i` is one of the `n` that the caller lets us write.
                unsafe { p.offset(i as isize * stride).write(self.0[i]) };
            }
            i += 1;
        }
    }

    #[inline(always)]
    unsafe fn add(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < W {
            self.0[i] = T::add(self.0[i], other.0[i]);
            i += 1;
        }
        self
    }

    #[inline(always)]
    unsafe fn mul(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < W {
            self.0[i] = T::mul(self.0[i], other.0[i]);
            i += 1;
        }
        self
    }

    #[inline(always)]
    unsafe fn mul_add(mut self, factor: Self, term: Self) -> Self {
        let mut i = 0;
        while i < W {
            self.0[i] = T::add(T::mul(self.0[i], factor.0[i]), term.0[i]);
            i += 1;
        }
        self
    }

    #[inline(always)]
    unsafe fn conj(mut self) -> Self {
        let mut i = 0;
        while i < W {
            self.0[i] = T::conj(self.0[i]);
            i += 1;
        }
        self
    }

    #[inline(always)]
    unsafe fn sum(mut self) -> T {
        // Halves onto halves, as the vector instructions do it.
        let mut half = W / 2;
        while half > 0 {
            let mut i = 0;
            while i < half {
                self.0[i] = T::add(self.0[i], self.0[i + half]);
                i += 1;
            }
            half /= 2;
        }
        self.0[0]
    }

    #[inline(always)]
    unsafe fn sums([only, ..]: [Self; 4]) -> Array<T, 1> {
        // SAFETY: arrays need no instructions of their own.
        Array([unsafe { only.sum() }])
    }

    #[inline(always)]
    unsafe fn head(mut self, n: usize) -> Self {
        let mut i = n;
        while i < W {
            self.0[i] = T::ZERO;
            i += 1;
        }
        self
    }
}
