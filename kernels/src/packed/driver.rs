//! The five loops.

use core::mem::MaybeUninit;

use super::blocking::{Blocking, blocking};
use super::operand::{Ahead, Fresh, InPlace, Packed, Panel, Terms};
use super::pack::{Rows, pack, panels};
use super::scatter::{is_unit, scatter};
use super::tile::{Tile, highest, tile_rows, with_tile};
use super::write::{Target, write};
use crate::axis::{Axis, size};
use crate::element::Element;
use crate::hint::{SOON, prefetch};
use crate::isa::{Isa, Level, Vectorize, vectorize};
use crate::operands::Operands;
use crate::pack_buffer::PackBuffer;
use crate::scale::Update;
use crate::share::{Part, Share};
use crate::team::Team;
use crate::walk::{Offset, walk};

/// The loops of one matrix product, repeated over the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gemm<'a> {
    pub(crate) batch: &'a [Axis],
    pub(crate) m: &'a [Axis],
    pub(crate) n: &'a [Axis],
    pub(crate) k: &'a [Axis],
}

/// The scatter vectors of one product.
#[derive(Clone, Copy)]
struct Scatter<'a> {
    /// Rows in A and in C.
    m_a: &'a [isize],
    m_c: &'a [isize],
    /// Columns in B and in C.
    n_b: &'a [isize],
    n_c: &'a [isize],
    /// Terms in A and in B.
    k_a: &'a [isize],
    k_b: &'a [isize],
    /// Whether the tiles of a block of B ask for the next one.
    ahead: bool,
}

/// What the five loops ask of an element type: a block of A or B packed, a block of C made of two packed blocks.
trait Blocks: Sync {
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
struct Block<'a> {
    a: *mut u8,
    /// Whether the first strip of tiles packs what it reads.
    fresh: bool,
    /// Packed; without it, B is read in its place.
    b: Option<*const u8>,
    rows: &'a [isize],
    columns: &'a [isize],
    /// Rows and terms in A.
    m_a: &'a [isize],
    k_a: &'a [isize],
    /// Columns and terms in B.
    n_b: &'a [isize],
    k_b: &'a [isize],
    /// Columns of the blocks of B after this one, if tiles are to ask for the next one.
    next: &'a [isize],
}

/// The arrays of a product, as its five loops use them.
struct Typed<T> {
    operands: Operands<T>,
    blocks: Blocking,
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
        if of.block.next.is_empty() {
            vectorize(of);
        } else {
            vectorize(AndNext(of));
        }
    }
}

/// Runs the product on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn run<T: Element>(
    gemm: Gemm<'_>,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let blocks = blocking::<T>();
    let typed = Typed { operands, blocks };
    let conj = const { !T::KIND.is_real() } && operands.scale.conj_b;
    // SAFETY: the caller's promise.
    unsafe {
        share_out(
            gemm,
            &typed,
            (&blocks, size_of::<T>(), !conj),
            width,
            team,
            buffer,
        )
    }
}

/// Bytes of B up to which its terms may lie a pitch apart: beyond, a column of them is too many pages.
const SMALL_B: usize = 64 << 10;
/// The same where B is read once, by tiles that ask for many pages at a time: what the caches hold.
const NEAR_B: usize = 1 << 20;
/// Bytes between terms from which no two of them come with the same lines.
const APART: usize = 1 << 10;

/// Whether the elements of B are broadcast from where they lie: where the terms of a column follow one another, where B is
/// small, and where one micro-panel holds all rows, so that what is packed would be read once, unless B is far and its terms
/// lie apart: packing asks for several lines of each at once, tiles for one.
fn in_place(gemm: Gemm<'_>, blocks: &Blocking, bytes: usize) -> bool {
    let terms = gemm.k.last().map_or(0, |axis| axis.b.unsigned_abs());
    let len = gemm.k.last().map_or(1, |axis| axis.len);
    let b_bytes = size(gemm.k)
        .saturating_mul(size(gemm.n))
        .saturating_mul(bytes);
    let far = b_bytes > NEAR_B && terms.saturating_mul(bytes) >= APART;
    (terms == 1 && len * bytes >= 64) || (size(gemm.m) <= blocks.mr && !far) || b_bytes <= SMALL_B
}

/// Places in memory that a processor's own prefetchers follow at a time. Where B is packed for one micro-panel of A, and has more
/// terms than that lying apart, the tiles of a block ask for the lines of the next one, a line a term: packing finds them in the
/// level-2 cache, and memory is at work while sums are made.
const STREAMS: usize = 32;

/// Columns of B~ where one micro-panel holds all rows: B~ is read once, from the level-2 cache.
fn few_columns(blocks: &Blocking, bytes: usize, kc: usize) -> usize {
    let columns = (NEAR_B / 2) / (bytes * kc).max(1);
    columns.max(1).next_multiple_of(blocks.nr).min(blocks.nc)
}

/// Shares the product out. Compiled once, like all that follows but the blocks themselves.
///
/// # Safety
///
/// As for `Prepared::run`; `bytes` is the size of an element, and B may be read in its place if `as_it_is`.
unsafe fn share_out(
    gemm: Gemm<'_>,
    typed: &dyn Blocks,
    (blocks, bytes, as_it_is): (&Blocking, usize, bool),
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let (m, n, k) = (size(gemm.m), size(gemm.n), size(gemm.k));
    let items = size(gemm.batch);
    let width = width.min(team.threads());
    let share = Share::new(items, (m, blocks.mr), (n, blocks.nr), width);

    let nc = if m <= blocks.mr {
        few_columns(blocks, bytes, blocks.kc.min(k))
    } else {
        blocks.nc
    };
    let blocks = &Blocking { nc, ..*blocks };
    // One buffer: the scatter vectors, then A~ and B~ for each thread.
    let (mc, nc, kc) = (
        blocks.mc.min(m.next_multiple_of(blocks.mr)),
        blocks.nc.min(n.next_multiple_of(blocks.nr)),
        blocks.kc.min(k),
    );
    let in_place = as_it_is && in_place(gemm, blocks, bytes);
    let line = 64;
    let vectors = (2 * (m + n + k) * size_of::<isize>()).next_multiple_of(line);
    let a_bytes = (mc * kc * bytes).next_multiple_of(line);
    let b_bytes = if in_place { 0 } else { nc * kc * bytes };
    let b_bytes = b_bytes.next_multiple_of(line);
    let memory = buffer.reserve(vectors + share.parts() * (a_bytes + b_bytes));

    // SAFETY: the first `2 * (m + n + k)` words of the buffer, aligned to 64 bytes.
    let words = unsafe {
        let words = memory.part::<MaybeUninit<isize>>(0);
        core::slice::from_raw_parts_mut(words, 2 * (m + n + k))
    };
    let (m_a, words) = words.split_at_mut(m);
    let (m_c, words) = words.split_at_mut(m);
    let (n_b, words) = words.split_at_mut(n);
    let (n_c, words) = words.split_at_mut(n);
    let (k_a, k_b) = words.split_at_mut(k);
    let (m_a, m_c) = scatter(gemm.m, m_a, m_c, |axis| (axis.a, axis.c));
    let (n_b, n_c) = scatter(gemm.n, n_b, n_c, |axis| (axis.b, axis.c));
    let (k_a, k_b) = scatter(gemm.k, k_a, k_b, |axis| (axis.a, axis.b));
    let vectors_of = Scatter {
        m_a,
        m_c,
        n_b,
        n_c,
        k_a,
        k_b,
        ahead: !in_place && m <= blocks.mr && kc > STREAMS,
    };

    team.for_ranges(share.parts(), share.parts(), &|parts| {
        for part in parts {
            // SAFETY: each part has its own `a_bytes + b_bytes` behind the scatter vectors, aligned for any element.
            let (a_panel, b_panel) = unsafe {
                let own = vectors + part * (a_bytes + b_bytes);
                (memory.part::<u8>(own), memory.part::<u8>(own + a_bytes))
            };
            let Part {
                items,
                rows,
                columns,
            } = share.part(part);
            let scatter = Scatter {
                m_a: &vectors_of.m_a[rows.clone()],
                m_c: &vectors_of.m_c[rows],
                n_b: &vectors_of.n_b[columns.clone()],
                n_c: &vectors_of.n_c[columns],
                ..vectors_of
            };
            let b_panel = (!in_place).then_some(b_panel);
            walk(gemm.batch, items, &mut |offset| {
                // SAFETY: a point of the batch; the part's rows and columns of C are its own.
                unsafe { item(typed, offset, scatter, blocks, a_panel, b_panel) };
            });
        }
    });
}

/// One product: LOOPS 5, 4 and 3.
///
/// # Safety
///
/// As for `Prepared::run`; the panels hold `mc * kc` and `kc * nc` elements, rounded up to whole micro-panels. Without a
/// panel for B, it is read in its place.
unsafe fn item(
    typed: &dyn Blocks,
    at: Offset,
    scatter: Scatter<'_>,
    blocks: &Blocking,
    a_panel: *mut u8,
    b_panel: Option<*mut u8>,
) {
    // LOOP 5
    for jc in (0..scatter.n_b.len()).step_by(blocks.nc) {
        let columns = jc..(jc + blocks.nc).min(scatter.n_b.len());
        // LOOP 4
        for pc in (0..scatter.k_a.len()).step_by(blocks.kc) {
            let terms = pc..(pc + blocks.kc).min(scatter.k_a.len());
            let (n_b, k_b) = (&scatter.n_b[columns.clone()], &scatter.k_b[terms.clone()]);
            if let Some(b_panel) = b_panel {
                // SAFETY: a block of B.
                unsafe { typed.pack_b(b_panel, n_b, k_b, at) };
            }
            // LOOP 3
            for ic in (0..scatter.m_a.len()).step_by(blocks.mc) {
                let rows = ic..(ic + blocks.mc).min(scatter.m_a.len());
                let (m_a, k_a) = (&scatter.m_a[rows.clone()], &scatter.k_a[terms.clone()]);
                // SAFETY: a block of A.
                let fresh = unsafe { typed.pack_a(a_panel, m_a, k_a, at) };
                let block = Block {
                    a: a_panel,
                    fresh,
                    m_a,
                    k_a,
                    b: b_panel.map(<*mut u8>::cast_const),
                    rows: &scatter.m_c[rows],
                    columns: &scatter.n_c[columns.clone()],
                    n_b,
                    k_b,
                    next: scatter
                        .n_b
                        .get(columns.end..)
                        .filter(|_| scatter.ahead)
                        .unwrap_or_default(),
                };
                // SAFETY: the block of C that they make.
                unsafe { typed.multiply(block, at, pc == 0) };
            }
        }
    }
}

/// LOOPS 2 and 1 over one block.
struct Macro<'a, T> {
    block: Block<'a>,
    a: *const T,
    b: *const T,
    c: *mut T,
    update: Update<T>,
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

/// The same while the next block of B is asked for. Apart, so that the code of all other products is as it would be without.
struct AndNext<'a, T>(Macro<'a, T>);

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
    let block = &of.block;
    let kc = block.k_b.len();
    for (jr, (left, to)) in strips::<T, K>(&of).enumerate() {
        // SAFETY: the terms of these columns, packed or in B, and their columns of C.
        unsafe {
            match block.b {
                Some(b) => {
                    let panel = b.cast::<T>().add(jr * K::NR * kc);
                    strip::<T, K, _>(left, Packed { panel, nr: K::NR }, to);
                }
                None => {
                    let n_b = &block.n_b[jr * K::NR..][..to.columns.len()];
                    strip::<T, K, _>(left, InPlace::new(of.b, n_b, block.k_b), to);
                }
            }
        }
    }
}

/// LOOP 2 over a packed block of B that another one follows.
#[cfg_attr(optimised, inline(always))]
unsafe fn tiles_and_next<T: Element, K: Tile<T>>(of: Macro<'_, T>) {
    let block = &of.block;
    let (Some(b), Some(&last)) = (block.b, block.next.last()) else {
        return;
    };
    for (jr, (left, to)) in strips::<T, K>(&of).enumerate() {
        // Of each strip another column, in case they do not share a line.
        let next = block.next.get(jr * K::NR + jr % K::NR);
        // SAFETY: the packed terms of these columns, and their columns of C; columns of B.
        unsafe {
            let panel = b.cast::<T>().add(jr * K::NR * block.k_b.len());
            let next = of.b.offset(*next.unwrap_or(&last));
            let b = Ahead::new(Packed { panel, nr: K::NR }, next, block.k_b);
            strip::<T, K, _>(left, b, to);
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
}

/// LOOP 1: the last rows in the narrowest tile that has them.
#[cfg_attr(optimised, inline(always))]
unsafe fn strip<T: Element, K: Tile<T>, B: Terms<T>>(left: Left<'_, T>, b: B, to: Target<'_, T>) {
    for panel in panels(to.rows.len(), K::MR, K::LANES) {
        let first = panel.start;
        let rows = &to.rows[panel];
        let to = Target { rows, ..to };
        // SAFETY: a micro-panel of the block, and its tile of C.
        unsafe {
            match rows.len().div_ceil(K::LANES) {
                1 => tile::<T, K::One, B>(left, first, b, to),
                2 => tile::<T, K::Two, B>(left, first, b, to),
                _ => tile::<T, K, B>(left, first, b, to),
            }
        }
    }
}

/// One tile, from row `first` of the block on.
#[cfg_attr(optimised, inline(always))]
unsafe fn tile<T: Element, K: Tile<T>, B: Terms<T>>(
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
            let a = Fresh::new(left.a, rows, K::LANES, left.depth, panel);
            K::sums(kc, a, b)
        } else {
            K::sums(kc, Panel(panel.cast_const()), b)
        };
        write::<T, K>(sums, to);
    }
}
