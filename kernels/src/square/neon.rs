//! Squares of 8 by 8 in registers of NEON. Only moved, never computed with.

use core::arch::aarch64::*;
use core::array::from_fn;

/// Elements of four bytes: four squares of four registers.
///
/// # Safety
///
/// As for [`square`](super::square), for the bytes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn words(rows: [*const f32; 8], columns: [*mut f32; 8]) {
    for y in [0, 4] {
        for x in [0, 4] {
            // SAFETY: the caller's promise; NEON is part of the target.
            unsafe {
                let [a, b, c, d]: [float32x4_t; 4] = from_fn(|i| vld1q_f32(rows[y + i].add(x)));
                // Pairs of rows, then fours.
                let pairs = |a, b| [vtrn1q_f32(a, b), vtrn2q_f32(a, b)];
                let wide = |pair: float32x4_t| vreinterpretq_f64_f32(pair);
                let ([even, odd], [even_too, odd_too]) = (pairs(a, b), pairs(c, d));
                let turned = [
                    vtrn1q_f64(wide(even), wide(even_too)),
                    vtrn1q_f64(wide(odd), wide(odd_too)),
                    vtrn2q_f64(wide(even), wide(even_too)),
                    vtrn2q_f64(wide(odd), wide(odd_too)),
                ];
                for (i, column) in turned.into_iter().enumerate() {
                    vst1q_f32(columns[x + i].add(y), vreinterpretq_f32_f64(column));
                }
            }
        }
    }
}

/// Elements of eight bytes: sixteen squares of two registers.
///
/// # Safety
///
/// As for [`square`](super::square), for the bytes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn doubles(rows: [*const f64; 8], columns: [*mut f64; 8]) {
    for y in [0, 2, 4, 6] {
        for x in [0, 2, 4, 6] {
            // SAFETY: the caller's promise; NEON is part of the target.
            unsafe {
                let (a, b) = (vld1q_f64(rows[y].add(x)), vld1q_f64(rows[y + 1].add(x)));
                vst1q_f64(columns[x].add(y), vtrn1q_f64(a, b));
                vst1q_f64(columns[x + 1].add(y), vtrn2q_f64(a, b));
            }
        }
    }
}
