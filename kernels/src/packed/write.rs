//! Finished sums on their way into C.

use core::mem::MaybeUninit;

use super::scatter::is_unit;
use super::tile::Tile;
use crate::element::Element;
use crate::isa::{Isa, Level, Vectorize, vectorize};
use crate::scale::Update;
use crate::square::square;

/// A tile of C.
#[derive(Clone, Copy)]
pub(super) struct Target<'a, T> {
    pub(super) c: *mut T,
    /// The rows and columns that exist.
    pub(super) rows: &'a [isize],
    pub(super) columns: &'a [isize],
    pub(super) update: Update<T>,
    /// The rows that are stored at once are one element apart, throughout.
    pub(super) in_lanes: bool,
}

/// Puts the sums of the rows and columns that exist into C.
///
/// # Safety
///
/// `c` is writable (and readable, unless `update` stores) at every `rows[i] + columns[j]`, and the instruction set of the
/// tile is there.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn write<T: Element, K: Tile<T>>(sums: K::Sums, to: Target<'_, T>) {
    let Target {
        c,
        rows,
        columns,
        update,
        in_lanes,
    } = to;
    let lines = update.is_plain() && (in_lanes || is_unit(rows));
    if lines && rows.len() == K::MR && columns.len() == K::NR {
        // Loops of constant lengths, so that the sums stay in registers.
        let mut j = 0;
        while j < K::NR {
            for v in 0..K::MR / K::LANES {
                // SAFETY: a column of the tile; elements of C that follow one another, as the instruction set stores them.
                unsafe {
                    let c = c.offset(rows[v * K::LANES] + columns[j]);
                    K::store(&sums, j, v, c, K::LANES);
                }
            }
            j += 1;
        }
        return;
    }
    // A copy: the sums themselves stay in registers.
    let sums = core::hint::black_box(sums);
    if lines {
        for (j, &column) in columns.iter().enumerate() {
            for (v, rows) in rows.chunks(K::LANES).enumerate() {
                // SAFETY: as above, the rows that exist.
                unsafe { K::store(&sums, j, v, c.offset(rows[0] + column), rows.len()) };
            }
        }
    } else {
        // SAFETY: the caller's promise, passed on.
        unsafe { any((&raw const sums).cast(), K::MR, to) };
    }
}

/// The same for any rows and any update: columns of `mr` sums.
#[inline(never)]
unsafe fn any<T: Element>(sums: *const T, mr: usize, to: Target<'_, T>) {
    let Target {
        c,
        rows,
        columns,
        update,
        ..
    } = to;
    let unit = is_unit(rows);
    let squares = rows.len().is_multiple_of(SIDE) && columns.len() == SIDE && is_unit(columns);
    if squares && !unit && update.is_plain() {
        // SAFETY: elements of C that follow one another along the columns; the sums are those of whole squares.
        let turned = unsafe { across(sums, mr, c.offset(columns[0]), rows) };
        if turned {
            return;
        }
    }
    for (j, &column) in columns.iter().enumerate() {
        // SAFETY: column `j` of the tile's sums, and the elements of C that the caller promises.
        unsafe {
            let (sums, c) = (sums.add(j * mr), c.offset(column));
            if unit {
                update.run(c.offset(rows[0]), 1, sums, rows.len());
            } else if update.is_plain() {
                for (i, &row) in rows.iter().enumerate() {
                    c.offset(row).write(*sums.add(i));
                }
            } else {
                for (i, &row) in rows.iter().enumerate() {
                    update.apply(c.offset(row), *sums.add(i));
                }
            }
        }
    }
}

/// Rows and columns of a square.
const SIDE: usize = 8;

/// Puts `SIDE` columns of sums into rows of C that are dense, if elements have the size for it.
///
/// # Safety
///
/// The rows are whole squares; `SIDE` elements of C are writable from each of them on.
unsafe fn across<T: Element>(sums: *const T, mr: usize, c: *mut T, rows: &[isize]) -> bool {
    macro_rules! as_bits {
        ($($bits:ty)*) => {$(
            if const { size_of::<T>() == size_of::<$bits>() } {
                let (sums, c) = (sums.cast::<MaybeUninit<$bits>>(), c.cast());
                vectorize(Across { sums, mr, c, rows });
                return true;
            }
        )*};
    }
    as_bits!(u32 u64);
    false
}

/// Whoever makes one vouches for its pointers, as [`across`] asks.
struct Across<'a, U> {
    sums: *const U,
    mr: usize,
    c: *mut U,
    rows: &'a [isize],
}

impl<U: Copy> Vectorize for Across<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx2;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        for (i, rows) in self.rows.chunks_exact(SIDE).enumerate() {
            // SAFETY: the promise of `across`.
            unsafe {
                let sums = self.sums.add(i * SIDE);
                let from = core::array::from_fn(|j| sums.add(j * self.mr));
                let to = core::array::from_fn(|y| self.c.offset(rows[y]));
                square::<U, SIDE>(from, to);
            }
        }
    }
}
