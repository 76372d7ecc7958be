//! Sums over axes of one array, and of products of two: `sum`, dot and matrix times vector.
//!
//! Two forms, after the axis on which the operands are densest. If it is summed, each element of C is a sum along runs
//! with several accumulators ("rows": dot, row-major matrix times vector). If it is kept, a run of C is summed at
//! once, one accumulator a lane ("lanes": column sums, column-major matrix times vector). Either way terms are added in
//! blocks of fixed size, and the blocks pairwise (`cascade`), so that neither the number of threads nor the place
//! of an element in a strip shows in its bits.

use core::ops::Range;

use super::axis::{Axis, AxisList, size};
use super::cascade::Cascade;
use super::isa::{Isa, Vectorize, mul_add, vectorize_traffic};
use super::operands::Operands;
use super::pack_buffer::{ALIGN, PackBuffer};
use super::team::Team;
use super::walk::{runs, walk};
use crate::scalar::Scalar;

/// Accumulators of the rows form.
const LANES: usize = 32;
/// Points of a block of the rows form.
const BLOCK: usize = 4096;
/// Elements of C that the lanes form sums at once.
const STRIP: usize = 64;
/// Terms of a block of the lanes form.
const TERMS: usize = 128;
/// Blocks of one sum that a team works on as one piece.
const PIECE: usize = 16;
/// Bytes of the largest elements for which a strip of them is worth its place on the stack.
const WIDE: usize = 16;

/// What is summed: the elements of A, or with `B` their products with those of B.
#[derive(Clone, Copy)]
struct Term<T, const B: bool> {
    a: *const T,
    b: *const T,
    conj_a: bool,
    conj_b: bool,
}

impl<T: Scalar, const B: bool> Term<T, B> {
    fn of(operands: &Operands<T>) -> Term<T, B> {
        Term {
            a: operands.a,
            b: operands.b,
            conj_a: operands.scale.conj_a,
            conj_b: operands.scale.conj_b,
        }
    }

    /// `sum` and the term at these offsets.
    ///
    /// # Safety
    ///
    /// The operands are readable there.
    #[inline(always)]
    unsafe fn add<I: Isa>(&self, sum: T, a: isize, b: isize) -> T {
        // SAFETY: the caller's promise.
        let x = unsafe { *self.a.offset(a) };
        let x = if self.conj_a { T::conj(x) } else { x };
        if B {
            // SAFETY: as above.
            let y = unsafe { *self.b.offset(b) };
            mul_add::<I, T>(x, if self.conj_b { T::conj(y) } else { y }, sum)
        } else {
            T::add(sum, x)
        }
    }
}

/// `C[kept] <- alpha * sum over summed of A + beta * C`, or with `B` of `A * B`, on up to `width` threads. The last axes
/// are the innermost.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn sum<T: Scalar, const B: bool>(
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
                in_lanes::<T, B>(kept, at, summed, operands, width, team);
            }
            _ if size(summed) >= 2 * PIECE * BLOCK && align_of::<T>() <= ALIGN => {
                long_rows::<T, B>(kept, summed, operands, width, team, buffer);
            }
            _ => team.for_ranges(size(kept), width, |range| {
                vectorize_traffic(Rows::<T, B> {
                    kept,
                    range,
                    summed,
                    operands,
                });
            }),
        }
    }
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

/// Some elements of C, each a sum of blocks.
struct Rows<'a, T, const B: bool> {
    kept: &'a [Axis],
    range: Range<usize>,
    summed: &'a [Axis],
    operands: Operands<T>,
}

impl<T: Scalar, const B: bool> Vectorize for Rows<'_, T, B> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let update = self.operands.scale.update();
        let blocks = size(self.summed).div_ceil(BLOCK);
        for (at, run) in runs(self.kept, self.range) {
            for i in 0..run.len {
                // SAFETY: a point of C, by the promise of `sum`.
                unsafe {
                    let here = self.operands.at(at.along(&run, i));
                    let term = Term::<T, B>::of(&here);
                    update.apply(here.c, some_blocks::<I, T, B>(term, self.summed, 0..blocks));
                }
            }
        }
    }
}

/// The sum of some blocks of one sum.
///
/// # Safety
///
/// The operands are readable at all points of `summed`.
#[inline(always)]
unsafe fn some_blocks<I: Isa, T: Scalar, const B: bool>(
    term: Term<T, B>,
    summed: &[Axis],
    blocks: Range<usize>,
) -> T {
    let depth = size(summed);
    let mut cascade = Cascade::new();
    for block in blocks {
        let range = block * BLOCK..depth.min((block + 1) * BLOCK);
        let mut lanes = [T::ZERO; LANES];
        let mut used = 0;
        for (at, run) in runs(summed, range) {
            let term = Term {
                a: term.a.wrapping_offset(at.a),
                b: term.b.wrapping_offset(at.b),
                ..term
            };
            used = used.max(run.len.min(LANES));
            // SAFETY: a run of the summed points.
            unsafe { add_run::<I, T, B>(&mut lanes, term, &run) };
        }
        cascade.push(fold(&mut lanes, used), T::add);
    }
    cascade.finish(T::ZERO, T::add)
}

/// Adds the terms of a run to the accumulators, round and round.
#[inline(always)]
unsafe fn add_run<I: Isa, T: Scalar, const B: bool>(
    lanes: &mut [T; LANES],
    term: Term<T, B>,
    axis: &Axis,
) {
    let len = axis.len;
    let whole = len - len % LANES;
    // SAFETY: the run is readable, by the promise of `some_blocks`.
    unsafe {
        if axis.a == 1 && (!B || axis.b == 1) {
            let mut sums = *lanes;
            for i in (0..whole).step_by(LANES) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let at = (i + lane) as isize;
                    *sum = term.add::<I>(*sum, at, at);
                }
            }
            *lanes = sums;
        } else {
            for i in (0..whole).step_by(LANES) {
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    let at = (i + lane) as isize;
                    *sum = term.add::<I>(*sum, at * axis.a, at * axis.b);
                }
            }
        }
        for i in whole..len {
            let at = i as isize;
            let lane = &mut lanes[i - whole];
            *lane = term.add::<I>(*lane, at * axis.a, at * axis.b);
        }
    }
}

/// The sum of the first `used` accumulators, pairwise.
#[inline(always)]
fn fold<T: Scalar>(lanes: &mut [T; LANES], used: usize) -> T {
    let mut half = used.next_power_of_two() / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = T::add(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Sums so long that each is shared by the team: pieces of a fixed number of blocks, added pairwise.
unsafe fn long_rows<T: Scalar, const B: bool>(
    kept: &[Axis],
    summed: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
    buffer: &mut PackBuffer,
) {
    let blocks = size(summed).div_ceil(BLOCK);
    let pieces = blocks.div_ceil(PIECE);
    let update = operands.scale.update();
    let partial = buffer.reserve(pieces * size_of::<T>());
    walk(kept, 0..size(kept), &mut |at| {
        // SAFETY: a point of C.
        let here = unsafe { operands.at(at) };
        team.for_ranges(pieces, width, |range| {
            for piece in range {
                let sum = vectorize_traffic(Piece {
                    term: Term::<T, B>::of(&here),
                    summed,
                    blocks: piece * PIECE..blocks.min((piece + 1) * PIECE),
                });
                // SAFETY: piece `piece` of the buffer is written by this task alone.
                unsafe { partial.part::<T>(piece * size_of::<T>()).write(sum) };
            }
        });
        let mut cascade = Cascade::new();
        for piece in 0..pieces {
            // SAFETY: written above.
            cascade.push(
                unsafe { partial.part::<T>(piece * size_of::<T>()).read() },
                T::add,
            );
        }
        // SAFETY: an element of C.
        unsafe { update.apply(here.c, cascade.finish(T::ZERO, T::add)) };
    });
}

/// Some blocks of one sum.
struct Piece<'a, T, const B: bool> {
    term: Term<T, B>,
    summed: &'a [Axis],
    blocks: Range<usize>,
}

impl<T: Scalar, const B: bool> Vectorize for Piece<'_, T, B> {
    type Output = T;
    #[inline(always)]
    fn run<I: Isa>(self) -> T {
        // SAFETY: the promise of `sum`.
        unsafe { some_blocks::<I, T, B>(self.term, self.summed, self.blocks) }
    }
}

/// Strips of C along the kept axis `at`.
unsafe fn in_lanes<T: Scalar, const B: bool>(
    kept: &[Axis],
    at: usize,
    summed: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let mut outer = AxisList::from(kept);
    let lanes = outer.swap_remove(at);
    let strips = lanes.len.div_ceil(STRIP);
    team.for_ranges(size(&outer) * strips, width, |range| {
        for task in range {
            let start = task % strips * STRIP;
            let strip = Axis {
                len: STRIP.min(lanes.len - start),
                ..lanes
            };
            walk(&outer, task / strips..task / strips + 1, &mut |point| {
                vectorize_traffic(Strip::<T, B> {
                    strip,
                    summed,
                    // SAFETY: a strip of C; no other task has it.
                    operands: unsafe { operands.at(point.along(&lanes, start)) },
                });
            });
        }
    });
}

/// One strip of C.
struct Strip<'a, T, const B: bool> {
    strip: Axis,
    summed: &'a [Axis],
    operands: Operands<T>,
}

impl<T: Scalar, const B: bool> Vectorize for Strip<'_, T, B> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Strip {
            strip,
            summed,
            operands,
        } = self;
        let update = operands.scale.update();
        let depth = size(summed);
        let mut cascade = Cascade::new();
        for first in (0..depth).step_by(TERMS) {
            let mut sums = [T::ZERO; STRIP];
            for (at, run) in runs(summed, first..depth.min(first + TERMS)) {
                for step in 0..run.len {
                    let at = at.along(&run, step);
                    let term = Term::<T, B> {
                        a: operands.a.wrapping_offset(at.a),
                        b: operands.b.wrapping_offset(at.b),
                        conj_a: operands.scale.conj_a,
                        conj_b: operands.scale.conj_b,
                    };
                    // SAFETY: the operands along the strip, by the promise of `sum`.
                    unsafe { add_strip::<I, T, B>(&mut sums, term, &strip) };
                }
            }
            cascade.push(sums, add_strips);
        }
        let sums = cascade.finish([T::ZERO; STRIP], add_strips);
        for (i, &sum) in sums.iter().enumerate().take(strip.len) {
            // SAFETY: an element of C.
            unsafe { update.apply(operands.c.offset(i as isize * strip.c), sum) };
        }
    }
}

/// Adds one term to each lane of a strip.
#[inline(always)]
unsafe fn add_strip<I: Isa, T: Scalar, const B: bool>(
    sums: &mut [T; STRIP],
    term: Term<T, B>,
    strip: &Axis,
) {
    let whole = strip.len == STRIP;
    // SAFETY: the caller's promise.
    unsafe {
        match (whole, strip.a, strip.b) {
            (true, 1, 0) => {
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = term.add::<I>(*sum, i as isize, 0);
                }
            }
            (true, 1, 1) => {
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = term.add::<I>(*sum, i as isize, i as isize);
                }
            }
            _ => {
                for (i, sum) in sums.iter_mut().enumerate().take(strip.len) {
                    *sum = term.add::<I>(*sum, i as isize * strip.a, i as isize * strip.b);
                }
            }
        }
    }
}

/// The lanes of two strips, added.
#[inline(always)]
fn add_strips<T: Scalar>(mut x: [T; STRIP], y: [T; STRIP]) -> [T; STRIP] {
    for (x, y) in x.iter_mut().zip(y) {
        *x = T::add(*x, y);
    }
    x
}
