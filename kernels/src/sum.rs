//! Sums over axes of one array, and of products of two: `sum`, dot and matrix times vector.
//!
//! Two forms, after the axis on which the operands are densest. If it is summed, each element of C is a sum along runs
//! with several accumulators ("rows": dot, row-major matrix times vector). If it is kept, a run of C is summed at
//! once, one accumulator a lane ("lanes": column sums, column-major matrix times vector). Either way terms are added in
//! blocks of fixed size, and the blocks pairwise (`cascade`), so that neither the number of threads nor the place
//! of an element in a strip shows in its bits.

mod bands;
mod rows;
mod streams;
mod strips;

use self::bands::{BAND, MOST_TERMS, sum_band};
use self::rows::{BLOCK, PIECE, long_rows, rows};
pub(crate) use self::streams::{SIDE, apart};
use self::strips::{STRIP, in_lanes, sum_strip};
use super::axis::{Axis, size};
use super::isa::{Isa, mul_add};
use super::operands::Operands;
use super::pack_buffer::{ALIGN, PackBuffer};
use super::team::Team;
use super::walk::Offset;
use crate::OPTIMISED;
use crate::element::Element;

/// Elements that are added together where a register is not filled.
const SHORT: usize = 4;

/// Bytes of the largest elements for which a strip of them is worth its place on the stack.
const WIDE: usize = 16;

/// Bytes from which strips are summed in bands.
const FAR: usize = 1 << 15;

/// What is summed: the elements of A, or with `two` their products with those of B.
#[derive(Clone, Copy)]
struct Term<T> {
    two: bool,
    a: *const T,
    b: *const T,
    conj_a: bool,
    conj_b: bool,
}

impl<T: Element> Term<T> {
    fn of(operands: &Operands<T>, two: bool) -> Term<T> {
        Term {
            two,
            a: operands.a,
            b: operands.b,
            conj_a: operands.scale.conj_a,
            conj_b: operands.scale.conj_b,
        }
    }

    /// The same seen from another point.
    #[cfg_attr(optimised, inline(always))]
    fn at(self, at: Offset) -> Term<T> {
        Term {
            a: self.a.wrapping_offset(at.a),
            b: self.b.wrapping_offset(at.b),
            ..self
        }
    }

    /// Whether no conjugate is taken.
    #[cfg_attr(optimised, inline(always))]
    fn as_is(&self) -> bool {
        let real = const { T::KIND.is_real() };
        real || !(self.conj_a || self.conj_b)
    }

    /// Whether the terms along `axis` follow one another in memory.
    #[cfg_attr(optimised, inline(always))]
    fn is_dense(&self, axis: &Axis) -> bool {
        self.as_is() && axis.a == 1 && (!self.two || axis.b == 1)
    }

    /// `sum` and the term at these offsets.
    ///
    /// # Safety
    ///
    /// The operands are readable there.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn add<I: Isa>(&self, sum: T, a: isize, b: isize) -> T {
        let real = const { T::KIND.is_real() };
        // SAFETY: the caller's promise.
        let mut x = unsafe { *self.a.offset(a) };
        if !real && self.conj_a {
            x = T::conj(x);
        }
        if !self.two {
            return T::add(sum, x);
        }
        // SAFETY: as above.
        let mut y = unsafe { *self.b.offset(b) };
        if !real && self.conj_b {
            y = T::conj(y);
        }
        mul_add::<I, T>(x, y, sum)
    }
}

/// `C[kept] <- alpha * sum over summed of A + beta * C`, or with `two` of `A * B`, on up to `width` threads. The last
/// axes are the innermost.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn sum<T: Element>(
    two: bool,
    kept: &[Axis],
    summed: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let width = width.min(team.threads());
    // SAFETY: the caller's promise.
    unsafe {
        match lanes_axis(kept, summed) {
            Some(at) if size_of::<T>() <= WIDE => {
                let most = most_lanes(two, &kept[at], summed, &operands, width);
                in_lanes(kept, at, most, width, team, &|point, mut strip| {
                    let mut operands = operands.at(point);
                    if most > STRIP && strip.len > STRIP {
                        let whole = strip.len - strip.len % STRIP;
                        let band = Axis {
                            len: whole,
                            ..strip
                        };
                        sum_band(band, summed, operands, two);
                        if whole == strip.len {
                            return;
                        }
                        operands = operands.at(Offset::default().along(&strip, whole));
                        strip.len -= whole;
                    }
                    sum_strip(strip, summed, operands, two);
                });
            }
            _ if size(summed) >= 2 * PIECE * BLOCK && align_of::<T>() <= ALIGN => {
                long_rows(two, kept, summed, operands, width, team, buffer);
            }
            _ => team.for_ranges(size(kept), width, &|range| {
                rows(two, kept, range, summed, operands);
            }),
        }
    }
}

/// Points of a sum for which [`dot`] is [`sum`].
pub(crate) const ONE_BLOCK: usize = BLOCK;

/// `C <- alpha * sum of A * B + beta * C`, one element: the products of `axis`, at most [`ONE_BLOCK`].
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn dot<T: Element>(axis: &Axis, operands: &Operands<T>) {
    // SAFETY: the caller's promise.
    unsafe { rows(true, &[], 0..1, core::slice::from_ref(axis), *operands) }
}

/// How many elements of C along the kept axis `lanes` one task sums at once: a strip, or a band of them.
fn most_lanes<T: Element>(
    two: bool,
    lanes: &Axis,
    summed: &[Axis],
    operands: &Operands<T>,
    width: usize,
) -> usize {
    let term = Term::of(operands, two);
    let dense = term.as_is() && lanes.a == 1 && (!two || lanes.b == 0 || lanes.b == 1);
    let depth = size(summed);
    if const { !OPTIMISED }
        || !dense
        || depth > MOST_TERMS
        || lanes.len.saturating_mul(depth * size_of::<T>()) < FAR
    {
        return STRIP;
    }
    // Enough bands that a team shares them evenly.
    let strips = if width > 1 {
        lanes.len / STRIP / (4 * width)
    } else {
        BAND
    };
    STRIP * strips.clamp(1, BAND)
}

/// How far apart the operands' elements are along an axis.
fn density(axis: &Axis) -> usize {
    axis.a.unsigned_abs().saturating_add(axis.b.unsigned_abs())
}

/// The kept axis along which the operands are denser than along any summed one, if there is one.
fn lanes_axis(kept: &[Axis], summed: &[Axis]) -> Option<usize> {
    let at = (0..kept.len())
        .filter(|&i| density(&kept[i]) != 0)
        .min_by_key(|&i| density(&kept[i]))?;
    let other = summed.iter().map(density).filter(|&d| d != 0).min()?;
    (density(&kept[at]) < other).then_some(at)
}
