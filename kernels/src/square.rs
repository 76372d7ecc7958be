//! Squares of elements, transposed in registers.

#[cfg(x86_vectors)]
use super::isa::Level;

/// Reads `S` rows of `S` elements and writes them as columns. Inline it into what is compiled for an instruction set.
///
/// # Safety
///
/// `S` elements are readable at each of `rows` and writable at each of `columns`; the columns are apart from the rows.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn square<U: Copy, const S: usize>(rows: [*const U; S], columns: [*mut U; S]) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut square = [[rows[0].read_unaligned(); S]; S];
        for (line, row) in square.iter_mut().zip(rows) {
            *line = row.cast::<[U; S]>().read_unaligned();
        }
        for (x, to) in columns.into_iter().enumerate() {
            let mut column = square[0];
            for (value, line) in column.iter_mut().zip(&square) {
                *value = line[x];
            }
            to.cast::<[U; S]>().write_unaligned(column);
        }
    }
}

/// [`square`] of 8 by 8, spelled out in vectors of the instruction set `LEVEL` where LLVM would move element by element.
///
/// # Safety
///
/// As for [`square`]; the machine has the instructions.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn square_of_eight<U: Copy, I: super::isa::Isa>(
    rows: [*const U; 8],
    columns: [*mut U; 8],
) {
    #[cfg(x86_vectors)]
    if const { I::LEVEL.reaches(Level::Avx2) } {
        if const { size_of::<U>() == 4 } {
            // SAFETY: the caller's promise; elements of four bytes.
            return unsafe {
                x86::words(
                    rows.map(|row| row.cast()),
                    columns.map(|column| column.cast()),
                )
            };
        }
        if const { size_of::<U>() == 8 && I::LEVEL.reaches(Level::Avx512) } {
            // SAFETY: the caller's promise; elements of eight bytes.
            return unsafe {
                x86::wide_doubles(
                    rows.map(|row| row.cast()),
                    columns.map(|column| column.cast()),
                )
            };
        }
        if const { size_of::<U>() == 8 } {
            // SAFETY: the caller's promise; elements of eight bytes.
            return unsafe {
                x86::doubles(
                    rows.map(|row| row.cast()),
                    columns.map(|column| column.cast()),
                )
            };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { square::<U, 8>(rows, columns) }
}

/// Only moved, never computed with: the vectors are of floats because shuffles are.
#[cfg(x86_vectors)]
mod x86 {
    use core::arch::x86_64::*;

    /// Elements of four bytes.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn words(rows: [*const f32; 8], columns: [*mut f32; 8]) {
        // SAFETY: the caller's promise.
        let r = rows.map(|row| unsafe { _mm256_loadu_ps(row) });
        // Pairs of rows, then fours, then halves of eight.
        let pairs = |a, b| [_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)];
        let fours = |a: [__m256; 2], b: [__m256; 2]| {
            [
                _mm256_shuffle_ps::<0b01_00_01_00>(a[0], b[0]),
                _mm256_shuffle_ps::<0b11_10_11_10>(a[0], b[0]),
                _mm256_shuffle_ps::<0b01_00_01_00>(a[1], b[1]),
                _mm256_shuffle_ps::<0b11_10_11_10>(a[1], b[1]),
            ]
        };
        let upper = fours(pairs(r[0], r[1]), pairs(r[2], r[3]));
        let lower = fours(pairs(r[4], r[5]), pairs(r[6], r[7]));
        for x in 0..4 {
            // SAFETY: the caller's promise.
            unsafe {
                _mm256_storeu_ps(
                    columns[x],
                    _mm256_permute2f128_ps::<0x20>(upper[x], lower[x]),
                );
                _mm256_storeu_ps(
                    columns[x + 4],
                    _mm256_permute2f128_ps::<0x31>(upper[x], lower[x]),
                );
            }
        }
    }

    /// Elements of eight bytes, in four squares of four.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn doubles(rows: [*const f64; 8], columns: [*mut f64; 8]) {
        for (i, j) in [(0, 0), (0, 4), (4, 0), (4, 4)] {
            // SAFETY: the caller's promise.
            let r: [__m256d; 4] =
                core::array::from_fn(|y| unsafe { _mm256_loadu_pd(rows[i + y].add(j)) });
            let (a, b) = (
                _mm256_unpacklo_pd(r[0], r[1]),
                _mm256_unpackhi_pd(r[0], r[1]),
            );
            let (c, d) = (
                _mm256_unpacklo_pd(r[2], r[3]),
                _mm256_unpackhi_pd(r[2], r[3]),
            );
            let turned = [
                _mm256_permute2f128_pd::<0x20>(a, c),
                _mm256_permute2f128_pd::<0x20>(b, d),
                _mm256_permute2f128_pd::<0x31>(a, c),
                _mm256_permute2f128_pd::<0x31>(b, d),
            ];
            for (x, column) in turned.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { _mm256_storeu_pd(columns[j + x].add(i), column) };
            }
        }
    }

    /// Elements of eight bytes, in whole cache lines.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn wide_doubles(rows: [*const f64; 8], columns: [*mut f64; 8]) {
        // SAFETY: the caller's promise.
        let r = rows.map(|row| unsafe { _mm512_loadu_pd(row) });
        // Quarters 0 and 2, or 1 and 3, of two vectors.
        let even = |a, b| _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
        let odd = |a, b| _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b);
        let low = |y: usize| _mm512_unpacklo_pd(r[y], r[y + 1]);
        let high = |y: usize| _mm512_unpackhi_pd(r[y], r[y + 1]);
        // Pairs of rows: quarter `x` has what belongs to column `2 x`, or `2 x + 1`.
        for (first, pairs) in [
            (0, [low(0), low(2), low(4), low(6)]),
            (1, [high(0), high(2), high(4), high(6)]),
        ] {
            let [a, b, c, d] = pairs;
            let (evens, odds) = ([even(a, b), even(c, d)], [odd(a, b), odd(c, d)]);
            let turned = [
                even(evens[0], evens[1]),
                even(odds[0], odds[1]),
                odd(evens[0], evens[1]),
                odd(odds[0], odds[1]),
            ];
            for (x, column) in turned.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { _mm512_storeu_pd(columns[2 * x + first], column) };
            }
        }
    }
}
