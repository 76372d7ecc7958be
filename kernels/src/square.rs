//! Squares of elements, transposed in registers.

use super::isa::Level;

#[cfg(neon_vectors)]
mod neon;

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
                    false,
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
    #[cfg(neon_vectors)]
    if const { I::LEVEL.is(Level::Neon) } {
        if const { size_of::<U>() == 4 } {
            // SAFETY: the caller's promise; elements of four bytes.
            return unsafe { neon::words(rows.map(|row| row.cast()), columns.map(|c| c.cast())) };
        }
        if const { size_of::<U>() == 8 } {
            // SAFETY: the caller's promise; elements of eight bytes.
            return unsafe { neon::doubles(rows.map(|row| row.cast()), columns.map(|c| c.cast())) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { square::<U, 8>(rows, columns) }
}

/// Elements of a cache line that [`lines`] takes, or 0 where it has nothing to offer.
pub(crate) const fn lines_of<U, I: super::isa::Isa>() -> usize {
    let vectors = match I::LEVEL {
        Level::Portable => false,
        Level::Neon => cfg!(neon_vectors),
        Level::Avx2 | Level::Avx512 => cfg!(x86_vectors),
    };
    match size_of::<U>() {
        size @ (4 | 8 | 16) if vectors => 64 / size,
        _ => 0,
    }
}

/// Reads as many rows of 8 elements as a cache line has of them, and writes them as columns, each a line: past the caches if
/// `stream`, which must be followed by a fence.
///
/// # Safety
///
/// There are [`lines_of`] rows, which is not 0; 8 elements are readable at each of them, and a line is writable at each of
/// the 8 columns, apart from the rows, and aligned to 64 bytes if `stream`; the machine has the instructions of `I`.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn lines<U: Copy, I: super::isa::Isa>(
    row: impl Fn(usize) -> *const U,
    column: impl Fn(usize) -> *mut U,
    stream: bool,
) {
    #[cfg(x86_vectors)]
    // SAFETY: the caller's promise.
    unsafe {
        let row = |y: usize| row(y).cast();
        let columns: [*mut f64; 8] = core::array::from_fn(|x| column(x).cast());
        if const { size_of::<U>() == 8 && I::LEVEL.reaches(Level::Avx512) } {
            x86::wide_doubles(core::array::from_fn(row), columns, stream);
        } else if const { size_of::<U>() == 8 } {
            x86::lines_of_doubles(core::array::from_fn(row), columns, stream);
        } else if const { size_of::<U>() == 4 } {
            x86::lines_of_words(core::array::from_fn(|y| row(y).cast()), columns, stream);
        } else {
            x86::lines_of_pairs(core::array::from_fn(row), columns, stream);
        }
    }
    #[cfg(neon_vectors)]
    // SAFETY: the caller's promise. There are 8 rows, or 16, in squares; or 4, whose elements are registers.
    unsafe {
        let _ = stream;
        if const { size_of::<U>() == 16 } {
            for x in 0..8 {
                for y in 0..4 {
                    let value = row(y).add(x).read_unaligned();
                    column(x).add(y).write_unaligned(value);
                }
            }
        } else {
            for first in (0..const { lines_of::<U, I>() }).step_by(8) {
                let rows = core::array::from_fn(|y| row(first + y));
                let columns = core::array::from_fn(|x| column(x).add(first));
                square_of_eight::<U, I>(rows, columns);
            }
        }
    }
    #[cfg(not(any(x86_vectors, neon_vectors)))]
    let _ = (row, column, stream);
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
        let turned = unsafe { turned_words(rows) };
        for (column, turned) in columns.into_iter().zip(turned) {
            // SAFETY: the caller's promise.
            unsafe { _mm256_storeu_ps(column, turned) };
        }
    }

    /// Columns of a line, of 16 rows.
    ///
    /// # Safety
    ///
    /// As for [`lines`](super::lines).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn lines_of_words(
        rows: [*const f32; 16],
        columns: [*mut f64; 8],
        stream: bool,
    ) {
        let (upper, lower) = rows.split_at(8);
        // SAFETY: the caller's promise.
        unsafe {
            let upper = turned_words(core::array::from_fn(|y| upper[y]));
            let lower = turned_words(core::array::from_fn(|y| lower[y]));
            for x in 0..8 {
                store_line(columns[x], [upper[x], lower[x]], stream);
            }
        }
    }

    /// Stores a line.
    ///
    /// # Safety
    ///
    /// As for [`lines`](super::lines).
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store_line(column: *mut f64, [first, second]: [__m256; 2], stream: bool) {
        let column = column.cast::<f32>();
        // SAFETY: the caller's promise.
        unsafe {
            if stream {
                _mm256_stream_ps(column, first);
                _mm256_stream_ps(column.add(8), second);
            } else {
                _mm256_storeu_ps(column, first);
                _mm256_storeu_ps(column.add(8), second);
            }
        }
    }

    /// Columns of a line, of 4 rows of elements of sixteen bytes.
    ///
    /// # Safety
    ///
    /// As for [`lines`](super::lines).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn lines_of_pairs(
        rows: [*const f64; 4],
        columns: [*mut f64; 8],
        stream: bool,
    ) {
        for (x, column) in columns.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                let [a, b, c, d] = rows.map(|row| _mm_loadu_pd(row.add(2 * x)));
                let half = |a, b| _mm256_castpd_ps(_mm256_set_m128d(b, a));
                store_line(column, [half(a, b), half(c, d)], stream);
            }
        }
    }

    /// The columns of a square.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes of the rows.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn turned_words(rows: [*const f32; 8]) -> [__m256; 8] {
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
        core::array::from_fn(|x| {
            if x < 4 {
                _mm256_permute2f128_ps::<0x20>(upper[x], lower[x])
            } else {
                _mm256_permute2f128_ps::<0x31>(upper[x - 4], lower[x - 4])
            }
        })
    }

    /// Elements of eight bytes.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn doubles(rows: [*const f64; 8], columns: [*mut f64; 8]) {
        // SAFETY: the caller's promise.
        unsafe { lines_of_doubles(rows, columns, false) }
    }

    /// Columns of a line, of 8 rows, in four squares of four.
    ///
    /// # Safety
    ///
    /// As for [`lines`](super::lines).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn lines_of_doubles(
        rows: [*const f64; 8],
        columns: [*mut f64; 8],
        stream: bool,
    ) {
        for j in [0, 4] {
            // SAFETY: the caller's promise.
            let [upper, lower] = [0, 4]
                .map(|i| unsafe { turned_doubles(core::array::from_fn(|y| rows[i + y].add(j))) });
            for x in 0..4 {
                // SAFETY: the caller's promise.
                unsafe { store_line(columns[j + x], [upper[x], lower[x]], stream) };
            }
        }
    }

    /// The columns of a square of four.
    ///
    /// # Safety
    ///
    /// As for [`square`](super::square), for the bytes of the rows.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn turned_doubles(rows: [*const f64; 4]) -> [__m256; 4] {
        // SAFETY: the caller's promise.
        let [a, b, c, d] = rows.map(|row| unsafe { _mm256_loadu_pd(row) });
        let (ab, cd) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
        let (odd_ab, odd_cd) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab, cd),
            _mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd),
            _mm256_permute2f128_pd::<0x31>(ab, cd),
            _mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd),
        ]
        .map(|column| _mm256_castpd_ps(column))
    }

    /// Elements of eight bytes, in whole cache lines.
    ///
    /// # Safety
    ///
    /// As for [`lines`](super::lines).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn wide_doubles(rows: [*const f64; 8], columns: [*mut f64; 8], stream: bool) {
        let even = |a, b| _mm512_shuffle_f64x2::<0b10_00_10_00>(a, b);
        let odd = |a, b| _mm512_shuffle_f64x2::<0b11_01_11_01>(a, b);
        for j in [0, 4] {
            // Rows two apart in one register: the halves meet on their way from memory, which costs no shuffle.
            let half = |y: usize| {
                // SAFETY: the caller's promise.
                let [upper, lower] = [y, y + 2].map(|y| unsafe { _mm256_loadu_pd(rows[y].add(j)) });
                _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(upper), lower)
            };
            let (a, b, c, d) = (half(0), half(1), half(4), half(5));
            let (ab, cd) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
            let (odd_ab, odd_cd) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
            let turned = [
                even(ab, cd),
                even(odd_ab, odd_cd),
                odd(ab, cd),
                odd(odd_ab, odd_cd),
            ];
            for (x, column) in turned.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe {
                    if stream {
                        _mm512_stream_pd(columns[j + x], column);
                    } else {
                        _mm512_storeu_pd(columns[j + x], column);
                    }
                }
            }
        }
    }
}
