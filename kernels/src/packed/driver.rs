//! The five loops.

use super::blocking::{Blocking, blocking};
use super::pack::pack;
use super::scatter::scatter;
use super::tile::{Tile, highest, tile_rows, with_tile};
use super::write::write;
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

/// Packed blocks of A and B, and the rows and columns of C that they make.
struct Block<'a> {
    kc: usize,
    a: *const u8,
    b: *const u8,
    rows: &'a [isize],
    columns: &'a [isize],
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
            pack::<T>(self.blocks.mr, panel, a, rows, depth, scale.conj_a);
        }
    }

    unsafe fn pack_b(&self, panel: *mut u8, rows: &[isize], depth: &[isize], at: Offset) {
        let Operands { b, scale, .. } = self.operands;
        // SAFETY: the caller's promise.
        unsafe {
            let (panel, b) = (panel.cast(), b.offset(at.b));
            pack::<T>(self.blocks.nr, panel, b, rows, depth, scale.conj_b);
        }
    }

    unsafe fn multiply(&self, block: Block<'_>, at: Offset, first: bool) {
        let update = self.operands.scale.update();
        vectorize(Macro {
            block,
            // SAFETY: an item of the batch.
            c: unsafe { self.operands.c.offset(at.c) },
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
    // SAFETY: the caller's promise.
    unsafe { share_out(gemm, &typed, &blocks, size_of::<T>(), width, team, buffer) }
}

/// Shares the product out. Compiled once, like all that follows but the blocks themselves.
///
/// # Safety
///
/// As for `Prepared::run`; `bytes` is the size of an element.
unsafe fn share_out(
    gemm: Gemm<'_>,
    typed: &dyn Blocks,
    blocks: &Blocking,
    bytes: usize,
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
    let line = 64;
    let vectors = (2 * (m + n + k) * size_of::<isize>()).next_multiple_of(line);
    let a_bytes = (mc * kc * bytes).next_multiple_of(line);
    let b_bytes = (nc * kc * bytes).next_multiple_of(line);
    let memory = buffer.reserve(vectors + share.parts() * (a_bytes + b_bytes));

    // SAFETY: the first `2 * (m + n + k)` words of the buffer, aligned to 64 bytes; written by this.
    let words = unsafe {
        let words = memory.part::<isize>(0);
        words.write_bytes(0, 2 * (m + n + k));
        core::slice::from_raw_parts_mut(words, 2 * (m + n + k))
    };
    let (m_a, words) = words.split_at_mut(m);
    let (m_c, words) = words.split_at_mut(m);
    let (n_b, words) = words.split_at_mut(n);
    let (n_c, words) = words.split_at_mut(n);
    let (k_a, k_b) = words.split_at_mut(k);
    scatter(gemm.m, m_a, m_c, |at| (at.a, at.c));
    scatter(gemm.n, n_b, n_c, |at| (at.b, at.c));
    scatter(gemm.k, k_a, k_b, |at| (at.a, at.b));
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
/// As for `Prepared::run`; the panels hold `mc * kc` and `kc * nc` elements, rounded up to whole micro-panels.
unsafe fn item(
    typed: &dyn Blocks,
    at: Offset,
    scatter: Scatter<'_>,
    blocks: &Blocking,
    a_panel: *mut u8,
    b_panel: *mut u8,
) {
    // LOOP 5
    for jc in (0..scatter.n_b.len()).step_by(blocks.nc) {
        let columns = jc..(jc + blocks.nc).min(scatter.n_b.len());
        // LOOP 4
        for pc in (0..scatter.k_a.len()).step_by(blocks.kc) {
            let terms = pc..(pc + blocks.kc).min(scatter.k_a.len());
            let (n_b, k_b) = (&scatter.n_b[columns.clone()], &scatter.k_b[terms.clone()]);
            // SAFETY: a block of B.
            unsafe { typed.pack_b(b_panel, n_b, k_b, at) };
            // LOOP 3
            for ic in (0..scatter.m_a.len()).step_by(blocks.mc) {
                let rows = ic..(ic + blocks.mc).min(scatter.m_a.len());
                let (m_a, k_a) = (&scatter.m_a[rows.clone()], &scatter.k_a[terms.clone()]);
                let block = Block {
                    kc: terms.len(),
                    a: a_panel,
                    b: b_panel,
                    rows: &scatter.m_c[rows],
                    columns: &scatter.n_c[columns.clone()],
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

/// LOOPS 2 and 1 over one packed block.
struct Macro<'a, T> {
    block: Block<'a>,
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

#[cfg_attr(optimised, inline(always))]
unsafe fn tiles<T: Element, K: Tile<T>>(block: Macro<'_, T>) {
    let Macro { block, c, update } = block;
    let Block {
        kc,
        a,
        b,
        rows,
        columns,
    } = block;
    let (a, b) = (a.cast::<T>(), b.cast::<T>());
    // LOOP 2
    for (jr, columns) in columns.chunks(K::NR).enumerate() {
        // LOOP 1
        for (ir, rows) in rows.chunks(K::MR).enumerate() {
            // SAFETY: micro-panels `ir` and `jr` of the block, and their tile of C.
            unsafe {
                let sums = K::sums(kc, a.add(ir * K::MR * kc), b.add(jr * K::NR * kc));
                write::<T, K>(&sums, c, rows, columns, update);
            }
        }
    }
}
