//! The rows form: each element of C is a sum along runs, with several accumulators.

use core::ops::Range;

use super::super::axis::{Axis, size};
use super::super::cascade::Cascade;
use super::super::isa::{Isa, Level, Vectorize, mul_add, vectorize};
use super::super::operands::Operands;
use super::super::pack_buffer::PackBuffer;
use super::super::team::Team;
use super::super::walk::{Offset, runs, walk};
use super::streams::{Blocks, LONG, Streams, side};
use super::{SHORT, Term};
use crate::OPTIMISED;
use crate::element::Element;

/// Accumulators of the rows form.
pub(super) const LANES: usize = 32;
/// Points of a block of the rows form.
pub(super) const BLOCK: usize = 4096;
/// Blocks of one sum that a team works on as one piece.
pub(super) const PIECE: usize = 16;

/// Some elements of C, each a sum of blocks.
pub(super) unsafe fn rows<T: Element>(
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
    let side = side::<T>(two, kept, summed);
    for (at, run) in runs(kept, range) {
        for i in 0..run.len {
            // SAFETY: a point of C, by the promise of `sum`.
            unsafe {
                let here = operands.at(at.along(&run, i));
                let sum = some_blocks(Term::of(&here, two), summed, 0..blocks, side);
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

impl<T: Element> Vectorize for Rows<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
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
        let dense = term.is_dense(&axis);
        let few = whole && two && dense;
        let side = if dense && axis.len >= LONG {
            side::<T>(two, kept, &[axis])
        } else {
            1
        };
        for (at, run) in runs(kept, range) {
            let mut first = 0;
            while const { OPTIMISED } && side > 1 && run.len - first > 1 {
                let mut streams = Streams::new(term);
                let rows = side.min(run.len - first);
                for i in first..first + rows {
                    streams.push(at.along(&run, i));
                }
                // SAFETY: the axis is readable in each, and the points are C's, by the promise of `sum`.
                unsafe {
                    streams.add::<I>(axis);
                    for i in 0..rows {
                        let here = operands.at(at.along(&run, first + i));
                        update.apply(here.c, fold(&mut streams.lanes[i], LANES));
                    }
                }
                first += rows;
            }
            for i in first..run.len {
                if const { OPTIMISED } && few {
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
#[cfg_attr(optimised, inline(always))]
unsafe fn whole_rounds<I: Isa, T: Element>(a: *const T, b: *const T, len: usize) -> T {
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

/// The sum of some blocks of one sum, up to `side` at once.
///
/// # Safety
///
/// The operands are readable at all points of `summed`.
#[inline(never)]
unsafe fn some_blocks<T: Element>(
    term: Term<T>,
    summed: &[Axis],
    blocks: Range<usize>,
    side: usize,
) -> T {
    let depth = size(summed);
    let mut cascade: Cascade<T> = Cascade::new();
    let mut first = blocks.start;
    if let [axis] = summed
        && const { OPTIMISED }
        && side > 1
        && term.is_dense(axis)
    {
        let whole = blocks.end.min(depth / BLOCK);
        while first + 1 < whole {
            let count = side.min(whole - first);
            let mut streams = Streams::new(term);
            for block in first..first + count {
                streams.push(Offset::default().along(axis, block * BLOCK));
            }
            // Blocks of the sum, readable by the caller's promise.
            vectorize(Blocks {
                streams: &mut streams,
                axis: Axis {
                    len: BLOCK,
                    ..*axis
                },
            });
            for lanes in &mut streams.lanes[..count] {
                cascade.push(fold(lanes, LANES), T::add);
            }
            first += count;
        }
    }
    for block in first..blocks.end {
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
pub(super) struct Run<'a, T> {
    pub(super) lanes: &'a mut [T; LANES],
    pub(super) term: Term<T>,
    pub(super) axis: Axis,
}

impl<T: Element> Vectorize for Run<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let Run { lanes, term, axis } = self;
        let mut done = 0;
        if const { OPTIMISED } && term.is_dense(&axis) && axis.len >= LANES {
            done = axis.len - axis.len % LANES;
            // SAFETY: the run is readable, by the promise of `some_blocks`.
            unsafe { rounds::<I, T>(lanes, term, 0..done) };
        }
        if const { OPTIMISED } && term.as_is() && axis.a == 1 && term.two && axis.b == 1 {
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

/// Terms of a dense run, added to the accumulators: whole rounds.
///
/// # Safety
///
/// The operands are readable at `terms`, whose length is a multiple of the accumulators; they are dense.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn rounds<I: Isa, T: Element>(
    lanes: &mut [T; LANES],
    term: Term<T>,
    terms: Range<usize>,
) {
    let (a, b) = (term.a, term.b);
    let mut sums = *lanes;
    // SAFETY: the caller's promise.
    unsafe {
        if term.two {
            for i in terms.step_by(LANES) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum = mul_add::<I, T>(*a.add(i + lane), *b.add(i + lane), *sum);
                }
            }
        } else {
            for i in terms.step_by(LANES) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum = T::add(*sum, *a.add(i + lane));
                }
            }
        }
    }
    *lanes = sums;
}

/// The sum of the first `used` accumulators, pairwise.
#[cfg_attr(optimised, inline(always))]
fn fold<T: Element>(lanes: &mut [T; LANES], used: usize) -> T {
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
pub(super) unsafe fn long_rows<T: Element>(
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
    let side = side::<T>(two, kept, summed);
    let partial = buffer.reserve(pieces * size_of::<T>());
    let element = |team: &mut Team<'_>, at| {
        // SAFETY: a point of C.
        let here = unsafe { operands.at(at) };
        team.for_ranges(pieces, width, &|range| {
            for piece in range {
                let blocks = piece * PIECE..blocks.min((piece + 1) * PIECE);
                // SAFETY: blocks of the sum; piece `piece` of the buffer is written by this task alone.
                unsafe {
                    let sum = some_blocks(Term::of(&here, two), summed, blocks, side);
                    partial.part::<T>(piece * size_of::<T>()).write(sum);
                }
            }
        });
        let mut cascade: Cascade<T> = Cascade::new();
        for piece in 0..pieces {
            // SAFETY: written above.
            let sum = unsafe { partial.part::<T>(piece * size_of::<T>()).read() };
            cascade.push(sum, T::add);
        }
        // SAFETY: an element of C.
        unsafe { update.apply(here.c, cascade.finish(T::ZERO, T::add)) };
    };
    team.within(width, &mut |team| {
        walk(kept, 0..size(kept), &mut |at| element(team, at));
    });
}
