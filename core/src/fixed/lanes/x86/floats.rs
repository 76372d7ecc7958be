//! Vectors of f32, of 1 to 16 lanes; as those of f64.

use core::arch::x86_64::*;

use super::{Lanes, lanes};

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

#[inline(always)]
fn sums_s4(a: __m128, b: __m128, c: __m128, d: __m128) -> __m128 {
    // SAFETY: every x86-64 has SSE.
    unsafe {
        let ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab))
    }
}
