//! Matrix products whose batch is innermost: one lane of a vector register for each item.
//!
//! Where the batch has stride 1 in A, B and C, the elements of one item are as far apart as they can be, and one
//! product after the other would use a single element of each cache line. Here a register holds the same element of
//! neighbouring items, and a tile of `MT x NT` registers takes their sums: a matrix product whose elements are
//! registers. Both operands are packed register by register, because their rows are a whole batch apart; packed,
//! those of one product stay in the level-2 cache. The sum of a lane is one term after the other, whatever the lane.

use super::OPTIMISED;
use super::axis::{Axis, Contraction, size};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::kind::Kind;
use super::lanes::{Few, Lanes};
use super::operands::Operands;
use super::pack_buffer::PackBuffer;
use super::team::Team;
use super::walk::{Offset, locate};
use crate::element::Element;

/// Items of one task: whole cache lines of every element type.
const STRIP: usize = 64;
/// Fewest items for which lanes are worth it: a register of f32.
pub(crate) const FEWEST: usize = 16;

/// The loops of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanewise<'a> {
    /// The batch axis with stride 1 everywhere.
    pub(crate) lanes: &'a Axis,
    /// What is repeated: the rest of the batch, and free axes that do not fuse.
    pub(crate) outer: &'a [Axis],
    pub(crate) m: &'a Axis,
    pub(crate) n: &'a Axis,
    pub(crate) k: &'a Axis,
}

/// The batch axis that the lanes run along, if there is one.
pub(crate) fn lanes_axis(batch: &[Axis]) -> Option<usize> {
    batch
        .iter()
        .position(|axis| (axis.a, axis.b, axis.c) == (1, 1, 1) && axis.len >= FEWEST)
}

/// Bytes of the packed operands of one product: they stay in a level-2 cache of 1 MiB.
const PACKED: usize = 768 << 10;
/// Bytes of the widest register.
const REGISTER: usize = 64;

/// Whether the kernel is made for elements of this kind, and the build is optimised.
pub(crate) const fn serves(kind: Kind) -> bool {
    OPTIMISED && kind.is_real()
}

/// Whether the packed operands of one product of registers stay in the level-2 cache. Beyond that, the products are
/// large enough to be computed one by one.
pub(crate) fn fits(axes: &Contraction) -> bool {
    let last = |axes: &[Axis]| axes.last().map_or(1, |axis| axis.len);
    let (m, n) = (last(&axes.m), last(&axes.n));
    m.saturating_add(n).saturating_mul(size(&axes.k)) <= PACKED / REGISTER
}

/// Runs the products on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`; `T` has no conjugate.
pub(crate) unsafe fn run<T: Element>(
    step: Lanewise<'_>,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let strips = step.lanes.len.div_ceil(STRIP);
    let tasks = size(step.outer) * strips;
    let width = width.min(team.threads()).min(tasks);
    let bytes = (step.m.len + step.n.len) * step.k.len * REGISTER.max(8 * size_of::<T>());
    let scratch = buffer.reserve(width * bytes);
    team.for_ranges(width, width, &|parts| {
        for part in parts {
            for task in tasks * part / width..tasks * (part + 1) / width {
                let start = task % strips * STRIP;
                let point = locate(step.outer, task / strips).along(step.lanes, start);
                vectorize(Strip {
                    step,
                    len: STRIP.min(step.lanes.len - start),
                    // SAFETY: a strip of items; no other task has it.
                    operands: unsafe { operands.at(point) },
                    // SAFETY: each part has its own `bytes` bytes of the buffer, aligned for any register.
                    panel: unsafe { scratch.part(part * bytes) },
                });
            }
        }
    });
}

/// Some neighbouring items.
struct Strip<'a, T> {
    step: Lanewise<'a>,
    len: usize,
    operands: Operands<T>,
    /// Room for the packed operands of one product of registers.
    panel: *mut u8,
}

#[cfg(any(x86_vectors, neon_vectors))]
impl<'a, T: Copy> Strip<'a, T> {
    /// The same strip, of elements that are `U` by another name.
    ///
    /// # Safety
    ///
    /// `T` and `U` are the same type.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn cast<U: Copy>(self) -> Strip<'a, U> {
        Strip {
            step: self.step,
            len: self.len,
            // SAFETY: the caller's promise.
            operands: unsafe { self.operands.cast() },
            panel: self.panel,
        }
    }
}

impl<T: Element> Vectorize for Strip<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        #[cfg(any(x86_vectors, neon_vectors))]
        use super::lanes::{MaxPlus, MinPlus};
        #[cfg(x86_vectors)]
        use super::lanes::{U16x16, U16x32, U32x8, U32x16, U64x8};
        #[cfg(neon_vectors)]
        use core::arch::aarch64::{float32x4_t, float64x2_t, uint16x8_t, uint32x4_t};
        #[cfg(x86_vectors)]
        use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};
        // The tiles leave room for a column of A and one element of B.
        macro_rules! lanes {
            ($vectors:ident: $($level:ident $kind:ident => $lanes:ty, $mt:literal x $nt:literal,)*) => {
                $(
                    #[cfg($vectors)]
                    if const { I::LEVEL.is(Level::$level) && T::KIND.is(Kind::$kind) } {
                        // SAFETY: the instruction set is there; the rest is the promise of `run`.
                        return unsafe { items::<<$lanes as Lanes>::Elem, $lanes, $mt, $nt>(self.cast()) };
                    }
                )*
            };
        }
        lanes! { x86_vectors:
            Avx512 F64 => __m512d, 4 x 4,
            Avx512 F32 => __m512, 4 x 4,
            Avx512 U64 => U64x8, 4 x 4,
            Avx512 U32 => U32x16, 4 x 4,
            Avx512 U16 => U16x32, 4 x 4,
            Avx2 F64 => __m256d, 3 x 3,
            Avx2 F32 => __m256, 3 x 3,
            Avx2 U32 => U32x8, 3 x 3,
            Avx2 U16 => U16x16, 3 x 3,
            Avx512 MaxF64 => MaxPlus<__m512d>, 4 x 4,
            Avx512 MaxF32 => MaxPlus<__m512>, 4 x 4,
            Avx512 MinF64 => MinPlus<__m512d>, 4 x 4,
            Avx512 MinF32 => MinPlus<__m512>, 4 x 4,
            Avx2 MaxF64 => MaxPlus<__m256d>, 3 x 3,
            Avx2 MaxF32 => MaxPlus<__m256>, 3 x 3,
            Avx2 MinF64 => MinPlus<__m256d>, 3 x 3,
            Avx2 MinF32 => MinPlus<__m256>, 3 x 3,
        }
        lanes! { neon_vectors:
            Neon F64 => float64x2_t, 4 x 4,
            Neon F32 => float32x4_t, 4 x 4,
            Neon U32 => uint32x4_t, 4 x 4,
            Neon U16 => uint16x8_t, 4 x 4,
            Neon MaxF64 => MaxPlus<float64x2_t>, 4 x 4,
            Neon MaxF32 => MaxPlus<float32x4_t>, 4 x 4,
            Neon MinF64 => MinPlus<float64x2_t>, 4 x 4,
            Neon MinF32 => MinPlus<float32x4_t>, 4 x 4,
        }
        // SAFETY: the promise of `run`.
        unsafe { items::<T, Few<I, T, 8>, 1, 1>(self) }
    }
}

/// Registers of items; the last one may be partly empty.
#[cfg_attr(optimised, inline(always))]
unsafe fn items<T: Element, L: Lanes<Elem = T>, const MT: usize, const NT: usize>(
    strip: Strip<'_, T>,
) {
    let Strip {
        step,
        len,
        operands,
        panel,
    } = strip;
    for lane in (0..len).step_by(L::LEN) {
        let at = Offset::default().along(step.lanes, lane);
        // SAFETY: lanes of the strip.
        unsafe {
            product::<T, L, MT, NT>(&step, L::LEN.min(len - lane), operands.at(at), panel.cast());
        }
    }
}

/// One product of registers of which `lanes` lanes are in use, in tiles.
#[cfg_attr(optimised, inline(always))]
unsafe fn product<T: Element, L: Lanes<Elem = T>, const MT: usize, const NT: usize>(
    step: &Lanewise<'_>,
    lanes: usize,
    operands: Operands<T>,
    panel: *mut L,
) {
    let (m, n, k) = (step.m, step.n, step.k);
    let (m_whole, n_whole) = (m.len - m.len % MT, n.len - n.len % NT);
    // SAFETY: rows and columns of the product; the panels of row `i` and column `j` start `i * k` and `j * k`
    // registers into A~ and B~.
    unsafe {
        let (a, b) = (panel, panel.add(m.len * k.len));
        for (panel, source, r, rows, row, term) in [
            (a, operands.a, MT, m.len, m.a, k.a),
            (b, operands.b, NT, n.len, n.b, k.b),
        ] {
            pack::<T, L>(panel, source, lanes, r, (rows, row), (k.len, term));
        }
        let mut j = 0;
        while j < n.len {
            let mut i = 0;
            while i < m.len {
                let at = Offset::default().along(m, i).along(n, j);
                let (a, b) = (a.add(i * k.len).cast_const(), b.add(j * k.len).cast_const());
                let here = operands.at(at);
                if const { MT == 1 && NT == 1 } {
                    tile::<T, L, 1, 1>(step, lanes, a, b, here);
                } else {
                    match (i < m_whole, j < n_whole) {
                        (true, true) => tile::<T, L, MT, NT>(step, lanes, a, b, here),
                        (true, false) => tile::<T, L, MT, 1>(step, lanes, a, b, here),
                        (false, true) => tile::<T, L, 1, NT>(step, lanes, a, b, here),
                        (false, false) => tile::<T, L, 1, 1>(step, lanes, a, b, here),
                    }
                }
                i += if i < m_whole { MT } else { 1 };
            }
            j += if j < n_whole { NT } else { 1 };
        }
    }
}

/// Packs rows of registers into panels of `height` rows, and the rows that are left into panels of one.
#[cfg_attr(optimised, inline(always))]
unsafe fn pack<T: Element, L: Lanes<Elem = T>>(
    mut panel: *mut L,
    source: *const T,
    lanes: usize,
    height: usize,
    (rows, row): (usize, isize),
    (terms, term): (usize, isize),
) {
    let whole = rows - rows % height;
    let mut i = 0;
    while i < rows {
        let r = if i < whole { height } else { 1 };
        for p in 0..terms {
            for r in 0..r {
                let at = (i + r) as isize * row + p as isize * term;
                // SAFETY: the caller's promise: `rows * terms` registers, `lanes` neighbouring items each.
                unsafe {
                    panel.write(L::load_some(source.offset(at), lanes));
                    panel = panel.add(1);
                }
            }
        }
        i += r;
    }
}

/// `MT x NT` sums in registers, then into C.
#[cfg_attr(optimised, inline(always))]
unsafe fn tile<T: Element, L: Lanes<Elem = T>, const MT: usize, const NT: usize>(
    step: &Lanewise<'_>,
    lanes: usize,
    a: *const L,
    b: *const L,
    operands: Operands<T>,
) {
    let Lanewise { m, n, k, .. } = step;
    let Operands { c, scale, .. } = operands;
    let update = scale.update();
    // SAFETY: panels of the product, and the elements of C for the lanes of each sum.
    unsafe {
        let mut sums = [[L::zero(); MT]; NT];
        for p in 0..k.len {
            let column = a.add(p * MT).cast::<[L; MT]>().read();
            for (j, sums) in sums.iter_mut().enumerate() {
                let b = b.add(p * NT + j).read();
                for (sum, &a) in sums.iter_mut().zip(&column) {
                    *sum = L::mul_add(a, b, *sum);
                }
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            for (i, sum) in sums.iter().enumerate() {
                let c = c.offset(i as isize * m.c + j as isize * n.c);
                if update.is_plain() && lanes == L::LEN {
                    c.cast::<L>().write_unaligned(*sum);
                } else {
                    update.run(c, 1, (&raw const *sum).cast(), lanes);
                }
            }
        }
    }
}
