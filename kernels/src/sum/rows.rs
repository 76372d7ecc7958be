//! The rows form: each element of C is a sum along runs, with several accumulators.

use core::ops::Range;

use super::super::axis::{Axis, size};
use super::super::cascade::Cascade;
use super::super::isa::{Isa, Level, Vectorize, mul_add, vectorize};
#[cfg(x86_vectors)]
use super::super::kind::Kind;
#[cfg(x86_vectors)]
use super::super::lanes::Lanes;
use super::super::operands::Operands;
use super::super::pack_buffer::PackBuffer;
use super::super::team::Team;
use super::super::walk::{Offset, locate, runs, walk};
use super::streams::{LONG, SIDE, apart, blocks_of, pays, sums_of};
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
    let blocks = 0..size(summed).div_ceil(BLOCK);
    let term = Term::of(&operands, two);
    let mut range = range;
    if pays(&term, kept, summed) {
        // SAFETY: points of C, by the promise of `sum`, and one axis that is dense.
        unsafe {
            range.start += far_rows(term, kept, range.clone(), summed[0], operands);
        }
    }
    for (at, run) in runs(kept, range) {
        for i in 0..run.len {
            // SAFETY: a point of C, by the promise of `sum`.
            unsafe {
                let here = operands.at(at.along(&run, i));
                let sum = some_blocks(Term::of(&here, two), summed, blocks.clone());
                update.apply(here.c, sum);
            }
        }
    }
}

/// Some elements of C, each a sum of blocks along `axis`, [`SIDE`] of them side by side. How many.
///
/// # Safety
///
/// As for `sum`; the term is dense along the axis.
unsafe fn far_rows<T: Element>(
    term: Term<T>,
    kept: &[Axis],
    range: Range<usize>,
    axis: Axis,
    operands: Operands<T>,
) -> usize {
    let update = operands.scale.update();
    for starts in apart::<T>(range.len(), axis.len) {
        let starts = starts.map(|row| locate(kept, range.start + row));
        // SAFETY: points of C, by the caller's promise.
        unsafe {
            let sums = blocks_of(term, starts, axis, 0..axis.len.div_ceil(BLOCK));
            for (start, sum) in starts.into_iter().zip(sums) {
                update.apply(operands.at(start).c, sum);
            }
        }
    }
    range.len() / SIDE * SIDE
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
    const MOST: Level = Level::Avx512.for_kind(T::KIND);
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
        let far = axis.len >= LONG && pays(&term, kept, &[axis]);
        for (at, run) in runs(kept, range) {
            let mut first = 0;
            if const { OPTIMISED } && far {
                // SAFETY: points of C, by the promise of `sum`, and an axis that is dense.
                first = unsafe { side_by_side::<I, T>(term, at, run, axis, operands) };
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

/// Elements of C along a run, each a sum of one block along `axis`, [`SIDE`] of them side by side. How many.
///
/// # Safety
///
/// As for `sum`; the term is dense along the axis.
#[cfg_attr(optimised, inline(always))]
unsafe fn side_by_side<I: Isa, T: Element>(
    term: Term<T>,
    at: Offset,
    run: Axis,
    axis: Axis,
    operands: Operands<T>,
) -> usize {
    let update = operands.scale.update();
    for starts in apart::<T>(run.len, axis.len) {
        let starts = starts.map(|row| at.along(&run, row));
        // SAFETY: points of C, by the caller's promise.
        unsafe {
            let sums = sums_of::<I, T>(term, starts, axis);
            for (start, sum) in starts.into_iter().zip(sums) {
                update.apply(operands.at(start).c, sum);
            }
        }
    }
    run.len / SIDE * SIDE
}

/// What [`Run`] and [`fold`] give for whole rounds, all of it in registers: `len` is a multiple of the accumulators.
///
/// # Safety
///
/// `len` elements can be read from `a` and from `b`.
#[cfg_attr(optimised, inline(always))]
unsafe fn whole_rounds<I: Isa, T: Element>(a: *const T, b: *const T, len: usize) -> T {
    macro_rules! registers {
        ($($kind:ident => $lanes:ty, $count:literal;)*) => {$(
            #[cfg(x86_vectors)]
            if const { I::LEVEL.is(Level::Avx512) && T::KIND.is(Kind::$kind) } {
                // SAFETY: the instruction set is there, `T` is the type of the lanes; the rest is the caller's promise.
                return unsafe { in_registers::<T, $lanes, $count>(a, b, len) };
            }
        )*};
    }
    // As the compiler does it, in registers half as large, it takes half as long again.
    registers! { F64 => core::arch::x86_64::__m512d, 4; F32 => core::arch::x86_64::__m512, 2; }
    let mut sums = [T::ZERO; LANES];
    for i in (0..len).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *sum = unsafe { mul_add::<I, T>(*a.add(i + lane), *b.add(i + lane), *sum) };
        }
    }
    fold_all(sums)
}

/// [`whole_rounds`] in `N` registers that have all accumulators.
///
/// # Safety
///
/// As there; the instruction set of the lanes is there, and they are of elements `T`.
#[cfg(x86_vectors)]
#[cfg_attr(optimised, inline(always))]
unsafe fn in_registers<T: Element, L: Lanes, const N: usize>(
    a: *const T,
    b: *const T,
    len: usize,
) -> T {
    const { assert!(N * L::LEN == LANES) };
    // SAFETY: the caller's promise; `N` registers are as many elements as there are accumulators.
    unsafe {
        let mut sums = [L::zero(); N];
        for i in (0..len).step_by(LANES) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let at = i + lane * L::LEN;
                *sum = L::mul_add(L::load(a.add(at).cast()), L::load(b.add(at).cast()), *sum);
            }
        }
        fold_all(core::mem::transmute_copy::<[L; N], [T; LANES]>(&sums))
    }
}

/// [`fold`] of all accumulators.
#[cfg_attr(optimised, inline(always))]
pub(super) fn fold_all<T: Element>(sums: [T; LANES]) -> T {
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
unsafe fn some_blocks<T: Element>(term: Term<T>, summed: &[Axis], blocks: Range<usize>) -> T {
    let depth = size(summed);
    let mut cascade: Cascade<T> = Cascade::new();
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
pub(super) fn fold<T: Element>(lanes: &mut [T; LANES], used: usize) -> T {
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
    let far = pays(&Term::of(&operands, two), kept, summed);
    // Those that have all of their blocks, which are whole.
    let whole = size(summed) / (PIECE * BLOCK);
    let partial = buffer.reserve(pieces * size_of::<T>());
    let element = |team: &mut Team<'_>, at| {
        // SAFETY: a point of C.
        let here = unsafe { operands.at(at) };
        team.for_ranges(pieces, width, &|mut range| {
            let term = Term::of(&here, two);
            let set = |piece: usize, sum| {
                // SAFETY: piece `piece` of the buffer is written by this task alone.
                unsafe { partial.part::<T>(piece * size_of::<T>()).write(sum) };
            };
            if far {
                let pieces = range.start..range.end.min(whole);
                // SAFETY: whole pieces of the sum along one axis that is dense.
                range.start += unsafe { far_pieces(term, pieces, summed[0], set) };
            }
            for piece in range {
                let blocks = piece * PIECE..blocks.min((piece + 1) * PIECE);
                // SAFETY: blocks of the sum.
                set(piece, unsafe { some_blocks(term, summed, blocks) });
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

/// Whole pieces of one sum along `axis`, [`SIDE`] of them side by side; `set` is given each. How many.
///
/// # Safety
///
/// The operands are readable along the axis, for which the term is dense.
unsafe fn far_pieces<T: Element>(
    term: Term<T>,
    pieces: Range<usize>,
    axis: Axis,
    set: impl Fn(usize, T),
) -> usize {
    let groups = pieces.len() / SIDE;
    for first in (pieces.start..).step_by(SIDE).take(groups) {
        let start = |i: usize| Offset::default().along(&axis, (first + i) * PIECE * BLOCK);
        // SAFETY: the caller's promise.
        let sums = unsafe { blocks_of(term, core::array::from_fn(start), axis, 0..PIECE) };
        for (i, sum) in sums.into_iter().enumerate() {
            set(first + i, sum);
        }
    }
    groups * SIDE
}
