//! Finished sums on their way into C.

use super::scatter::is_unit;
use super::tile::Tile;
use crate::kernel::scale::Update;
use crate::scalar::Scalar;

/// Puts the sums of the rows and columns that exist into C.
///
/// # Safety
///
/// `c` is writable (and readable, unless `update` stores) at every `rows[i] + columns[j]`.
#[inline(always)]
pub(super) unsafe fn write<T: Scalar, K: Tile<T>>(
    sums: &K::Sums,
    c: *mut T,
    rows: &[isize],
    columns: &[isize],
    update: Update<T>,
) {
    let sums = (&raw const *sums).cast::<T>();
    let unit = rows.len() == K::MR && is_unit(rows);
    for (j, &column) in columns.iter().enumerate() {
        // SAFETY: column `j < NR` of the tile's sums.
        let sums = unsafe { sums.add(j * K::MR) };
        if unit {
            // SAFETY: the caller's promise: `MR` elements of C, one after the other.
            unsafe { run(sums, c.offset(rows[0] + column), K::MR, update) };
        } else {
            for (i, &row) in rows.iter().enumerate() {
                // SAFETY: the caller's promise; `i < MR`.
                unsafe { update.apply(c.offset(row + column), *sums.add(i)) };
            }
        }
    }
}

/// Puts `len` sums into consecutive elements of C.
#[inline(always)]
unsafe fn run<T: Scalar>(sums: *const T, c: *mut T, len: usize, update: Update<T>) {
    // SAFETY: the caller's promise; the sums are a local tile, apart from C.
    unsafe {
        match update {
            Update::Store { alpha: None } => core::ptr::copy_nonoverlapping(sums, c, len),
            Update::Add { alpha: None } => {
                for i in 0..len {
                    c.add(i).write(T::add(*c.add(i), *sums.add(i)));
                }
            }
            update => {
                for i in 0..len {
                    update.apply(c.add(i), *sums.add(i));
                }
            }
        }
    }
}
