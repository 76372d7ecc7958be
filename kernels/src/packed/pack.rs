//! Packing: micro-panels of A and B from any strides.
//!
//! A copy, so it is compiled once for each size of elements, and for none of the instruction sets: the columns that
//! are dense in the tensor are moved as bytes, by one function for all.

use core::mem::MaybeUninit;

use super::scatter::is_unit;
use crate::OPTIMISED;
use crate::element::Element;
use crate::isa::{Isa, Level, Vectorize, vectorize};
use crate::kind::Kind;

/// Packs `rows.len()` rows of `depth.len()` terms into micro-panels of `r` rows: the element of row `i` and term `p` of a
/// micro-panel goes to `p * r + i`. Missing rows of the last micro-panel become zero.
///
/// For B, read columns for rows.
///
/// # Safety
///
/// `source` is readable at every `rows[i] + depth[p]`; `panel` is writable for `rows.len()` rounded up to `r`, times
/// `depth.len()`, elements.
pub(super) unsafe fn pack<T: Element>(
    r: usize,
    panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: &[isize],
    conj: bool,
) {
    // SAFETY: the caller's promise. `MaybeUninit` allows for padding, and the bits of zero are those of every zero of
    // our own types.
    unsafe {
        'packed: {
            macro_rules! as_bits {
                ($($bits:ty)*) => {$(
                    if const { size_of::<T>() == size_of::<$bits>() && !T::KIND.is(Kind::Other) } {
                        let zero = MaybeUninit::<$bits>::new(0);
                        bits(r, panel.cast(), source.cast(), rows, depth, zero);
                        break 'packed;
                    }
                )*};
            }
            as_bits!(u8 u16 u32 u64 u128);
            bits(r, panel, source, rows, depth, T::ZERO);
        }
        if const { !T::KIND.is_real() } && conj {
            for p in 0..rows.len().next_multiple_of(r) * depth.len() {
                *panel.add(p) = T::conj(*panel.add(p));
            }
        }
    }
}

/// [`pack`] for elements without arithmetic, aligned or not.
#[inline(never)]
unsafe fn bits<U: Copy>(
    r: usize,
    mut panel: *mut U,
    source: *const U,
    rows: &[isize],
    depth: &[isize],
    zero: U,
) {
    let unit_depth = is_unit(depth);
    for rows in rows.chunks(r) {
        // SAFETY: the caller's promise, for this micro-panel.
        unsafe {
            if rows.len() == r && is_unit(rows) {
                vectorize(Columns {
                    bytes: r * size_of::<U>(),
                    panel: panel.cast(),
                    source: source.offset(rows[0]).cast(),
                    depth,
                    size: size_of::<U>() as isize,
                });
            } else if const { OPTIMISED } && unit_depth && !depth.is_empty() {
                unit_terms(r, panel, source.offset(depth[0]), rows, depth.len());
            } else {
                any(r, panel, source, rows, depth);
            }
            for p in 0..depth.len() {
                for i in rows.len()..r {
                    panel.add(p * r + i).write_unaligned(zero);
                }
            }
            panel = panel.add(r * depth.len());
        }
    }
}

/// Rows one element apart: each term is one run of `bytes` bytes.
struct Columns<'a> {
    bytes: usize,
    panel: *mut u8,
    source: *const u8,
    depth: &'a [isize],
    /// Bytes of an element, in which `depth` counts.
    size: isize,
}

impl Vectorize for Columns<'_> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // The columns of all register tiles but the plainest.
        match self.bytes {
            192 => self.copy(192),
            96 => self.copy(96),
            64 => self.copy(64),
            32 => self.copy(32),
            16 => self.copy(16),
            bytes => self.copy(bytes),
        }
    }
}

impl Columns<'_> {
    #[cfg_attr(optimised, inline(always))]
    fn copy(self, bytes: usize) {
        for (p, &at) in self.depth.iter().enumerate() {
            // SAFETY: the promise of `pack`; the panel is apart from the tensor.
            unsafe {
                let from = self.source.offset(at * self.size);
                core::ptr::copy_nonoverlapping(from, self.panel.add(p * bytes), bytes);
            }
        }
    }
}

/// Terms one element apart: a transposition, eight terms at a time so that whole cache lines are read.
unsafe fn unit_terms<U: Copy>(
    r: usize,
    panel: *mut U,
    source: *const U,
    rows: &[isize],
    depth: usize,
) {
    const TERMS: usize = 8;
    let whole = depth - depth % TERMS;
    for p in (0..whole).step_by(TERMS) {
        for (i, &at) in rows.iter().enumerate() {
            // SAFETY: the caller's promise: `p + TERMS <= depth`, `i < r`.
            unsafe {
                let terms = source.offset(at).add(p).cast::<[U; TERMS]>();
                let terms = terms.read_unaligned();
                let to = panel.add(p * r + i);
                for (q, term) in terms.iter().enumerate() {
                    to.add(q * r).write_unaligned(*term);
                }
            }
        }
    }
    for p in whole..depth {
        for (i, &at) in rows.iter().enumerate() {
            // SAFETY: the caller's promise: `p < depth`, `i < r`.
            unsafe {
                let term = source.offset(at).add(p).read_unaligned();
                panel.add(p * r + i).write_unaligned(term);
            }
        }
    }
}

/// Any strides.
unsafe fn any<U: Copy>(r: usize, panel: *mut U, source: *const U, rows: &[isize], depth: &[isize]) {
    for (p, &term) in depth.iter().enumerate() {
        for (i, &row) in rows.iter().enumerate() {
            // SAFETY: the caller's promise; `p < depth.len()`, `i < r`.
            unsafe {
                let value = source.offset(row + term).read_unaligned();
                panel.add(p * r + i).write_unaligned(value);
            }
        }
    }
}
