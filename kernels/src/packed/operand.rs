//! Where a micro-kernel finds A and B: packed, or in their places.

use crate::hint::{LATER, SOON, prefetch};
use crate::lanes::Lanes;

/// Most columns of a tile.
pub(super) const COLUMNS: usize = 8;
/// Most registers of a column of a tile.
pub(super) const REGISTERS: usize = 3;

/// Where a micro-kernel finds the columns of A.
pub(super) trait Rows<T>: Copy {
    /// The `V` registers of term `p`.
    ///
    /// # Safety
    ///
    /// There are such a term and so many rows, and the instruction set of the lanes is there. `L` is of elements `T`, or of
    /// their parts.
    unsafe fn column<L: Lanes, const V: usize>(&self, p: usize) -> [L; V];
}

/// In a packed micro-panel.
#[derive(Clone, Copy)]
pub(super) struct Panel<T>(pub(super) *const T);

impl<T: Copy> Rows<T> for Panel<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn column<L: Lanes, const V: usize>(&self, p: usize) -> [L; V] {
        // SAFETY: the panel has `V` registers a term.
        unsafe {
            let mut column = [L::zero(); V];
            for (v, lanes) in column.iter_mut().enumerate() {
                *lanes = L::load(self.0.cast::<L::Elem>().add((p * V + v) * L::LEN));
            }
            column
        }
    }
}

/// In a packed micro-panel, while a row of the next block is asked for.
#[derive(Clone, Copy)]
pub(super) struct PanelAhead<T> {
    panel: Panel<T>,
    next: *const T,
    depth: *const isize,
}

impl<T: Copy> PanelAhead<T> {
    /// A row of the next block, and the offsets of the terms, as many as the micro-panel has.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn new(panel: Panel<T>, next: *const T, depth: &[isize]) -> PanelAhead<T> {
        PanelAhead {
            panel,
            next,
            depth: depth.as_ptr(),
        }
    }
}

impl<T: Copy> Rows<T> for PanelAhead<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn column<L: Lanes, const V: usize>(&self, p: usize) -> [L; V] {
        // SAFETY: `p` is a term, so that it has an offset; the rest is the caller's promise.
        unsafe {
            prefetch::<T, LATER>(self.next.wrapping_offset(*self.depth.add(p)));
            self.panel.column::<L, V>(p)
        }
    }
}

/// In A itself, from where each register is also put into its micro-panel: packing costs no time of its own.
#[derive(Clone, Copy)]
pub(super) struct Fresh<T> {
    rows: [*const T; REGISTERS],
    depth: *const isize,
    last: usize,
    panel: *mut T,
    /// Elements from term to term in the panel: none where nobody reads it again.
    pitch: usize,
}

/// Terms that memory is asked for in advance: what the processor finds by itself ends at a page.
const AHEAD: usize = 16;

impl<T: Copy> Fresh<T> {
    /// The rows `rows` of A, `lanes` of them one element apart each time, the offsets of the terms, and the panel.
    ///
    /// # Safety
    ///
    /// `rows` are offsets in A, at most `REGISTERS * lanes`, and at least one, like `depth`; the panel has room for all rows
    /// and terms.
    #[cfg_attr(optimised, inline(always))]
    pub(super) unsafe fn new(
        a: *const T,
        rows: &[isize],
        lanes: usize,
        depth: &[isize],
        (panel, keep): (*mut T, bool),
    ) -> Fresh<T> {
        let last = (rows.len() - 1) / lanes;
        Fresh {
            // SAFETY: the caller's promise.
            rows: core::array::from_fn(|v| unsafe { a.offset(rows[v.min(last) * lanes]) }),
            depth: depth.as_ptr(),
            last: depth.len() - 1,
            panel,
            pitch: if keep { rows.len() } else { 0 },
        }
    }
}

impl<T: Copy> Rows<T> for Fresh<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn column<L: Lanes, const V: usize>(&self, p: usize) -> [L; V] {
        // SAFETY: `p` and the last term are terms, so that they have offsets, which lead to elements of the rows; the panel
        // has `V` registers a term.
        unsafe {
            let (at, ahead) = (
                *self.depth.add(p),
                *self.depth.add((p + AHEAD).min(self.last)),
            );
            let mut column = [L::zero(); V];
            for (lanes, row) in column.iter_mut().zip(self.rows) {
                prefetch::<T, SOON>(row.offset(ahead));
                *lanes = L::load(row.offset(at).cast());
            }
            let kept = self.panel.add(p * self.pitch).cast::<L::Elem>();
            for (v, lanes) in column.into_iter().enumerate() {
                lanes.store_some(kept.add(v * L::LEN), L::LEN);
            }
            column
        }
    }
}

/// Where a micro-kernel finds the elements of B.
pub(super) trait Terms<T>: Copy {
    /// Term `p` of column `j < NR`.
    ///
    /// # Safety
    ///
    /// There are more than `p` terms.
    unsafe fn at(&self, p: usize, j: usize) -> *const T;
}

/// In a packed micro-panel.
#[derive(Clone, Copy)]
pub(super) struct Packed<T> {
    pub(super) panel: *const T,
    /// Columns of the panel.
    pub(super) nr: usize,
}

impl<T: Copy> Terms<T> for Packed<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn at(&self, p: usize, j: usize) -> *const T {
        // SAFETY: the panel has `nr` elements a term.
        unsafe { self.panel.add(p * self.nr + j) }
    }
}

/// In a packed micro-panel, while one of the next block is asked for.
#[derive(Clone, Copy)]
pub(super) struct Ahead<T> {
    packed: Packed<T>,
    next: *const T,
    depth: *const isize,
}

impl<T: Copy> Ahead<T> {
    /// A column of the next block, and the offsets of the terms, as many as the micro-panel has.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn new(packed: Packed<T>, next: *const T, depth: &[isize]) -> Ahead<T> {
        Ahead {
            packed,
            next,
            depth: depth.as_ptr(),
        }
    }
}

impl<T: Copy> Terms<T> for Ahead<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn at(&self, p: usize, j: usize) -> *const T {
        // SAFETY: `p` is a term, so that it has an offset; the rest is the caller's promise.
        unsafe {
            if j == 0 {
                prefetch::<T, LATER>(self.next.wrapping_offset(*self.depth.add(p)));
            }
            self.packed.at(p, j)
        }
    }
}

/// In B itself: an element is broadcast to a register, wherever it lies.
#[derive(Clone, Copy)]
pub(super) struct InPlace<T> {
    columns: [*const T; COLUMNS],
    depth: *const isize,
}

impl<T: Copy> InPlace<T> {
    /// These columns of B, the last one in place of those that do not exist, and the offsets of the terms.
    ///
    /// # Safety
    ///
    /// `columns` are offsets in B, at least one.
    #[cfg_attr(optimised, inline(always))]
    pub(super) unsafe fn new(b: *const T, columns: &[isize], depth: &[isize]) -> InPlace<T> {
        let last = columns.len() - 1;
        InPlace {
            // SAFETY: the caller's promise.
            columns: core::array::from_fn(|j| unsafe { b.offset(columns[j.min(last)]) }),
            depth: depth.as_ptr(),
        }
    }
}

impl<T: Copy> Terms<T> for InPlace<T> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn at(&self, p: usize, j: usize) -> *const T {
        // SAFETY: `p` is a term, so that it has an offset, which leads to an element of the column.
        unsafe { self.columns[j].offset(*self.depth.add(p)) }
    }
}
