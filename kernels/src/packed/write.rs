//! Finished sums on their way into C.

use super::scatter::is_unit;
use super::tile::Tile;
use crate::element::Element;
use crate::scale::Update;

/// Puts the sums of the rows and columns that exist into C.
///
/// # Safety
///
/// `c` is writable (and readable, unless `update` stores) at every `rows[i] + columns[j]`.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn write<T: Element, K: Tile<T>>(
    sums: &K::Sums,
    c: *mut T,
    rows: &[isize],
    columns: &[isize],
    update: Update<T>,
) {
    let sums = (&raw const *sums).cast::<T>();
    if update.is_plain() && rows.len() == K::MR && is_unit(rows) {
        for (j, &column) in columns.iter().enumerate() {
            // SAFETY: column `j < NR` of the tile's sums; `MR` elements of C, one after the other.
            unsafe {
                let c = c.offset(rows[0] + column);
                core::ptr::copy_nonoverlapping(sums.add(j * K::MR), c, K::MR);
            }
        }
    } else {
        // SAFETY: the caller's promise, passed on.
        unsafe { any(sums, K::MR, c, rows, columns, update) };
    }
}

/// The same for any rows and any update: columns of `mr` sums.
#[inline(never)]
unsafe fn any<T: Element>(
    sums: *const T,
    mr: usize,
    c: *mut T,
    rows: &[isize],
    columns: &[isize],
    update: Update<T>,
) {
    let unit = is_unit(rows);
    for (j, &column) in columns.iter().enumerate() {
        // SAFETY: column `j` of the tile's sums, and the elements of C that the caller promises.
        unsafe {
            let sums = sums.add(j * mr);
            if unit {
                update.run(c.offset(rows[0] + column), 1, sums, rows.len());
            } else {
                for (i, &row) in rows.iter().enumerate() {
                    update.apply(c.offset(row + column), *sums.add(i));
                }
            }
        }
    }
}
