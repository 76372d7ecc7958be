//! Finished sums on their way into C.

use core::mem::MaybeUninit;

use super::operand::{COLUMNS, REGISTERS};
use super::scatter::is_unit;
use super::tile::Tile;
use crate::OPTIMISED;
use crate::element::Element;
use crate::isa::{Isa, Level, Vectorize, vectorize};
use crate::scale::Update;
use crate::square::square_of_eight;

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
    let add = matches!(update, Update::Add { alpha: None });
    let lines = (add || update.is_plain()) && (in_lanes || is_unit(rows));
    if lines && rows.len() == K::MR && columns.len() == K::NR {
        // SAFETY: elements of C that follow one another, as the instruction set stores them.
        return unsafe {
            if add {
                whole::<T, K>(&sums, c, rows, columns, true);
            } else {
                whole::<T, K>(&sums, c, rows, columns, false);
            }
        };
    }
    // A copy: the sums themselves stay in registers.
    let sums = core::hint::black_box(sums);
    if lines {
        for (j, &column) in columns.iter().enumerate() {
            for (v, rows) in rows.chunks(K::LANES).enumerate() {
                // SAFETY: as above, the rows that exist.
                unsafe { K::store(&sums, j, v, c.offset(rows[0] + column), rows.len(), add) };
            }
        }
    } else if turns(rows.len(), columns, update.is_plain()) {
        // SAFETY: the caller's promise: as many sums as elements of C, and squares of them.
        unsafe {
            for (j, columns) in columns.chunks(SQUARE).enumerate() {
                let sums = (&raw const sums).cast::<T>().add(j * SQUARE * K::MR);
                turned(sums, K::MR, c.offset(columns[0]), rows);
            }
        }
    } else {
        // SAFETY: the caller's promise, passed on.
        unsafe { any((&raw const sums).cast(), K::MR, to) };
    }
}

/// Whether a tile whose rows are apart in C is turned in squares on its way there.
#[cfg_attr(optimised, inline(always))]
fn turns(rows: usize, columns: &[isize], plain: bool) -> bool {
    OPTIMISED
        && plain
        && columns.len().is_multiple_of(SQUARE)
        && rows.is_multiple_of(SQUARE)
        && columns.chunks(SQUARE).all(is_unit)
}

/// A whole tile: loops of constant lengths, so that the sums stay in registers.
#[cfg_attr(optimised, inline(always))]
unsafe fn whole<T: Element, K: Tile<T>>(
    sums: &K::Sums,
    c: *mut T,
    rows: &[isize],
    columns: &[isize],
    add: bool,
) {
    // All offsets before the first sum is stored, which might be one of them as far as the compiler knows.
    let registers = K::MR / K::LANES;
    let row: [isize; REGISTERS] = core::array::from_fn(|v| rows[v.min(registers - 1) * K::LANES]);
    let column: [isize; COLUMNS] = core::array::from_fn(|j| columns[j.min(K::NR - 1)]);
    for (j, column) in column.into_iter().enumerate().take(K::NR) {
        for (v, row) in row.into_iter().enumerate().take(registers) {
            // SAFETY: `LANES` rows of a column of the tile.
            unsafe { K::store(sums, j, v, c.offset(row + column), K::LANES, add) };
        }
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
const SQUARE: usize = 8;

/// The sums of so many columns, which are one element apart in C: squares, turned on their way.
///
/// # Safety
///
/// `c` is writable for a row of a square at every one of `rows`, whole squares of them; the sums are of `mr` rows.
#[inline(never)]
unsafe fn turned<T: Element>(sums: *const T, mr: usize, c: *mut T, rows: &[isize]) {
    /// Compiled for each size of elements.
    struct Squares<'a, U>(*const U, usize, *mut U, &'a [isize]);
    impl<U: Copy> Vectorize for Squares<'_, U> {
        type Output = ();
        const MOST: Level = Level::Avx512;
        #[cfg_attr(optimised, inline(always))]
        fn run<I: Isa>(self) {
            let Squares(sums, mr, c, rows) = self;
            for (i, rows) in rows.chunks_exact(SQUARE).enumerate() {
                // SAFETY: the caller's promise; the sums are apart from C.
                unsafe {
                    let from = core::array::from_fn(|j| sums.add(j * mr + i * SQUARE));
                    let to = core::array::from_fn(|y| c.offset(rows[y % SQUARE]));
                    square_of_eight::<U, I>(from, to);
                }
            }
        }
    }
    macro_rules! as_bits {
        ($($bits:ty)*) => {$(
            if const { size_of::<T>() == size_of::<$bits>() } {
                let squares = Squares(sums.cast::<MaybeUninit<$bits>>(), mr, c.cast(), rows);
                return vectorize(squares);
            }
        )*};
    }
    as_bits!(u32 u64);
    vectorize(Squares(sums, mr, c, rows));
}
