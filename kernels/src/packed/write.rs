//! Finished sums on their way into C.

use super::operand::{COLUMNS, REGISTERS};
use super::scatter::is_unit;
use super::tile::Tile;
use crate::element::Element;
use crate::scale::Update;

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
    } else {
        // SAFETY: the caller's promise, passed on.
        unsafe { any((&raw const sums).cast(), K::MR, to) };
    }
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
