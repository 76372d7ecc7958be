//! SSE2, AVX2 with FMA, and AVX-512, for f64 and f32.

mod doubles;
mod floats;

use super::{Isa, Lanes};
use doubles::{D1, D1Fma, D2, D2Fma, D4, D8, two_by_two};
use floats::{S1, S1Fma, S4, S4Fma, S8, S16};

/// The baseline of x86-64.
pub struct Sse2;
/// AVX2 and FMA.
pub struct Avx2;
/// AVX-512 F and VL, and all of the above.
pub struct Avx512;

macro_rules! isa {
    (
        $t:ty: $isa:ty, $widest:literal, $summed:literal, $accumulators:literal:
        $v1:ty, $v2:ty, $v4:ty, $v8:ty, $v16:ty $(; $two_by_two:expr)?
    ) => {
        impl Isa<$t> for $isa {
            type V1 = $v1;
            type V2 = $v2;
            type V4 = $v4;
            type V8 = $v8;
            type V16 = $v16;
            const WIDEST: usize = $widest;
            const SUMMED: usize = $summed;
            const ACCUMULATORS: usize = $accumulators;
            $(
                #[inline(always)]
                unsafe fn two_by_two(a: *const $t, b: *const $t) -> Option<$v4> {
                    // SAFETY: the caller's promise.
                    Some(D4(unsafe { $two_by_two(a, b) }))
                }
            )?
        }
    };
}

isa!(f64: Sse2, 2, 2, 10: D1, D2, D2, D2, D2);
isa!(f64: Avx2, 4, 4, 12: D1Fma, D2Fma, D4, D4, D4; two_by_two);
isa!(f64: Avx512, 8, 4, 24: D1Fma, D2Fma, D4, D8, D8; two_by_two);
isa!(f32: Sse2, 4, 4, 10: S1, S4, S4, S4, S4);
isa!(f32: Avx2, 8, 8, 12: S1Fma, S4Fma, S4Fma, S8, S8);
isa!(f32: Avx512, 16, 8, 24: S1Fma, S4Fma, S4Fma, S8, S16);

/// A vector type and its methods. Of what follows the name of the method, `p` is a pointer, `n` a number of lanes,
/// `at(i)` lane `i` of a gather.
macro_rules! lanes {
    (
        $name:ident($vector:ty) of $t:ty, width $width:literal, all $load_all:ident $store_all:ident;
        splat($x:ident) $splat:expr;
        load($p:ident, $n:ident) $load:expr;
        gather($at:ident) $gather:expr;
        store($sp:ident, $sn:ident, $sv:ident) $store:expr;
        add $add:ident; mul $mul:ident; mul_add($fa:ident, $fb:ident, $fc:ident) $mul_add:expr;
        sum($s:ident) $sum:expr;
        sums($a:ident, $b:ident, $c:ident, $d:ident) $count:literal $narrow:ident, $sums:expr;
    ) => {
        #[derive(Clone, Copy)]
        pub struct $name(pub(super) $vector);

        // The caller of a method has the instructions of this type, and lets it touch the
        // `n` elements at the pointer; the loads and stores below touch those only.
        #[allow(unused_unsafe)]
        impl Lanes<$t> for $name {
            const WIDTH: usize = $width;
            const SUMS: usize = $count;
            type Sums = $narrow;

            #[inline(always)]
            unsafe fn splat($x: $t) -> Self {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($splat) }
            }

            #[inline(always)]
            unsafe fn load($p: *const $t, $n: usize) -> Self {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($load) }
            }

            #[inline(always)]
            unsafe fn load_all(p: *const $t) -> Self {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($load_all(p)) }
            }

            #[inline(always)]
            unsafe fn gather(p: *const $t, stride: isize, n: usize) -> Self {
                let $at = |i: usize| -> $t {
                    if i < n {
                        // SAFETY: the promise of `Lanes`, as said above.
                        unsafe { *p.offset(i as isize * stride) }
                    } else {
                        0.0
                    }
                };
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($gather) }
            }

            #[inline(always)]
            unsafe fn store(self, $sp: *mut $t, $sn: usize) {
                let $sv = self.0;
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $store }
            }

            #[inline(always)]
            unsafe fn store_all(self, p: *mut $t) {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $store_all(p, self.0) }
            }

            #[inline(always)]
            unsafe fn scatter(self, p: *mut $t, stride: isize, n: usize) {
                let mut lanes = [0.0; $width];
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { self.store(lanes.as_mut_ptr(), $width) };
                let mut i = 0;
                while i < $width {
                    if i < n {
                        // SAFETY: the promise of `Lanes`, as said above.
                        unsafe { p.offset(i as isize * stride).write(lanes[i]) };
                    }
                    i += 1;
                }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($add(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($mul(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
                let ($fa, $fb, $fc) = (self.0, factor.0, term.0);
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $name($mul_add) }
            }

            #[inline(always)]
            unsafe fn conj(self) -> Self {
                self
            }

            #[inline(always)]
            unsafe fn sum(self) -> $t {
                let $s = self.0;
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $sum }
            }

            #[inline(always)]
            unsafe fn sums([$a, $b, $c, $d]: [Self; 4]) -> $narrow {
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe { $narrow($sums) }
            }

            #[inline(always)]
            unsafe fn head(self, n: usize) -> Self {
                let mut lanes = [0.0; $width];
                // SAFETY: the promise of `Lanes`, as said above.
                unsafe {
                    self.store(lanes.as_mut_ptr(), n);
                    Self::load(lanes.as_ptr(), $width)
                }
            }
        }
    };
}
use lanes;
