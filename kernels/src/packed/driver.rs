//! The five loops.

use core::mem::MaybeUninit;

use super::blocking::{Blocking, blocking};
use super::pack::{Rows, pack};
use super::scatter::{is_unit, scatter};
use super::tile::{InPlace, Packed, Terms, Tile, highest, tile_rows, with_tile};
use super::write::{Target, write};
use crate::axis::{Axis, size};
use crate::element::Element;
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
}

/// What the five loops ask of an element type: a block of A or B packed, a block of C made of two packed blocks.
trait Blocks: Sync {
    /// # Safety
    ///
    /// As for [`pack`].
    unsafe fn pack_a(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset);
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
    a: *const u8,
    /// Packed; without it, B is read in its place.
    b: Option<*const u8>,
    rows: &'a [isize],
    columns: &'a [isize],
    /// Columns and terms in B.
    n_b: &'a [isize],
    k_b: &'a [isize],
}

/// The arrays of a product, as its five loops use them.
struct Typed<T> {
    operands: Operands<T>,
    blocks: Blocking,
}

impl<T: Element> Blocks for Typed<T> {
    unsafe fn pack_a(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset) {
        let Operands { a, scale, .. } = self.operands;
        // SAFETY: the caller's promise.
        unsafe {
            let (panel, a) = (panel.cast(), a.offset(at.a));
            let rows_of = Rows {
                most: self.blocks.mr,
                lanes: self.blocks.lanes,
            };
            pack::<T>(rows_of, panel, a, rows, depth, scale.conj_a);
        }
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
        let Operands { b, c, scale, .. } = self.operands;
        let update = scale.update();
        vectorize(Macro {
            block,
            // SAFETY: an item of the batch.
            b: unsafe { b.offset(at.b) },
            // SAFETY: as above.
            c: unsafe { c.offset(at.c) },
            update: if first { update } else { update.rest() },
        });
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

/// Bytes of B up to which packing it takes longer than it saves: they stay in the level-1 cache as they are.
const SMALL_B: usize = 16 << 10;

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

    // One buffer: the scatter vectors, then A~ and B~ for each thread.
    let (mc, nc, kc) = (
        blocks.mc.min(m.next_multiple_of(blocks.mr)),
        blocks.nc.min(n.next_multiple_of(blocks.nr)),
        blocks.kc.min(k),
    );
    // What is packed of B serves every micro-panel of A: where there is one, or where it is nothing, B is read in its place.
    let in_place = as_it_is && (m <= blocks.mr || k.saturating_mul(n) <= SMALL_B / bytes.max(1));
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
                let block = Block {
                    a: a_panel,
                    b: b_panel.map(<*mut u8>::cast_const),
                    rows: &scatter.m_c[rows],
                    columns: &scatter.n_c[columns.clone()],
                    n_b,
                    k_b,
                };
                // SAFETY: a block of A, then the block of C that it makes.
                unsafe {
                    typed.pack_a(a_panel, m_a, k_a, at);
                    typed.multiply(block, at, pc == 0);
                }
            }
        }
    }
}

/// LOOPS 2 and 1 over one block.
struct Macro<'a, T> {
    block: Block<'a>,
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

/// LOOP 2.
#[cfg_attr(optimised, inline(always))]
unsafe fn tiles<T: Element, K: Tile<T>>(of: Macro<'_, T>) {
    let Block {
        a,
        b,
        rows,
        columns,
        n_b,
        k_b,
    } = of.block;
    let kc = k_b.len();
    let a = a.cast::<T>();
    let in_lanes = rows.chunks(K::LANES).all(is_unit);
    for (jr, columns) in columns.chunks(K::NR).enumerate() {
        let to = Target {
            c: of.c,
            rows,
            columns,
            update: of.update,
            in_lanes,
        };
        // SAFETY: the terms of these columns, packed or in B, and their columns of C.
        unsafe {
            match b {
                Some(b) => {
                    let panel = b.cast::<T>().add(jr * K::NR * kc);
                    strip::<T, K, _>(kc, a, Packed { panel, nr: K::NR }, to);
                }
                None => {
                    let n_b = &n_b[jr * K::NR..][..columns.len()];
                    strip::<T, K, _>(kc, a, InPlace::new(of.b, n_b, k_b), to);
                }
            }
        }
    }
}

/// LOOP 1: the last rows in the narrowest tile that has them.
#[cfg_attr(optimised, inline(always))]
unsafe fn strip<T: Element, K: Tile<T>, B: Terms<T>>(
    kc: usize,
    a: *const T,
    b: B,
    to: Target<'_, T>,
) {
    for (ir, rows) in to.rows.chunks(K::MR).enumerate() {
        let to = Target { rows, ..to };
        // SAFETY: micro-panel `ir` of the block, and its tile of C.
        unsafe {
            let a = a.add(ir * K::MR * kc);
            match rows.len().div_ceil(K::LANES) {
                1 => write::<T, K::One>(K::One::sums(kc, a, b), to),
                2 => write::<T, K::Two>(K::Two::sums(kc, a, b), to),
                _ => write::<T, K>(K::sums(kc, a, b), to),
            }
        }
    }
}
