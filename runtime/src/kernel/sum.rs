//! Sums over axes of one array.
//!
//! Two forms, after the axis on which A is densest. If it is summed, each element of C is a sum along runs of A with
//! several accumulators ("rows"). If it is kept, a run of C is summed at once, one accumulator a lane ("lanes").
//! Either way terms are added in blocks of fixed size, and the blocks pairwise (`cascade`).

use core::ops::Range;

use super::axis::{Axis, size};
use super::cascade::Cascade;
use super::isa::{Isa, Vectorize, vectorize};
use super::operands::Operands;
use super::pack_buffer::PackBuffer;
use super::scale::Update;
use super::team::Team;
use super::walk::{runs, walk};
use crate::scalar::Scalar;

/// Accumulators of the rows form.
const LANES: usize = 32;
/// Points of a block of the rows form.
const BLOCK: usize = 4096;
/// Elements of C that the lanes form sums at once.
const STRIP: usize = 64;
/// Bytes of the largest elements for which a strip of them is worth its place on the stack.
const WIDE: usize = 32;
/// Terms of a block of the lanes form.
const TERMS: usize = 128;
/// Blocks of one sum that a team works on as one piece.
const PIECE: usize = 16;

/// `C[kept] <- alpha * sum over summed of A + beta * C`, on up to `width` threads. The last axes are the innermost.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn sum<T: Scalar>(
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
            Some(at) if size_of::<T>() <= WIDE => in_lanes(kept, at, summed, operands, width, team),
            _ if size(summed) >= 2 * PIECE * BLOCK => {
                long_rows(kept, summed, operands, width, team, buffer);
            }
            _ => team.for_ranges(size(kept), width, |range| {
                let depth = size(summed);
                let update = operands.scale.update();
                walk(kept, range, &mut |at| {
                    let here = operands.at(at);
                    let total = vectorize(Rows {
                        a: here.a,
                        summed,
                        blocks: 0..depth.div_ceil(BLOCK),
                        conj: operands.scale.conj_a,
                    });
                    update.apply(here.c, total);
                });
            }),
        }
    }
}

/// The kept axis along which A is denser than along any summed one, if there is one that is worth it.
fn lanes_axis(kept: &[Axis], summed: &[Axis]) -> Option<usize> {
    let dense = |axis: &Axis| (axis.a.unsigned_abs(), core::cmp::Reverse(axis.len));
    let at = (0..kept.len())
        .filter(|&i| kept[i].a != 0)
        .min_by_key(|&i| dense(&kept[i]))?;
    let other = summed.iter().filter(|axis| axis.a != 0).map(dense).min()?;
    (dense(&kept[at]) < other).then_some(at)
}

/// Sums long enough that one of them is shared by the team: pieces of a fixed number of blocks, added pairwise.
unsafe fn long_rows<T: Scalar>(
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
    let partial = Partial(buffer.reserve(pieces * size_of::<T>()).cast::<T>());
    walk(kept, 0..size(kept), &mut |at| {
        // SAFETY: a point of C.
        let here = unsafe { operands.at(at) };
        team.for_ranges(pieces, width, |range| {
            // Whole values are captured: the pointers inside are not `Sync` by themselves.
            let (here, partial) = (here, partial);
            for piece in range {
                // SAFETY: the sum reads A; piece `piece` of the buffer is written by this task alone.
                unsafe {
                    let sum = vectorize(Rows {
                        a: here.a,
                        summed,
                        blocks: piece * PIECE..blocks.min((piece + 1) * PIECE),
                        conj: here.scale.conj_a,
                    });
                    partial.0.add(piece).write(sum);
                }
            }
        });
        let mut cascade = Cascade::new();
        for piece in 0..pieces {
            // SAFETY: written above.
            cascade.push(unsafe { *partial.0.add(piece) }, T::add);
        }
        // SAFETY: an element of C.
        unsafe { update.apply(here.c, cascade.finish(T::ZERO, T::add)) };
    });
}

/// The sums of the pieces.
#[derive(Clone, Copy)]
struct Partial<T>(*mut T);
// SAFETY: every piece is written by one task and read after all tasks have ended.
unsafe impl<T: Send> Send for Partial<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Partial<T> {}

/// The sum of some blocks of one sum.
struct Rows<'a, T> {
    a: *const T,
    summed: &'a [Axis],
    blocks: Range<usize>,
    conj: bool,
}

impl<T: Scalar> Vectorize for Rows<'_, T> {
    type Output = T;
    #[inline(always)]
    fn run<I: Isa>(self) -> T {
        let depth = size(self.summed);
        let mut cascade = Cascade::new();
        for block in self.blocks {
            let range = block * BLOCK..depth.min((block + 1) * BLOCK);
            let mut lanes = [T::ZERO; LANES];
            runs(self.summed, range, |at, inner, len| {
                // SAFETY: elements of A, by the promise of `sum`.
                unsafe { add_run(&mut lanes, self.a.offset(at.a), inner.a, len) };
            });
            cascade.push(fold(lanes), T::add);
        }
        let total = cascade.finish(T::ZERO, T::add);
        if self.conj { T::conj(total) } else { total }
    }
}

/// Adds `len` elements to the accumulators, round and round.
#[inline(always)]
unsafe fn add_run<T: Scalar>(lanes: &mut [T; LANES], run: *const T, stride: isize, len: usize) {
    let whole = len - len % LANES;
    // SAFETY: the run is readable.
    unsafe {
        if stride == 1 {
            let mut sums = *lanes;
            for i in (0..whole).step_by(LANES) {
                let terms = run.add(i).cast::<[T; LANES]>().read();
                for (sum, term) in sums.iter_mut().zip(terms) {
                    *sum = T::add(*sum, term);
                }
            }
            *lanes = sums;
        } else {
            for i in 0..whole {
                let term = *run.offset(i as isize * stride);
                lanes[i % LANES] = T::add(lanes[i % LANES], term);
            }
        }
        for i in whole..len {
            let term = *run.offset(i as isize * stride);
            lanes[i - whole] = T::add(lanes[i - whole], term);
        }
    }
}

/// The sum of the accumulators, pairwise.
#[inline(always)]
fn fold<T: Scalar>(mut lanes: [T; LANES]) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = T::add(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Strips of C along the kept axis `at`.
unsafe fn in_lanes<T: Scalar>(
    kept: &[Axis],
    at: usize,
    summed: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let lanes = kept[at];
    let strips = lanes.len.div_ceil(STRIP);
    let mut outer: super::axis::AxisList = kept.into();
    outer.swap_remove(at);
    team.for_ranges(size(&outer) * strips, width, |range| {
        for task in range {
            let start = task % strips * STRIP;
            let strip = Axis {
                len: STRIP.min(lanes.len - start),
                ..lanes
            };
            walk(&outer, task / strips..task / strips + 1, &mut |point| {
                // SAFETY: a strip of C; no other task has it.
                unsafe {
                    vectorize(Lanes {
                        strip,
                        summed,
                        operands: operands.at(point.along(&lanes, start)),
                    });
                }
            });
        }
    });
}

/// One strip of C.
struct Lanes<'a, T> {
    strip: Axis,
    summed: &'a [Axis],
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Lanes<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Lanes {
            strip,
            summed,
            operands,
        } = self;
        let Operands { a, c, scale, .. } = operands;
        let update: Update<T> = scale.update();
        let add = |mut x: [T; STRIP], y: [T; STRIP]| {
            for (x, y) in x.iter_mut().zip(y) {
                *x = T::add(*x, y);
            }
            x
        };
        let depth = size(summed);
        let mut cascade = Cascade::new();
        for first in (0..depth).step_by(TERMS) {
            let mut sums = [T::ZERO; STRIP];
            runs(summed, first..depth.min(first + TERMS), |at, inner, len| {
                // SAFETY: elements of A, by the promise of `sum`.
                unsafe {
                    for term in 0..len as isize {
                        let line = a.offset(at.a + term * inner.a);
                        if strip.len == STRIP && strip.a == 1 {
                            let line = &*line.cast::<[T; STRIP]>();
                            for (sum, &term) in sums.iter_mut().zip(line) {
                                *sum = T::add(*sum, term);
                            }
                        } else {
                            for (i, sum) in sums.iter_mut().enumerate().take(strip.len) {
                                *sum = T::add(*sum, *line.offset(i as isize * strip.a));
                            }
                        }
                    }
                }
            });
            cascade.push(sums, add);
        }
        let sums = cascade.finish([T::ZERO; STRIP], add);
        for (i, &sum) in sums.iter().enumerate().take(strip.len) {
            let sum = if scale.conj_a { T::conj(sum) } else { sum };
            // SAFETY: an element of C.
            unsafe { update.apply(c.offset(i as isize * strip.c), sum) };
        }
    }
}
