//! Several sums along dense runs of one length, side by side.
//!
//! A core fetches ahead of each place that it reads at, but no further than the end of the page: one stream of addresses
//! leaves the memory idle at each page, several keep as many lines under way as the core can hold. Each sum has its
//! own accumulators, so it has the same bits as by itself.

use super::super::axis::{Axis, size};
use super::super::isa::{Isa, Level, Vectorize};
use super::super::walk::Offset;
use super::Term;
use super::rows::{LANES, Run, rounds};
use crate::element::Element;

/// Terms from which runs are worth adding side by side.
pub(super) const LONG: usize = 256;
/// Runs of one array that are added side by side: four and sixteen were measured behind.
const OF_ONE: usize = 8;
/// The same of two arrays, each of which is read at as many places.
const OF_TWO: usize = 4;

/// Bytes of A, summed in all, from which memory is what is waited for. What lies in the caches is read as fast in one
/// stream, whose accumulators stay in registers.
const FAR: usize = 1 << 24;

/// How many sums are worth adding side by side.
pub(super) fn side<T>(two: bool, kept: &[Axis], summed: &[Axis]) -> usize {
    let points = size(kept).saturating_mul(size(summed));
    match points.saturating_mul(size_of::<T>()) {
        ..FAR => 1,
        _ if two => OF_TWO,
        _ => OF_ONE,
    }
}

/// Sums side by side.
pub(super) struct Streams<T> {
    terms: [Term<T>; OF_ONE],
    /// The accumulators of each.
    pub(super) lanes: [[T; LANES]; OF_ONE],
    count: usize,
}

impl<T: Element> Streams<T> {
    /// No sums yet; `term` says of what they are.
    pub(super) fn new(term: Term<T>) -> Streams<T> {
        Streams {
            terms: [term; OF_ONE],
            lanes: [[T::ZERO; LANES]; OF_ONE],
            count: 0,
        }
    }

    /// One more sum, which begins here.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn push(&mut self, at: Offset) {
        self.terms[self.count] = self.terms[self.count].at(at);
        self.count += 1;
    }

    /// Adds the terms of all.
    ///
    /// # Safety
    ///
    /// `axis` is dense for the term, and the operands are readable along it from where each sum begins.
    #[cfg_attr(optimised, inline(always))]
    pub(super) unsafe fn add<I: Isa>(&mut self, axis: Axis) {
        let whole = axis.len - axis.len % LANES;
        for first in (0..whole).step_by(LANES) {
            for (lanes, term) in self.lanes.iter_mut().zip(&self.terms).take(self.count) {
                // SAFETY: the caller's promise.
                unsafe { rounds::<I, T>(lanes, *term, first..first + LANES) };
            }
        }
        if whole == axis.len {
            return;
        }
        let rest = Axis {
            len: axis.len - whole,
            ..axis
        };
        for (lanes, term) in self.lanes.iter_mut().zip(&self.terms).take(self.count) {
            let term = term.at(Offset::default().along(&axis, whole));
            let axis = rest;
            // The rest of the axis, readable by the caller's promise.
            Run { lanes, term, axis }.run::<I>();
        }
    }
}

/// The terms of blocks of one sum, added side by side: [`Streams::add`], whose promise whoever makes this gives.
pub(super) struct Blocks<'a, T> {
    pub(super) streams: &'a mut Streams<T>,
    pub(super) axis: Axis,
}

impl<T: Element> Vectorize for Blocks<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // SAFETY: the promise of whoever made this.
        unsafe { self.streams.add::<I>(self.axis) }
    }
}
