//! Matrix products whose batch is innermost: one lane of a vector register for each item.
//!
//! Where the batch has stride 1 in A, B and C, the elements of one item are as far apart as they can be, and one
//! product after the other would use a single element of each cache line. Here a register holds the same element of
//! neighbouring items, and a tile of `MT x NT` registers takes their sums: a matrix product whose elements are
//! registers. Both operands are packed register by register, because their rows are a whole batch apart: all of B, and
//! of A the rows of one tile at a time. Some registers of neighbouring items are packed together, so that each visit
//! to memory takes whole lines and their neighbours. The sum of a lane is one term after the other, whatever the lane.

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

/// Items of one task, and the fewest where a team would have nothing to do: whole cache lines of every element type
/// that has registers of its own.
const STRIP: usize = 64;
const NARROW: usize = 16;
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
/// Registers of neighbouring items that are packed together, at most.
const GROUP: usize = 4;
/// Bytes of B, packed, for which that is worth it: half of a level-2 cache of 2 MiB.
const NEAR: usize = 1 << 20;
/// Rows of the tallest tile.
const MOST_ROWS: usize = 4;

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
    let width = width.min(team.threads());
    let mut strip = STRIP;
    while strip > NARROW && size(step.outer) * step.lanes.len.div_ceil(strip) < width {
        strip /= 2;
    }
    let strips = step.lanes.len.div_ceil(strip);
    let tasks = size(step.outer) * strips;
    let width = width.min(tasks);
    let register = REGISTER.max(8 * size_of::<T>());
    let group = (NEAR / register / (step.n.len * step.k.len).max(1)).clamp(1, GROUP);
    let bytes = (MOST_ROWS + step.n.len) * step.k.len * group * register;
    let scratch = buffer.reserve(width * bytes);
    team.for_ranges(width, width, &|parts| {
        for part in parts {
            for task in tasks * part / width..tasks * (part + 1) / width {
                let start = task % strips * strip;
                let point = locate(step.outer, task / strips).along(step.lanes, start);
                vectorize(Strip {
                    step,
                    group,
                    len: strip.min(step.lanes.len - start),
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
    /// Registers that are packed together.
    group: usize,
    len: usize,
    operands: Operands<T>,
    /// Room for the packed operands of a group of registers.
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
            group: self.group,
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

/// Groups of registers of items; the last register may be partly empty.
#[cfg_attr(optimised, inline(always))]
unsafe fn items<T: Element, L: Lanes<Elem = T>, const MT: usize, const NT: usize>(
    strip: Strip<'_, T>,
) {
    let group = strip.group * L::LEN;
    for lane in (0..strip.len).step_by(group) {
        let at = Offset::default().along(strip.step.lanes, lane);
        let lanes = group.min(strip.len - lane);
        // SAFETY: lanes of the strip.
        unsafe {
            let operands = strip.operands.at(at);
            products::<T, L, MT, NT>(&strip.step, lanes, operands, strip.panel.cast());
        }
    }
}

/// The products of some registers, `lanes` items in all, in tiles.
#[cfg_attr(optimised, inline(always))]
unsafe fn products<T: Element, L: Lanes<Elem = T>, const MT: usize, const NT: usize>(
    step: &Lanewise<'_>,
    lanes: usize,
    operands: Operands<T>,
    panel: *mut L,
) {
    let (m, n, k) = (step.m, step.n, step.k);
    let registers = lanes.div_ceil(L::LEN);
    let (m_whole, n_whole) = (m.len - m.len % MT, n.len - n.len % NT);
    // What is packed for one register lies together: B~, in which the panel of column `j` starts `j * k` registers in,
    // and one panel of A~.
    let (b_apart, a_apart) = (n.len * k.len, MT * k.len);
    // SAFETY: rows and columns of the product, and room for a group of registers.
    unsafe {
        let (b, a) = (panel, panel.add(registers * b_apart));
        for j in tiles::<NT>(n.len) {
            let columns = if j < n_whole { NT } else { 1 };
            let source = operands.b.offset(j as isize * n.b);
            let axes = ((columns, n.b), (k.len, k.b));
            pack::<T, L>(b.add(j * k.len), b_apart, source, lanes, axes);
        }
        for i in tiles::<MT>(m.len) {
            let rows = if i < m_whole { MT } else { 1 };
            let source = operands.a.offset(i as isize * m.a);
            pack::<T, L>(a, a_apart, source, lanes, ((rows, m.a), (k.len, k.a)));
            for register in 0..registers {
                let first = register * L::LEN;
                let lanes = L::LEN.min(lanes - first);
                let a = a.add(register * a_apart).cast_const();
                let b = b.add(register * b_apart).cast_const();
                for j in tiles::<NT>(n.len) {
                    let b = b.add(j * k.len);
                    let at = Offset::default().along(step.lanes, first);
                    let here = operands.at(at.along(m, i).along(n, j));
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
                }
            }
        }
    }
}

/// Where the tiles of `len` rows or columns begin: those of `T`, and of what is left those of one.
#[cfg_attr(optimised, inline(always))]
fn tiles<const T: usize>(len: usize) -> impl Iterator<Item = usize> {
    let whole = len - len % T;
    (0..whole).step_by(T).chain(whole..len)
}

/// Packs a panel of some rows for each register of a group: the elements of a column together. The panels lie `apart`
/// registers from one another.
#[cfg_attr(optimised, inline(always))]
unsafe fn pack<T: Element, L: Lanes<Elem = T>>(
    mut panel: *mut L,
    apart: usize,
    source: *const T,
    lanes: usize,
    ((rows, row), (terms, term)): ((usize, isize), (usize, isize)),
) {
    let whole = lanes / L::LEN;
    for p in 0..terms {
        for r in 0..rows {
            // SAFETY: the caller's promise: `rows * terms` elements, `lanes` neighbouring items each, and room for them.
            unsafe {
                let source = source.offset(r as isize * row + p as isize * term);
                for register in 0..whole {
                    let x = L::load(source.add(register * L::LEN));
                    panel.add(register * apart).write(x);
                }
                if whole * L::LEN < lanes {
                    let x = L::load_some(source.add(whole * L::LEN), lanes - whole * L::LEN);
                    panel.add(whole * apart).write(x);
                }
                panel = panel.add(1);
            }
        }
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
                    // A copy, lest all sums be kept in memory for the sake of its address.
                    let sum = *sum;
                    update.run(c, 1, (&raw const sum).cast(), lanes);
                }
            }
        }
    }
}
