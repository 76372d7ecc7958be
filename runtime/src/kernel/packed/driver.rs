//! The five loops.

use super::blocking::{Blocking, blocking};
use super::pack::pack;
use super::scatter::scatter;
use super::tile::{Tile, tile_rows, with_tile};
use super::write::write;
use crate::kernel::axis::{Axis, size};
use crate::kernel::isa::{Isa, Vectorize, vectorize};
use crate::kernel::operands::Operands;
use crate::kernel::pack_buffer::PackBuffer;
use crate::kernel::scale::Update;
use crate::kernel::share::{Part, Share};
use crate::kernel::team::Team;
use crate::kernel::walk::walk;
use crate::scalar::Scalar;

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

/// Runs the product on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn run<T: Scalar>(
    gemm: Gemm<'_>,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let (m, n, k) = (size(gemm.m), size(gemm.n), size(gemm.k));
    let items = size(gemm.batch);
    let blocks = blocking::<T>();
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
    let a_bytes = (mc * kc * size_of::<T>()).next_multiple_of(line);
    let b_bytes = (nc * kc * size_of::<T>()).next_multiple_of(line);
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

    team.for_ranges(share.parts(), share.parts(), |parts| {
        for part in parts {
            // SAFETY: each part has its own `a_bytes + b_bytes` behind the scatter vectors, aligned for any element.
            let (a_panel, b_panel) = unsafe {
                let own = vectors + part * (a_bytes + b_bytes);
                (memory.part::<T>(own), memory.part::<T>(own + a_bytes))
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
                unsafe { item(operands.at(offset), scatter, &blocks, a_panel, b_panel) };
            });
        }
    });
}

/// One product: LOOPS 5, 4 and 3.
///
/// # Safety
///
/// As for `Prepared::run`; the panels hold `mc * kc` and `kc * nc` elements, rounded up to whole micro-panels.
unsafe fn item<T: Scalar>(
    operands: Operands<T>,
    scatter: Scatter<'_>,
    blocks: &Blocking,
    a_panel: *mut T,
    b_panel: *mut T,
) {
    let Operands { a, b, c, scale } = operands;
    let first = scale.update();
    // LOOP 5
    for jc in (0..scatter.n_b.len()).step_by(blocks.nc) {
        let columns = jc..(jc + blocks.nc).min(scatter.n_b.len());
        let mut update = first;
        // LOOP 4
        for pc in (0..scatter.k_a.len()).step_by(blocks.kc) {
            let terms = pc..(pc + blocks.kc).min(scatter.k_a.len());
            // SAFETY: a block of B.
            unsafe {
                packing::<T>(
                    Side::B,
                    b_panel,
                    b,
                    &scatter.n_b[columns.clone()],
                    &scatter.k_b[terms.clone()],
                    scale.conj_b,
                );
            }
            // LOOP 3
            for ic in (0..scatter.m_a.len()).step_by(blocks.mc) {
                let rows = ic..(ic + blocks.mc).min(scatter.m_a.len());
                // SAFETY: a block of A, then the block of C that it makes.
                unsafe {
                    packing::<T>(
                        Side::A,
                        a_panel,
                        a,
                        &scatter.m_a[rows.clone()],
                        &scatter.k_a[terms.clone()],
                        scale.conj_a,
                    );
                    vectorize(Macro {
                        kc: terms.len(),
                        a: a_panel,
                        b: b_panel,
                        c,
                        rows: &scatter.m_c[rows],
                        columns: &scatter.n_c[columns.clone()],
                        update,
                    });
                }
            }
            update = update.rest();
        }
    }
}

/// Which of the two panels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    A,
    B,
}

/// LOOPS 2 and 1 over one packed block.
struct Macro<'a, T> {
    kc: usize,
    a: *const T,
    b: *const T,
    c: *mut T,
    rows: &'a [isize],
    columns: &'a [isize],
    update: Update<T>,
}

impl<T: Scalar> Vectorize for Macro<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        // SAFETY: whoever makes a `Macro` vouches for its pointers.
        unsafe { with_tile!(I, T, tiles(self)) }
    }
}

#[inline(always)]
unsafe fn tiles<T: Scalar, K: Tile<T>>(block: Macro<'_, T>) {
    let Macro {
        kc,
        a,
        b,
        c,
        rows,
        columns,
        update,
    } = block;
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

/// Packs one side of a block.
///
/// # Safety
///
/// As for [`pack`].
unsafe fn packing<T: Scalar>(
    side: Side,
    panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: &[isize],
    conj: bool,
) {
    struct Packing<'a, T> {
        side: Side,
        panel: *mut T,
        source: *const T,
        rows: &'a [isize],
        depth: &'a [isize],
        conj: bool,
    }
    impl<T: Scalar> Vectorize for Packing<'_, T> {
        type Output = ();
        #[inline(always)]
        fn run<I: Isa>(self) {
            // SAFETY: the promise of `packing`.
            unsafe { with_tile!(I, T, either(self)) }
        }
    }
    #[inline(always)]
    unsafe fn either<T: Scalar, K: Tile<T>>(p: Packing<'_, T>) {
        // SAFETY: the promise of `packing`.
        unsafe {
            match p.side {
                Side::A => pack(K::MR, p.panel, p.source, p.rows, p.depth, p.conj),
                Side::B => pack(K::NR, p.panel, p.source, p.rows, p.depth, p.conj),
            }
        }
    }
    vectorize(Packing {
        side,
        panel,
        source,
        rows,
        depth,
        conj,
    });
}
