//! The lanes form: a strip of C is summed at once, one accumulator a lane.

use super::super::axis::{Axis, AxisList, size};
use super::super::cascade::Cascade;
use super::super::isa::{Isa, Level, Vectorize, mul_add, vectorize};
use super::super::operands::Operands;
use super::super::team::Team;
use super::super::walk::{Offset, locate, runs};
use super::{SHORT, Term};
use crate::OPTIMISED;
use crate::element::Element;

/// Elements of C that the lanes form sums at once.
pub(super) const STRIP: usize = 64;
/// Terms of a block of the lanes form.
pub(super) const TERMS: usize = 128;

/// Calls `f` for pieces of C along the kept axis `at`, at most `most` elements: where one starts, and the piece.
pub(super) fn in_lanes(
    kept: &[Axis],
    at: usize,
    most: usize,
    width: usize,
    team: &mut Team,
    f: &(dyn Fn(Offset, Axis) + Sync),
) {
    let mut outer = AxisList::from(kept);
    let lanes = outer.swap_remove(at);
    let strips = lanes.len.div_ceil(most);
    team.for_ranges(size(&outer) * strips, width, &|range| {
        for task in range {
            let start = task % strips * most;
            let strip = Axis {
                len: most.min(lanes.len - start),
                ..lanes
            };
            f(locate(&outer, task / strips).along(&lanes, start), strip);
        }
    });
}

/// One strip of C.
pub(super) unsafe fn sum_strip<T: Element>(
    strip: Axis,
    summed: &[Axis],
    operands: Operands<T>,
    two: bool,
) {
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
    let zero = [T::ZERO; STRIP];
    let sums = by_blocks::<_, { usize::BITS as usize }>(depth, zero, block, add_strips);
    // SAFETY: elements of C.
    unsafe { update.run(operands.c, strip.c, sums.as_ptr(), strip.len) };
}

/// The sums of `depth` terms that `block` adds to zeros, those of each [`TERMS`] from the one that it is given on; the blocks
/// are added pairwise, less than `2^LEVELS` of them.
#[cfg_attr(optimised, inline(always))]
pub(super) fn by_blocks<S: Copy, const LEVELS: usize>(
    depth: usize,
    zero: S,
    block: impl Fn(&mut S, usize),
    add: impl Fn(S, S) -> S,
) -> S {
    let mut sums = zero;
    block(&mut sums, 0);
    if depth <= TERMS {
        return sums;
    }
    let mut cascade: Cascade<S, LEVELS> = Cascade::new();
    cascade.push(sums, &add);
    for first in (TERMS..depth).step_by(TERMS) {
        sums = zero;
        block(&mut sums, first);
        cascade.push(sums, &add);
    }
    cascade.finish(zero, add)
}

/// The terms of a run, each added to every lane of a strip.
struct Strip<'a, T> {
    sums: &'a mut [T; STRIP],
    term: Term<T>,
    strip: Axis,
    run: Axis,
}

impl<T: Element> Vectorize for Strip<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
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
                if const { OPTIMISED } && dense {
                    match (term.two, strip.b) {
                        (false, _) => {
                            for (i, sum) in sums.iter_mut().enumerate() {
                                *sum = T::add(*sum, *a.add(i));
                            }
                            continue;
                        }
                        (true, 0) => {
                            let b = *b;
                            for (i, sum) in sums.iter_mut().enumerate() {
                                *sum = mul_add::<I, T>(*a.add(i), b, *sum);
                            }
                            continue;
                        }
                        (true, 1) => {
                            for (i, sum) in sums.iter_mut().enumerate() {
                                *sum = mul_add::<I, T>(*a.add(i), *b.add(i), *sum);
                            }
                            continue;
                        }
                        _ => {}
                    }
                }
                let term = Term { a, b, ..term };
                let mut done = 0;
                if const { OPTIMISED }
                    && strip.a == 1
                    && term.as_is()
                    && (!term.two || strip.b == 0)
                {
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
                while done < strip.len {
                    let at = done as isize;
                    sums[done] = term.add::<I>(sums[done], at * strip.a, at * strip.b);
                    done += 1;
                }
            }
        }
        *lanes = sums;
    }
}

/// The lanes of two strips, added.
fn add_strips<T: Element>(mut x: [T; STRIP], y: [T; STRIP]) -> [T; STRIP] {
    for (x, y) in x.iter_mut().zip(y) {
        *x = T::add(*x, y);
    }
    x
}
