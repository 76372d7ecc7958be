//! Blocks of A and B: packed, and multiplied.

use super::blocking::Blocking;
use super::inner::{AndNext, Macro};
use super::pack::{Rows, pack, panels};
use super::scatter::is_unit;
use crate::element::Element;
use crate::isa::vectorize;
use crate::operands::Operands;
use crate::walk::Offset;

/// What the five loops ask of an element type: a block of A or B packed, a block of C made of two packed blocks.
pub(super) trait Blocks: Sync {
    /// Packs what the tiles cannot read in its place, and says whether there are rows that they can: the first strip of
    /// tiles, which reads all of A~ from A, packs them.
    ///
    /// # Safety
    ///
    /// As for [`pack`].
    unsafe fn pack_a(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset) -> bool;
    /// # Safety
    ///
    /// As for [`pack`].
    unsafe fn pack_b(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset);
    /// LOOPS 2 and 1, in the item of the batch that `at` is. The blocks after the first of a sum add to it.
    ///
    /// # Safety
    ///
    /// The panels hold `kc` terms of the rows and columns; the block of C is the caller's own.
    unsafe fn multiply(&self, block: Block<'_>, at: Offset, first: bool);
}

/// A packed block of A and a block of B, and the rows and columns of C that they make.
pub(super) struct Block<'a> {
    pub(super) a: *mut u8,
    /// Whether the first strip of tiles packs what it reads.
    pub(super) fresh: bool,
    /// Packed; without it, B is read in its place.
    pub(super) b: Option<*const u8>,
    pub(super) rows: &'a [isize],
    pub(super) columns: &'a [isize],
    /// Rows and terms in A.
    pub(super) m_a: &'a [isize],
    pub(super) k_a: &'a [isize],
    /// Columns and terms in B.
    pub(super) n_b: &'a [isize],
    pub(super) k_b: &'a [isize],
    pub(super) next: Next<'a>,
}

/// What the tiles of a block ask memory for: the block that is packed next. So memory is at work while sums are made.
#[derive(Clone, Copy)]
pub(super) enum Next<'a> {
    Nothing,
    /// Rows of A.
    OfA(&'a [isize]),
    /// Columns of B.
    OfB(&'a [isize]),
}

/// The arrays of a product, as its five loops use them.
pub(super) struct Typed<T> {
    pub(super) operands: Operands<T>,
    pub(super) blocks: Blocking,
}

impl<T: Element> Blocks for Typed<T> {
    unsafe fn pack_a(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset) -> bool {
        let Operands { a, scale, .. } = self.operands;
        let Blocking { mr, lanes, .. } = self.blocks;
        let conj = const { !T::KIND.is_real() } && scale.conj_a;
        let fresh = self.blocks.fresh && !conj && rows.chunks(lanes).all(is_unit);
        // A register that is not full would be read beyond A.
        let whole = rows.len().is_multiple_of(lanes);
        let done = match (fresh, whole) {
            (true, true) => return true,
            (true, false) => panels(rows.len(), mr, lanes)
                .last()
                .map_or(0, |last| last.start),
            (false, _) => 0,
        };
        // SAFETY: the caller's promise; whole micro-panels are left out.
        unsafe {
            let panel = panel.cast::<T>().add(done * depth.len());
            let of = Rows { most: mr, lanes };
            let a = a.offset(at.a);
            pack::<T>(of, panel, a, &rows[done..], depth, conj);
        }
        fresh
    }

    unsafe fn pack_b(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset) {
        let Operands { b, scale, .. } = self.operands;
        // SAFETY: the caller's promise.
        unsafe {
            let (panel, b) = (panel.cast(), b.offset(at.b));
            let columns = Rows {
                most: self.blocks.nr,
                lanes: self.blocks.nr,
            };
            pack::<T>(columns, panel, b, rows, depth, scale.conj_b);
        }
    }

    unsafe fn multiply(&self, block: Block<'_>, at: Offset, first: bool) {
        let Operands { a, b, c, scale } = self.operands;
        let update = scale.update();
        let of = Macro {
            block,
            // SAFETY: an item of the batch.
            a: unsafe { a.offset(at.a) },
            // SAFETY: as above.
            b: unsafe { b.offset(at.b) },
            // SAFETY: as above.
            c: unsafe { c.offset(at.c) },
            update: if first { update } else { update.rest() },
        };
        match of.block.next {
            Next::Nothing => vectorize(of),
            Next::OfA(_) | Next::OfB(_) => vectorize(AndNext(of)),
        }
    }
}
