//! Packing: micro-panels of A and B from any strides.

use super::scatter::is_unit;
use crate::scalar::Scalar;

/// Packs `rows.len()` rows of `depth.len()` terms into micro-panels of `r` rows: the element of row `i` and term `p` of a
/// micro-panel goes to `p * r + i`. Missing rows of the last micro-panel become zero.
///
/// For B, read columns for rows.
///
/// # Safety
///
/// `source` is readable at every `rows[i] + depth[p]`; `panel` is writable for `rows.len()` rounded up to `r`, times
/// `depth.len()`, elements.
#[inline(always)]
pub(super) unsafe fn pack<T: Scalar>(
    r: usize,
    mut panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: &[isize],
    conj: bool,
) {
    let unit_depth = is_unit(depth);
    for rows in rows.chunks(r) {
        // SAFETY: the caller's promise, for this micro-panel.
        unsafe {
            if rows.len() == r && is_unit(rows) {
                unit_rows(r, panel, source.offset(rows[0]), depth);
            } else if unit_depth && rows.len() == r && !depth.is_empty() {
                unit_terms(r, panel, source.offset(depth[0]), rows, depth.len());
            } else {
                any(r, panel, source, rows, depth);
            }
            if conj {
                for p in 0..r * depth.len() {
                    *panel.add(p) = T::conj(*panel.add(p));
                }
            }
            panel = panel.add(r * depth.len());
        }
    }
}

/// Rows one element apart: each term is one run of `r` elements.
#[inline(always)]
unsafe fn unit_rows<T: Scalar>(r: usize, panel: *mut T, source: *const T, depth: &[isize]) {
    for (p, &at) in depth.iter().enumerate() {
        // SAFETY: the caller's promise; both are arrays of `r` elements, the panel's its own memory.
        unsafe { core::ptr::copy_nonoverlapping(source.offset(at), panel.add(p * r), r) };
    }
}

/// Terms one element apart: a transposition, eight terms at a time so that whole cache lines are read.
#[inline(always)]
unsafe fn unit_terms<T: Scalar>(
    r: usize,
    panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: usize,
) {
    const TERMS: usize = 8;
    let whole = depth - depth % TERMS;
    for p in (0..whole).step_by(TERMS) {
        for (i, &at) in rows.iter().enumerate().take(r) {
            // SAFETY: the caller's promise: `p + TERMS <= depth`, `i < r`.
            unsafe {
                let terms: [T; TERMS] = source.offset(at).add(p).cast::<[T; TERMS]>().read();
                for (q, term) in terms.into_iter().enumerate() {
                    panel.add((p + q) * r + i).write(term);
                }
            }
        }
    }
    for p in whole..depth {
        for (i, &at) in rows.iter().enumerate().take(r) {
            // SAFETY: the caller's promise: `p < depth`, `i < r`.
            unsafe { panel.add(p * r + i).write(*source.offset(at).add(p)) };
        }
    }
}

/// Any strides, any number of rows up to `r`.
#[inline(always)]
unsafe fn any<T: Scalar>(
    r: usize,
    panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: &[isize],
) {
    for (p, &term) in depth.iter().enumerate() {
        for i in 0..r {
            let value = match rows.get(i) {
                // SAFETY: the caller's promise.
                Some(&row) => unsafe { *source.offset(row + term) },
                None => T::ZERO,
            };
            // SAFETY: `p < depth.len()`, `i < r`.
            unsafe { panel.add(p * r + i).write(value) };
        }
    }
}
