//! LOOPS 2 and 1: the tiles of one block.

use super::block::{Block, Next};
use super::operand::{Ahead, Fresh, InPlace, Packed, Panel, PanelAhead, Terms};
use super::pack::panels;
use super::scatter::is_unit;
use super::tile::{Tile, highest, tile_rows, with_tile};
use super::write::{Target, write};
use crate::element::Element;
use crate::hint::{SOON, prefetch};
use crate::isa::{Isa, Level, Vectorize};
use crate::scale::Update;

/// LOOPS 2 and 1 over one block.
pub(super) struct Macro<'a, T> {
    pub(super) block: Block<'a>,
    pub(super) a: *const T,
    pub(super) b: *const T,
    pub(super) c: *mut T,
    pub(super) update: Update<T>,
}

impl<T: Element> Vectorize for Macro<'_, T> {
    type Output = ();
    const MOST: Level = highest::<T>();
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // SAFETY: whoever makes a `Macro` vouches for its pointers.
        unsafe { with_tile!(I, T, tiles(self)) }
    }
}

/// The same while the next block is asked for. Apart, so that the code of all other products is as it would be without.
pub(super) struct AndNext<'a, T>(pub(super) Macro<'a, T>);

impl<T: Element> Vectorize for AndNext<'_, T> {
    type Output = ();
    const MOST: Level = highest::<T>();
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // SAFETY: whoever makes a `Macro` vouches for its pointers.
        unsafe { with_tile!(I, T, tiles_and_next(self.0)) }
    }
}

/// LOOP 2.
#[cfg_attr(optimised, inline(always))]
unsafe fn tiles<T: Element, K: Tile<T>>(of: Macro<'_, T>) {
    // SAFETY: the caller's promise.
    unsafe { over_strips::<T, K, false>(&of) }
}

/// LOOP 2 over a block that another one follows.
#[cfg_attr(optimised, inline(always))]
unsafe fn tiles_and_next<T: Element, K: Tile<T>>(of: Macro<'_, T>) {
    let block = &of.block;
    // SAFETY: the caller's promise.
    unsafe {
        match (block.next, block.b) {
            (Next::OfB(next), Some(b)) => over_strips_and_next::<T, K>(&of, b.cast(), next),
            _ => over_strips::<T, K, true>(&of),
        }
    }
}

/// The strips of tiles, which ask for the next block of A, if `AHEAD`.
#[cfg_attr(optimised, inline(always))]
unsafe fn over_strips<T: Element, K: Tile<T>, const AHEAD: bool>(of: &Macro<'_, T>) {
    let block = &of.block;
    let kc = block.k_b.len();
    for (jr, (left, to)) in strips::<T, K>(of).enumerate() {
        // SAFETY: the terms of these columns, packed or in B, and their columns of C.
        unsafe {
            match block.b {
                Some(b) => {
                    let panel = b.cast::<T>().add(jr * K::NR * kc);
                    strip::<T, K, _, AHEAD>(left, Packed { panel, nr: K::NR }, to);
                }
                None => {
                    let n_b = &block.n_b[jr * K::NR..][..to.columns.len()];
                    strip::<T, K, _, AHEAD>(left, InPlace::new(of.b, n_b, block.k_b), to);
                }
            }
        }
    }
}

/// The strips of tiles, which ask for the next block of B.
#[cfg_attr(optimised, inline(always))]
unsafe fn over_strips_and_next<T: Element, K: Tile<T>>(
    of: &Macro<'_, T>,
    b: *const T,
    next: &[isize],
) {
    let block = &of.block;
    let Some(last) = next.last() else { return };
    for (jr, (left, to)) in strips::<T, K>(of).enumerate() {
        // Of each strip another column, in case they do not share a line.
        let next = next.get(jr * K::NR + jr % K::NR).unwrap_or(last);
        // SAFETY: the packed terms of these columns, and their columns of C; columns of B.
        unsafe {
            let panel = b.add(jr * K::NR * block.k_b.len());
            let packed = Packed { panel, nr: K::NR };
            let ahead = Ahead::new(packed, of.b.offset(*next), block.k_b);
            strip::<T, K, _, false>(left, ahead, to);
        }
    }
}

/// The strips of a block: the block of A, and where the sums go.
#[cfg_attr(optimised, inline(always))]
fn strips<'a, T: Element, K: Tile<T>>(
    of: &'a Macro<'_, T>,
) -> impl Iterator<Item = (Left<'a, T>, Target<'a, T>)> {
    let block = &of.block;
    let in_lanes = block.rows.chunks(K::LANES).all(is_unit);
    let strips = block.columns.chunks(K::NR).enumerate();
    let rows_each = K::MR / strips.len().clamp(1, K::MR);
    let next = match block.next {
        Next::OfA(rows) => rows,
        Next::Nothing | Next::OfB(_) => &[],
    };
    strips.map(move |(jr, columns)| {
        let to = Target {
            c: of.c,
            rows: block.rows,
            columns,
            update: of.update,
            in_lanes,
        };
        let left = Left {
            panels: block.a.cast(),
            a: of.a,
            rows: block.m_a,
            depth: block.k_a,
            fresh: block.fresh && jr == 0,
            keep: block.columns.len() > K::NR,
            next,
            first: jr * rows_each,
        };
        (left, to)
    })
}

/// A block of A: its micro-panels, and where they come from.
#[derive(Clone, Copy)]
struct Left<'a, T> {
    panels: *mut T,
    a: *const T,
    rows: &'a [isize],
    depth: &'a [isize],
    /// Whether whole registers are to be read from A and put into the panels.
    fresh: bool,
    /// Whether a later strip reads what is put there.
    keep: bool,
    /// The rows of the blocks after this one, if tiles are to ask for them.
    next: &'a [isize],
    /// The row of each micro-panel that this strip asks for.
    first: usize,
}

impl<T> Left<'_, T> {
    /// A row of the next block, for the tile from row `first` of this one on: another one for each tile. Of every micro-panel
    /// others, too, in case their rows share lines.
    #[cfg_attr(optimised, inline(always))]
    fn ahead(&self, first: usize, rows: usize) -> *const T {
        let at = first + self.first + first / rows % 8;
        let row = self.next.get(at).or(self.next.last());
        self.a.wrapping_offset(*row.unwrap_or(&0))
    }
}

/// LOOP 1: the last rows in the narrowest tile that has them.
#[cfg_attr(optimised, inline(always))]
unsafe fn strip<T: Element, K: Tile<T>, B: Terms<T>, const AHEAD: bool>(
    left: Left<'_, T>,
    b: B,
    to: Target<'_, T>,
) {
    for panel in panels(to.rows.len(), K::MR, K::LANES) {
        let first = panel.start;
        let rows = &to.rows[panel];
        let to = Target { rows, ..to };
        // SAFETY: a micro-panel of the block, and its tile of C.
        unsafe {
            match rows.len().div_ceil(K::LANES) {
                1 => tile::<T, K::One, B, AHEAD>(left, first, b, to),
                2 => tile::<T, K::Two, B, AHEAD>(left, first, b, to),
                _ => tile::<T, K, B, AHEAD>(left, first, b, to),
            }
        }
    }
}

/// One tile, from row `first` of the block on.
#[cfg_attr(optimised, inline(always))]
unsafe fn tile<T: Element, K: Tile<T>, B: Terms<T>, const AHEAD: bool>(
    left: Left<'_, T>,
    first: usize,
    b: B,
    to: Target<'_, T>,
) {
    let kc = left.depth.len();
    // SAFETY: the caller's promise: a micro-panel of the block, filled, or of as many rows as there are in A.
    unsafe {
        let panel = left.panels.add(first * kc);
        // The lines of C come while sums are made, or stores would wait for them.
        for &column in to.columns {
            for row in to.rows.iter().step_by(K::LANES) {
                prefetch::<T, SOON>(to.c.wrapping_offset(row + column).cast_const());
            }
        }
        let sums = if K::FRESH && left.fresh && to.rows.len() == K::MR {
            let rows = &left.rows[first..][..K::MR];
            let a = Fresh::new(left.a, rows, K::LANES, left.depth, (panel, left.keep));
            K::sums(kc, a, b)
        } else if AHEAD {
            let next = left.ahead(first, K::MR);
            let a = PanelAhead::new(Panel(panel.cast_const()), next, left.depth);
            K::sums(kc, a, b)
        } else {
            K::sums(kc, Panel(panel.cast_const()), b)
        };
        write::<T, K>(sums, to);
    }
}
