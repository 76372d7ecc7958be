//! The five loops.

use core::mem::MaybeUninit;

use super::block::{Block, Blocks, Next, Typed};
use super::blocking::{Blocking, blocking};
use super::scatter::scatter;
use crate::axis::{Axis, size};
use crate::element::Element;
use crate::operands::Operands;
use crate::pack_buffer::PackBuffer;
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

/// The operand of which the tiles of a block ask for the next one.
#[derive(Clone, Copy)]
enum Ahead {
    Neither,
    A,
    B,
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
    ahead: Ahead,
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
/// level-2 cache.
const STREAMS: usize = 32;
/// Strips of tiles up to which packing a far A takes about as long as multiplying: where there are no more, tiles ask for the next
/// block of A, a line a term.
const STRIPS: usize = 4;

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
    let ahead = if !in_place && m <= blocks.mr && kc > STREAMS {
        Ahead::B
    } else if n <= STRIPS * blocks.nr && m.saturating_mul(k) * bytes > NEAR_B {
        Ahead::A
    } else {
        Ahead::Neither
    };
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
        ahead,
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
                let after = rows.end;
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
                    next: match scatter.ahead {
                        Ahead::B if columns.end < scatter.n_b.len() => {
                            Next::OfB(&scatter.n_b[columns.end..])
                        }
                        Ahead::A if !fresh && after < scatter.m_a.len() => {
                            Next::OfA(&scatter.m_a[after..])
                        }
                        _ => Next::Nothing,
                    },
                };
                // SAFETY: the block of C that they make.
                unsafe { typed.multiply(block, at, pc == 0) };
            }
        }
    }
}
