//! SSE2, AVX2 with FMA, and AVX-512, for f64 and f32.

use core::arch::x86_64::*;

use super::{Isa, Lanes};

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
        pub struct $name($vector);

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

lanes! {
    D1(__m128d) of f64, width 1, all _mm_load_sd _mm_store_sd;
    splat(x) _mm_set_sd(x);
    load(p, _n) _mm_load_sd(p);
    gather(at) _mm_set_sd(at(0));
    store(p, _n, v) _mm_store_sd(p, v);
    add _mm_add_sd; mul _mm_mul_sd; mul_add(a, b, c) _mm_add_sd(_mm_mul_sd(a, b), c);
    sum(v) _mm_cvtsd_f64(v);
    sums(a, _b, _c, _d) 1 D1, a.0;
}

lanes! {
    D1Fma(__m128d) of f64, width 1, all _mm_load_sd _mm_store_sd;
    splat(x) _mm_set_sd(x);
    load(p, _n) _mm_load_sd(p);
    gather(at) _mm_set_sd(at(0));
    store(p, _n, v) _mm_store_sd(p, v);
    add _mm_add_sd; mul _mm_mul_sd; mul_add(a, b, c) _mm_fmadd_sd(a, b, c);
    sum(v) _mm_cvtsd_f64(v);
    sums(a, _b, _c, _d) 1 D1Fma, a.0;
}

lanes! {
    D2(__m128d) of f64, width 2, all _mm_loadu_pd _mm_storeu_pd;
    splat(x) _mm_set1_pd(x);
    load(p, n) if n == 2 { _mm_loadu_pd(p) } else { _mm_load_sd(p) };
    gather(at) _mm_set_pd(at(1), at(0));
    store(p, n, v) if n == 2 { _mm_storeu_pd(p, v) } else { _mm_store_sd(p, v) };
    add _mm_add_pd; mul _mm_mul_pd; mul_add(a, b, c) _mm_add_pd(_mm_mul_pd(a, b), c);
    sum(v) _mm_cvtsd_f64(_mm_add_sd(v, _mm_unpackhi_pd(v, v)));
    sums(a, b, _c, _d) 2 D2, _mm_add_pd(_mm_unpacklo_pd(a.0, b.0), _mm_unpackhi_pd(a.0, b.0));
}

lanes! {
    D2Fma(__m128d) of f64, width 2, all _mm_loadu_pd _mm_storeu_pd;
    splat(x) _mm_set1_pd(x);
    load(p, n) if n == 2 { _mm_loadu_pd(p) } else { _mm_load_sd(p) };
    gather(at) _mm_set_pd(at(1), at(0));
    store(p, n, v) if n == 2 { _mm_storeu_pd(p, v) } else { _mm_store_sd(p, v) };
    add _mm_add_pd; mul _mm_mul_pd; mul_add(a, b, c) _mm_fmadd_pd(a, b, c);
    sum(v) _mm_cvtsd_f64(_mm_add_sd(v, _mm_unpackhi_pd(v, v)));
    sums(a, b, _c, _d) 2 D2Fma, _mm_add_pd(_mm_unpacklo_pd(a.0, b.0), _mm_unpackhi_pd(a.0, b.0));
}

lanes! {
    D4(__m256d) of f64, width 4, all _mm256_loadu_pd _mm256_storeu_pd;
    splat(x) _mm256_set1_pd(x);
    load(p, n) load_d4(p, n);
    gather(at) _mm256_set_pd(at(3), at(2), at(1), at(0));
    store(p, n, v) store_d4(p, n, v);
    add _mm256_add_pd; mul _mm256_mul_pd; mul_add(a, b, c) _mm256_fmadd_pd(a, b, c);
    sum(v) D2Fma(_mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v))).sum();
    sums(a, b, c, d) 4 D4, sums_d4(a.0, b.0, c.0, d.0);
}

lanes! {
    D8(__m512d) of f64, width 8, all _mm512_loadu_pd _mm512_storeu_pd;
    splat(x) _mm512_set1_pd(x);
    load(p, n) match n {
        1..=4 => _mm512_zextpd256_pd512(load_d4(p, n)),
        5..=7 => _mm512_insertf64x4::<1>(_mm512_zextpd256_pd512(_mm256_loadu_pd(p)), load_d4(p.add(4), n - 4)),
        _ => _mm512_loadu_pd(p),
    };
    gather(at) _mm512_set_pd(at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0));
    store(p, n, v) match n {
        1..=4 => store_d4(p, n, _mm512_castpd512_pd256(v)),
        5..=7 => {
            _mm256_storeu_pd(p, _mm512_castpd512_pd256(v));
            store_d4(p.add(4), n - 4, _mm512_extractf64x4_pd::<1>(v));
        }
        _ => _mm512_storeu_pd(p, v),
    };
    add _mm512_add_pd; mul _mm512_mul_pd; mul_add(a, b, c) _mm512_fmadd_pd(a, b, c);
    sum(v) D4(halves_d8(v)).sum();
    sums(a, b, c, d) 4 D4, sums_d4(halves_d8(a.0), halves_d8(b.0), halves_d8(c.0), halves_d8(d.0));
}

lanes! {
    S1(__m128) of f32, width 1, all _mm_load_ss _mm_store_ss;
    splat(x) _mm_set_ss(x);
    load(p, _n) _mm_load_ss(p);
    gather(at) _mm_set_ss(at(0));
    store(p, _n, v) _mm_store_ss(p, v);
    add _mm_add_ss; mul _mm_mul_ss; mul_add(a, b, c) _mm_add_ss(_mm_mul_ss(a, b), c);
    sum(v) _mm_cvtss_f32(v);
    sums(a, _b, _c, _d) 1 S1, a.0;
}

lanes! {
    S1Fma(__m128) of f32, width 1, all _mm_load_ss _mm_store_ss;
    splat(x) _mm_set_ss(x);
    load(p, _n) _mm_load_ss(p);
    gather(at) _mm_set_ss(at(0));
    store(p, _n, v) _mm_store_ss(p, v);
    add _mm_add_ss; mul _mm_mul_ss; mul_add(a, b, c) _mm_fmadd_ss(a, b, c);
    sum(v) _mm_cvtss_f32(v);
    sums(a, _b, _c, _d) 1 S1Fma, a.0;
}

lanes! {
    S4(__m128) of f32, width 4, all _mm_loadu_ps _mm_storeu_ps;
    splat(x) _mm_set1_ps(x);
    load(p, n) load_s4(p, n);
    gather(at) _mm_set_ps(at(3), at(2), at(1), at(0));
    store(p, n, v) store_s4(p, n, v);
    add _mm_add_ps; mul _mm_mul_ps; mul_add(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c);
    sum(v) sum_s4(v);
    sums(a, b, c, d) 4 S4, sums_s4(a.0, b.0, c.0, d.0);
}

lanes! {
    S4Fma(__m128) of f32, width 4, all _mm_loadu_ps _mm_storeu_ps;
    splat(x) _mm_set1_ps(x);
    load(p, n) load_s4(p, n);
    gather(at) _mm_set_ps(at(3), at(2), at(1), at(0));
    store(p, n, v) store_s4(p, n, v);
    add _mm_add_ps; mul _mm_mul_ps; mul_add(a, b, c) _mm_fmadd_ps(a, b, c);
    sum(v) sum_s4(v);
    sums(a, b, c, d) 4 S4Fma, sums_s4(a.0, b.0, c.0, d.0);
}

lanes! {
    S8(__m256) of f32, width 8, all _mm256_loadu_ps _mm256_storeu_ps;
    splat(x) _mm256_set1_ps(x);
    load(p, n) load_s8(p, n);
    gather(at) _mm256_set_ps(at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0));
    store(p, n, v) store_s8(p, n, v);
    add _mm256_add_ps; mul _mm256_mul_ps; mul_add(a, b, c) _mm256_fmadd_ps(a, b, c);
    sum(v) sum_s4(halves_s8(v));
    sums(a, b, c, d) 4 S4Fma, sums_s4(halves_s8(a.0), halves_s8(b.0), halves_s8(c.0), halves_s8(d.0));
}

lanes! {
    S16(__m512) of f32, width 16, all _mm512_loadu_ps _mm512_storeu_ps;
    splat(x) _mm512_set1_ps(x);
    load(p, n) match n {
        1..=8 => _mm512_zextps256_ps512(load_s8(p, n)),
        9..=15 => join_s8(_mm256_loadu_ps(p), load_s8(p.add(8), n - 8)),
        _ => _mm512_loadu_ps(p),
    };
    gather(at) _mm512_set_ps(
        at(15), at(14), at(13), at(12), at(11), at(10), at(9), at(8),
        at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0),
    );
    store(p, n, v) match n {
        1..=8 => store_s8(p, n, _mm512_castps512_ps256(v)),
        9..=15 => {
            _mm256_storeu_ps(p, _mm512_castps512_ps256(v));
            store_s8(p.add(8), n - 8, upper_s16(v));
        }
        _ => _mm512_storeu_ps(p, v),
    };
    add _mm512_add_ps; mul _mm512_mul_ps; mul_add(a, b, c) _mm512_fmadd_ps(a, b, c);
    sum(v) sum_s4(halves_s8(halves_s16(v)));
    sums(a, b, c, d) 4 S4Fma, sums_s4(
        halves_s8(halves_s16(a.0)), halves_s8(halves_s16(b.0)), halves_s8(halves_s16(c.0)), halves_s8(halves_s16(d.0)),
    );
}

/// Both rows in one vector: each element of `a` stands beside itself, each row of `b` twice.
///
/// # Safety
///
/// The four elements at each pointer are readable; the machine has AVX and FMA.
#[inline(always)]
unsafe fn two_by_two(a: *const f64, b: *const f64) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe {
        let a = _mm256_loadu_pd(a);
        let row = |k: usize| _mm256_broadcast_pd(&_mm_loadu_pd(b.add(2 * k)));
        let first = _mm256_mul_pd(_mm256_movedup_pd(a), row(0));
        _mm256_fmadd_pd(_mm256_permute_pd::<0b1111>(a), row(1), first)
    }
}

// Partly filled vectors are loaded and stored in parts, not with masks: LLVM keeps an array in registers that is written
// so, and a load that follows does not have to wait for the memory.

/// # Safety
///
/// `n` of 1 to 4 elements at `p` are readable; the machine has AVX.
#[inline(always)]
unsafe fn load_d4(p: *const f64, n: usize) -> __m256d {
    // SAFETY: each arm reads the first `n` elements and no others.
    unsafe {
        match n {
            1 => _mm256_zextpd128_pd256(_mm_load_sd(p)),
            2 => _mm256_zextpd128_pd256(_mm_loadu_pd(p)),
            3 => _mm256_insertf128_pd::<1>(
                _mm256_zextpd128_pd256(_mm_loadu_pd(p)),
                _mm_load_sd(p.add(2)),
            ),
            _ => _mm256_loadu_pd(p),
        }
    }
}

/// # Safety
///
/// `n` of 1 to 4 elements at `p` are writable; the machine has AVX.
#[inline(always)]
unsafe fn store_d4(p: *mut f64, n: usize, v: __m256d) {
    // SAFETY: each arm writes the first `n` elements and no others.
    unsafe {
        match n {
            1 => _mm_store_sd(p, _mm256_castpd256_pd128(v)),
            2 => _mm_storeu_pd(p, _mm256_castpd256_pd128(v)),
            3 => {
                _mm_storeu_pd(p, _mm256_castpd256_pd128(v));
                _mm_store_sd(p.add(2), _mm256_extractf128_pd::<1>(v));
            }
            _ => _mm256_storeu_pd(p, v),
        }
    }
}

/// # Safety
///
/// `n` of 1 to 8 elements at `p` are readable; the machine has AVX.
#[inline(always)]
unsafe fn load_s8(p: *const f32, n: usize) -> __m256 {
    // SAFETY: each arm reads the first `n` elements and no others.
    unsafe {
        match n {
            1..=4 => _mm256_zextps128_ps256(load_s4(p, n)),
            5..=7 => _mm256_insertf128_ps::<1>(
                _mm256_zextps128_ps256(_mm_loadu_ps(p)),
                load_s4(p.add(4), n - 4),
            ),
            _ => _mm256_loadu_ps(p),
        }
    }
}

/// # Safety
///
/// `n` of 1 to 8 elements at `p` are writable; the machine has AVX.
#[inline(always)]
unsafe fn store_s8(p: *mut f32, n: usize, v: __m256) {
    // SAFETY: each arm writes the first `n` elements and no others.
    unsafe {
        match n {
            1..=4 => store_s4(p, n, _mm256_castps256_ps128(v)),
            5..=7 => {
                _mm_storeu_ps(p, _mm256_castps256_ps128(v));
                store_s4(p.add(4), n - 4, _mm256_extractf128_ps::<1>(v));
            }
            _ => _mm256_storeu_ps(p, v),
        }
    }
}

/// # Safety
///
/// `n` of 1 to 4 elements at `p` are readable.
#[inline(always)]
unsafe fn load_s4(p: *const f32, n: usize) -> __m128 {
    // SAFETY: each arm reads the first `n` elements and no others.
    unsafe {
        let two = || _mm_castpd_ps(_mm_set_sd(p.cast::<f64>().read_unaligned()));
        match n {
            1 => _mm_load_ss(p),
            2 => two(),
            3 => _mm_movelh_ps(two(), _mm_load_ss(p.add(2))),
            _ => _mm_loadu_ps(p),
        }
    }
}

/// # Safety
///
/// `n` of 1 to 4 elements at `p` are writable.
#[inline(always)]
unsafe fn store_s4(p: *mut f32, n: usize, v: __m128) {
    // SAFETY: each arm writes the first `n` elements and no others.
    unsafe {
        match n {
            1 => _mm_store_ss(p, v),
            2 => p
                .cast::<f64>()
                .write_unaligned(_mm_cvtsd_f64(_mm_castps_pd(v))),
            3 => {
                p.cast::<f64>()
                    .write_unaligned(_mm_cvtsd_f64(_mm_castps_pd(v)));
                _mm_store_ss(p.add(2), _mm_movehl_ps(v, v));
            }
            _ => _mm_storeu_ps(p, v),
        }
    }
}

#[inline(always)]
fn sum_s4(v: __m128) -> f32 {
    // SAFETY: every x86-64 has SSE.
    unsafe {
        let pairs = _mm_add_ps(v, _mm_movehl_ps(v, v));
        _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps::<1>(pairs, pairs)))
    }
}

/// # Safety
///
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn halves_d8(v: __m512d) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe { _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v)) }
}

/// # Safety
///
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn halves_s16(v: __m512) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_add_ps(_mm512_castps512_ps256(v), upper_s16(v)) }
}

/// # Safety
///
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn upper_s16(v: __m512) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(v))) }
}

/// # Safety
///
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn join_s8(lower: __m256, upper: __m256) -> __m512 {
    // SAFETY: the caller's promise.
    unsafe {
        _mm512_castpd_ps(_mm512_insertf64x4::<1>(
            _mm512_castps_pd(_mm512_zextps256_ps512(lower)),
            _mm256_castps_pd(upper),
        ))
    }
}

/// # Safety
///
/// The machine has AVX.
#[inline(always)]
unsafe fn halves_s8(v: __m256) -> __m128 {
    // SAFETY: the caller's promise.
    unsafe { _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v)) }
}

/// # Safety
///
/// The machine has AVX.
#[inline(always)]
unsafe fn sums_d4(a: __m256d, b: __m256d, c: __m256d, d: __m256d) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe {
        let (ab, cd) = (_mm256_hadd_pd(a, b), _mm256_hadd_pd(c, d));
        _mm256_add_pd(
            _mm256_permute2f128_pd::<0x20>(ab, cd),
            _mm256_permute2f128_pd::<0x31>(ab, cd),
        )
    }
}

#[inline(always)]
fn sums_s4(a: __m128, b: __m128, c: __m128, d: __m128) -> __m128 {
    // SAFETY: every x86-64 has SSE.
    unsafe {
        let ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab))
    }
}
