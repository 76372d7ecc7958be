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
use super::isa::{Isa, Level, Vectorize, mul_add, vectorize};
use super::operands::Operands;
use super::pack_buffer::{ALIGN, PackBuffer};
use super::team::Team;
use super::walk::{Offset, locate, runs, walk};
use crate::scalar::Scalar;

/// Accumulators of the rows form.
const LANES: usize = 32;
/// Accumulators of a part of a round.
const SHORT: usize = 4;
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

/// What is summed: the elements of A, or with `two` their products with those of B.
#[derive(Clone, Copy)]
struct Term<T> {
    two: bool,
    a: *const T,
    b: *const T,
    conj_a: bool,
    conj_b: bool,
}

impl<T: Scalar> Term<T> {
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
    #[inline(always)]
    fn at(self, at: Offset) -> Term<T> {
        Term {
            a: self.a.wrapping_offset(at.a),
            b: self.b.wrapping_offset(at.b),
            ..self
        }
    }

    /// Whether no conjugate is taken.
    #[inline(always)]
    fn as_is(&self) -> bool {
        let real = const { T::__KIND.is_real() };
        real || !(self.conj_a || self.conj_b)
    }

    /// `sum` and the term at these offsets.
    ///
    /// # Safety
    ///
    /// The operands are readable there.
    #[inline(always)]
    unsafe fn add<I: Isa>(&self, sum: T, a: isize, b: isize) -> T {
        let real = const { T::__KIND.is_real() };
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
pub(crate) unsafe fn sum<T: Scalar>(
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
                in_lanes(kept, at, width, team, &|point, strip| {
                    sum_strip(strip, summed, operands.at(point), two);
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
unsafe fn rows<T: Scalar>(
    two: bool,
    kept: &[Axis],
    range: Range<usize>,
    summed: &[Axis],
    operands: Operands<T>,
) {
    let update = operands.scale.update();
    if let [axis] = summed
        && axis.len <= BLOCK
    {
        // The elements of C, by the promise of `sum`.
        return vectorize(Rows {
            two,
            kept,
            range,
            axis: *axis,
            operands,
        });
    }
    let blocks = size(summed).div_ceil(BLOCK);
    for (at, run) in runs(kept, range) {
        for i in 0..run.len {
            // SAFETY: a point of C, by the promise of `sum`.
            unsafe {
                let here = operands.at(at.along(&run, i));
                let sum = some_blocks(Term::of(&here, two), summed, 0..blocks);
                update.apply(here.c, sum);
            }
        }
    }
}

/// Some elements of C, each a sum of one block along one axis.
struct Rows<'a, T> {
    two: bool,
    kept: &'a [Axis],
    range: Range<usize>,
    axis: Axis,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Rows<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::__KIND);
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Rows {
            two,
            kept,
            range,
            axis,
            operands,
        } = self;
        let update = operands.scale.update();
        let whole = axis.len > 0 && axis.len % LANES == 0;
        let term = Term::of(&operands, two);
        let dense = whole && two && term.as_is() && axis.a == 1 && axis.b == 1;
        for (at, run) in runs(kept, range) {
            for i in 0..run.len {
                if dense {
                    // SAFETY: a point of C, by the promise of `sum`.
                    unsafe {
                        let here = operands.at(at.along(&run, i));
                        update.apply(here.c, whole_rounds::<I, T>(here.a, here.b, axis.len));
                    }
                    continue;
                }
                let mut lanes = [T::ZERO; LANES];
                // SAFETY: a point of C, by the promise of `sum`.
                unsafe {
                    let here = operands.at(at.along(&run, i));
                    Run {
                        lanes: &mut lanes,
                        term: Term::of(&here, two),
                        axis,
                    }
                    .run::<I>();
                    update.apply(here.c, fold(&mut lanes, axis.len.min(LANES)));
                }
            }
        }
    }
}

/// What [`Run`] and [`fold`] give for whole rounds, all of it in registers: `len` is a multiple of the accumulators.
///
/// # Safety
///
/// `len` elements can be read from `a` and from `b`.
#[inline(always)]
unsafe fn whole_rounds<I: Isa, T: Scalar>(a: *const T, b: *const T, len: usize) -> T {
    let mut sums = [T::ZERO; LANES];
    for i in (0..len).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *sum = unsafe { mul_add::<I, T>(*a.add(i + lane), *b.add(i + lane), *sum) };
        }
    }
    macro_rules! halves {
        ($sums:ident $half:literal $($rest:literal)*) => {{
            let mut half = [T::ZERO; $half];
            for i in 0..$half {
                half[i] = T::add($sums[i], $sums[i + $half]);
            }
            halves!(half $($rest)*)
        }};
        ($sums:ident) => { $sums[0] };
    }
    halves!(sums 16 8 4 2 1)
}

/// The sum of some blocks of one sum.
///
/// # Safety
///
/// The operands are readable at all points of `summed`.
#[inline(never)]
unsafe fn some_blocks<T: Scalar>(term: Term<T>, summed: &[Axis], blocks: Range<usize>) -> T {
    let depth = size(summed);
    let mut cascade = Cascade::new();
    for block in blocks {
        let range = block * BLOCK..depth.min((block + 1) * BLOCK);
        let mut lanes = [T::ZERO; LANES];
        let mut used = 0;
        for (at, axis) in runs(summed, range) {
            used = used.max(axis.len.min(LANES));
            // A run of the summed points, readable by the caller's promise.
            vectorize(Run {
                lanes: &mut lanes,
                term: term.at(at),
                axis,
            });
        }
        cascade.push(fold(&mut lanes, used), T::add);
    }
    cascade.finish(T::ZERO, T::add)
}

/// The terms of a run, added to the accumulators, round and round.
struct Run<'a, T> {
    lanes: &'a mut [T; LANES],
    term: Term<T>,
    axis: Axis,
}

impl<T: Scalar> Vectorize for Run<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::__KIND);
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run { lanes, term, axis } = self;
        let mut done = 0;
        if term.as_is() && axis.a == 1 && (!term.two || axis.b == 1) && axis.len >= LANES {
            done = axis.len - axis.len % LANES;
            let (a, b) = (term.a, term.b);
            let mut sums = *lanes;
            // SAFETY: the run is readable, by the promise of `some_blocks`.
            unsafe {
                if term.two {
                    for i in (0..done).step_by(LANES) {
                        for (lane, sum) in sums.iter_mut().enumerate() {
                            *sum = mul_add::<I, T>(*a.add(i + lane), *b.add(i + lane), *sum);
                        }
                    }
                } else {
                    for i in (0..done).step_by(LANES) {
                        for (lane, sum) in sums.iter_mut().enumerate() {
                            *sum = T::add(*sum, *a.add(i + lane));
                        }
                    }
                }
            }
            *lanes = sums;
        }
        if term.as_is() && axis.a == 1 && term.two && axis.b == 1 {
            // The rest in the same lanes, a register at a time.
            while axis.len - done >= SHORT {
                let first = done % LANES;
                for (lane, sum) in lanes[first..first + SHORT].iter_mut().enumerate() {
                    // SAFETY: as above.
                    *sum = unsafe {
                        let (a, b) = (term.a.add(done + lane), term.b.add(done + lane));
                        mul_add::<I, T>(*a, *b, *sum)
                    };
                }
                done += SHORT;
            }
        }
        for i in done..axis.len {
            let at = i as isize;
            let lane = &mut lanes[i % LANES];
            // SAFETY: as above.
            *lane = unsafe { term.add::<I>(*lane, at * axis.a, at * axis.b) };
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
unsafe fn long_rows<T: Scalar>(
    two: bool,
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
        team.for_ranges(pieces, width, &|range| {
            for piece in range {
                let blocks = piece * PIECE..blocks.min((piece + 1) * PIECE);
                // SAFETY: blocks of the sum; piece `piece` of the buffer is written by this task alone.
                unsafe {
                    let sum = some_blocks(Term::of(&here, two), summed, blocks);
                    partial.part::<T>(piece * size_of::<T>()).write(sum);
                }
            }
        });
        let mut cascade = Cascade::new();
        for piece in 0..pieces {
            // SAFETY: written above.
            let sum = unsafe { partial.part::<T>(piece * size_of::<T>()).read() };
            cascade.push(sum, T::add);
        }
        // SAFETY: an element of C.
        unsafe { update.apply(here.c, cascade.finish(T::ZERO, T::add)) };
    });
}

/// Calls `f` for strips of C along the kept axis `at`: where one starts, and the strip.
fn in_lanes(
    kept: &[Axis],
    at: usize,
    width: usize,
    team: &mut Team,
    f: &(dyn Fn(Offset, Axis) + Sync),
) {
    let mut outer = AxisList::from(kept);
    let lanes = outer.swap_remove(at);
    let strips = lanes.len.div_ceil(STRIP);
    team.for_ranges(size(&outer) * strips, width, &|range| {
        for task in range {
            let start = task % strips * STRIP;
            let strip = Axis {
                len: STRIP.min(lanes.len - start),
                ..lanes
            };
            f(locate(&outer, task / strips).along(&lanes, start), strip);
        }
    });
}

/// One strip of C.
unsafe fn sum_strip<T: Scalar>(strip: Axis, summed: &[Axis], operands: Operands<T>, two: bool) {
    let update = operands.scale.update();
    let term = Term::of(&operands, two);
    let depth = size(summed);
    let block = |sums: &mut [T; STRIP], first: usize| {
        for (at, run) in runs(summed, first..depth.min(first + TERMS)) {
            // The operands along the strip and the run, readable by the promise of `sum`.
            vectorize(Strip {
                sums: &mut *sums,
                term: term.at(at),
                strip,
                run,
            });
        }
    };
    let mut sums = [T::ZERO; STRIP];
    block(&mut sums, 0);
    if depth > TERMS {
        let mut cascade = Cascade::new();
        cascade.push(sums, add_strips);
        for first in (TERMS..depth).step_by(TERMS) {
            sums = [T::ZERO; STRIP];
            block(&mut sums, first);
            cascade.push(sums, add_strips);
        }
        sums = cascade.finish([T::ZERO; STRIP], add_strips);
    }
    // SAFETY: elements of C.
    unsafe { update.run(operands.c, strip.c, sums.as_ptr(), strip.len) };
}

/// The terms of a run, each added to every lane of a strip.
struct Strip<'a, T> {
    sums: &'a mut [T; STRIP],
    term: Term<T>,
    strip: Axis,
    run: Axis,
}

impl<T: Scalar> Vectorize for Strip<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::__KIND);
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Strip {
            sums: lanes,
            term,
            strip,
            run,
        } = self;
        let dense = strip.len == STRIP && strip.a == 1 && term.as_is();
        let mut sums = *lanes;
        for step in 0..run.len as isize {
            let a = term.a.wrapping_offset(step * run.a);
            let b = term.b.wrapping_offset(step * run.b);
            // SAFETY: the operands along the strip and the run, by the promise of `sum`.
            unsafe {
                match (dense, term.two, strip.b) {
                    (true, false, _) => {
                        for (i, sum) in sums.iter_mut().enumerate() {
                            *sum = T::add(*sum, *a.add(i));
                        }
                    }
                    (true, true, 0) => {
                        let b = *b;
                        for (i, sum) in sums.iter_mut().enumerate() {
                            *sum = mul_add::<I, T>(*a.add(i), b, *sum);
                        }
                    }
                    (true, true, 1) => {
                        for (i, sum) in sums.iter_mut().enumerate() {
                            *sum = mul_add::<I, T>(*a.add(i), *b.add(i), *sum);
                        }
                    }
                    _ => {
                        let term = Term { a, b, ..term };
                        let mut done = 0;
                        if strip.a == 1 && term.as_is() && (!term.two || strip.b == 0) {
                            // A short strip, a register at a time.
                            let b = if term.two { *b } else { T::ONE };
                            while strip.len - done >= SHORT {
                                for (i, sum) in sums[done..done + SHORT].iter_mut().enumerate() {
                                    let a = *a.add(done + i);
                                    *sum = if term.two {
                                        mul_add::<I, T>(a, b, *sum)
                                    } else {
                                        T::add(*sum, a)
                                    };
                                }
                                done += SHORT;
                            }
                        }
                        for (i, sum) in sums.iter_mut().enumerate().take(strip.len).skip(done) {
                            let i = i as isize;
                            *sum = term.add::<I>(*sum, i * strip.a, i * strip.b);
                        }
                    }
                }
            }
        }
        *lanes = sums;
    }
}

/// The lanes of two strips, added.
fn add_strips<T: Scalar>(mut x: [T; STRIP], y: [T; STRIP]) -> [T; STRIP] {
    for (x, y) in x.iter_mut().zip(y) {
        *x = T::add(*x, y);
    }
    x
}
