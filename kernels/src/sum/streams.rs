//! Four sums along dense runs of one length, side by side.
//!
//! A core fetches ahead of each place that it reads at, but not past the end of a small page: one stream of addresses
//! leaves the memory idle at each page, several keep as many lines under way as the core can hold. Where pages are large,
//! one is as fast as four, and eight are behind. Each sum has its own accumulators, so it has the same bits as by itself.

use core::ops::Range;

use super::super::axis::{Axis, size};
use super::super::cascade::Cascade;
use super::super::isa::{Isa, Level, Vectorize, vectorize};
use super::super::walk::Offset;
use super::Term;
use super::rows::{BLOCK, LANES, Run, fold, fold_all, rounds};
use crate::OPTIMISED;
use crate::element::Element;

/// Terms from which runs are worth adding side by side.
pub(super) const LONG: usize = 256;
/// Runs that are added side by side.
pub(crate) const SIDE: usize = 4;
/// Bytes between the places at which one array is read, about: near to each other they are in each other's way.
const APART: usize = 1 << 19;

/// Bytes of A, summed in all, from which memory is what is waited for. What lies in the caches is read as fast in one
/// stream, whose accumulators stay in registers.
const FAR: usize = 1 << 24;

/// Whether sums are worth adding side by side: what is summed is dense along one axis then.
pub(super) fn pays<T: Element>(term: &Term<T>, kept: &[Axis], summed: &[Axis]) -> bool {
    let points = size(kept).saturating_mul(size(summed));
    let dense = matches!(summed, [axis] if term.is_dense(axis));
    OPTIMISED && dense && points.saturating_mul(size_of::<T>()) >= FAR
}

/// The first of some rows of `len` elements, [`SIDE`] at a time, [`APART`] where there are enough of them: all but those that are
/// less than [`SIDE`].
#[cfg_attr(optimised, inline(always))]
pub(crate) fn apart<T>(rows: usize, len: usize) -> impl Iterator<Item = [usize; SIDE]> {
    let most = (APART / size_of::<T>() / len).max(1);
    let mut first = 0;
    let mut step = 0;
    let mut of = (rows / SIDE).min(most);
    core::iter::from_fn(move || {
        if step == of {
            first += of * SIDE;
            of = ((rows - first) / SIDE).min(most);
            step = 0;
        }
        (of > 0).then(|| {
            step += 1;
            core::array::from_fn(|i| first + step - 1 + i * of)
        })
    })
}

/// Sums along `axis`, whose terms begin at `starts`.
///
/// # Safety
///
/// `axis` is dense for the term, and the operands are readable along it from each start.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn sums_of<I: Isa, T: Element>(
    term: Term<T>,
    starts: [Offset; SIDE],
    axis: Axis,
) -> [T; SIDE] {
    let terms = starts.map(|start| term.at(start));
    let mut all = Accumulators([[T::ZERO; LANES]; SIDE]);
    let whole = axis.len - axis.len % LANES;
    for first in (0..whole).step_by(LANES) {
        for (lanes, term) in all.0.iter_mut().zip(terms) {
            // SAFETY: the caller's promise.
            unsafe { rounds::<I, T>(lanes, term, first..first + LANES) };
        }
    }
    let rest = Axis {
        len: axis.len - whole,
        ..axis
    };
    core::array::from_fn(|i| {
        let lanes = &mut all.0[i];
        if rest.len > 0 {
            let term = terms[i].at(Offset::default().along(&axis, whole));
            // The rest of the axis, readable by the caller's promise.
            Run {
                lanes,
                term,
                axis: rest,
            }
            .run::<I>();
        }
        match axis.len {
            LANES.. => fold_all(all.0[i]),
            len => fold(&mut all.0[i], len),
        }
    })
}

/// The accumulators of several sums, in whole lines.
#[repr(align(64))]
struct Accumulators<T>([[T; LANES]; SIDE]);

/// Sums of some blocks each, side by side, whose terms begin at `starts`.
///
/// # Safety
///
/// `axis` is dense for the term, and the operands are readable in the blocks of it, from each start.
pub(super) unsafe fn blocks_of<T: Element>(
    term: Term<T>,
    starts: [Offset; SIDE],
    axis: Axis,
    blocks: Range<usize>,
) -> [T; SIDE] {
    let mut cascades: [Cascade<T>; SIDE] = [const { Cascade::new() }; SIDE];
    for block in blocks {
        let first = block * BLOCK;
        let len = BLOCK.min(axis.len - first);
        // A block of each, readable by the caller's promise.
        let sums = vectorize(Block {
            term: term.at(Offset::default().along(&axis, first)),
            starts,
            axis: Axis { len, ..axis },
        });
        for (cascade, sum) in cascades.iter_mut().zip(sums) {
            cascade.push(sum, T::add);
        }
    }
    cascades.map(|cascade| cascade.finish(T::ZERO, T::add))
}

/// A block of each of several sums: [`sums_of`], whose promise whoever makes this gives.
struct Block<T> {
    term: Term<T>,
    starts: [Offset; SIDE],
    axis: Axis,
}

impl<T: Element> Vectorize for Block<T> {
    type Output = [T; SIDE];
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) -> [T; SIDE] {
        // SAFETY: the promise of whoever made this.
        unsafe { sums_of::<I, T>(self.term, self.starts, self.axis) }
    }
}
