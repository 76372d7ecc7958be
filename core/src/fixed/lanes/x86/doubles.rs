//! Vectors of f64, of 1 to 8 lanes.
//!
//! Partly filled vectors are loaded and stored in parts, not with masks: LLVM keeps an array in registers that is written
//! so, and a load that follows does not have to wait for the memory.

use core::arch::x86_64::*;

use super::{Lanes, lanes};

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

/// Both rows in one vector: each element of `a` stands beside itself, each row of `b` twice.
///
/// # Safety
///
/// The four elements at each pointer are readable; the machine has AVX and FMA.
#[inline(always)]
pub(super) unsafe fn two_by_two(a: *const f64, b: *const f64) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe {
        let a = _mm256_loadu_pd(a);
        let row = |k: usize| _mm256_broadcast_pd(&_mm_loadu_pd(b.add(2 * k)));
        let first = _mm256_mul_pd(_mm256_movedup_pd(a), row(0));
        _mm256_fmadd_pd(_mm256_permute_pd::<0b1111>(a), row(1), first)
    }
}

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
/// The machine has AVX-512 F.
#[inline(always)]
unsafe fn halves_d8(v: __m512d) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe { _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v)) }
}

/// # Safety
///
/// The machine has AVX.
#[inline(always)]
unsafe fn sums_d4(a: __m256d, b: __m256d, c: __m256d, d: __m256d) -> __m256d {
    // SAFETY: the caller's promise.
    unsafe {
        let (ab, cd) = (_mm256_hadd_pd(a, b), _mm256_hadd_pd(c, d));
        // Shuffles are what takes long; a blend is none.
        _mm256_add_pd(
            _mm256_blend_pd::<0b1100>(ab, cd),
            _mm256_permute2f128_pd::<0x21>(ab, cd),
        )
    }
}
