//! Strips of C side by side, for sums whose operands are dense along them.
//!
//! The terms of one strip lie a whole row of the operand apart, each in a page of its own. A band of strips reads as much
//! of a page as there is of it at once, and several rows together, so that the memory is asked at several places
//! and an accumulator is loaded and stored once for all of them. Terms are added in the order of a strip by itself:
//! the bits are the same.

use super::super::axis::{Axis, size};
use super::super::isa::{Isa, Level, Vectorize, mul_add, vectorize};
use super::super::operands::Operands;
use super::super::walk::runs;
use super::Term;
use super::strips::{STRIP, TERMS, by_blocks};
use crate::element::Element;

/// Strips of a band: a page of doubles.
pub(super) const BAND: usize = 8;
/// Rows that are added together.
const ROWS: usize = 8;
/// Accumulators that are kept in registers.
const PART: usize = 32;
/// Levels of a cascade of bands, which lies on the stack.
const LEVELS: usize = 16;
/// Terms of the longest sums that are added in bands.
pub(super) const MOST_TERMS: usize = TERMS << (LEVELS - 1);

/// The accumulators of a band.
type Sums<T> = [[T; STRIP]; BAND];

/// Some strips of C, whole ones, at most [`BAND`].
///
/// # Safety
///
/// As for `sum`; the operands are dense along `strips`, whose length is a multiple of [`STRIP`], or B has one element
/// for all of it; there are at most [`MOST_TERMS`].
pub(super) unsafe fn sum_band<T: Element>(
    strips: Axis,
    summed: &[Axis],
    operands: Operands<T>,
    two: bool,
) {
    let update = operands.scale.update();
    let term = Term::of(&operands, two);
    let depth = size(summed);
    let count = strips.len / STRIP;
    let block = |sums: &mut Sums<T>, first: usize| {
        for (at, run) in runs(summed, first..depth.min(first + TERMS)) {
            // The operands along the band and the run, readable by the caller's promise.
            vectorize(Rows {
                sums: &mut sums[..count],
                term: term.at(at),
                along: strips.b,
                run,
            });
        }
    };
    let zero = [[T::ZERO; STRIP]; BAND];
    let sums = by_blocks::<_, LEVELS>(depth, zero, block, add_bands);
    // SAFETY: elements of C.
    unsafe { update.run(operands.c, strips.c, sums.as_ptr().cast(), strips.len) };
}

/// The lanes of two bands, added.
fn add_bands<T: Element>(mut x: Sums<T>, y: Sums<T>) -> Sums<T> {
    for (x, y) in x.as_flattened_mut().iter_mut().zip(y.as_flattened()) {
        *x = T::add(*x, *y);
    }
    x
}

/// The terms of a run, each row of them added to every lane of a band.
struct Rows<'a, T> {
    sums: &'a mut [[T; STRIP]],
    term: Term<T>,
    /// The stride of B along the band, 0 or 1.
    along: isize,
    run: Axis,
}

impl<T: Element> Vectorize for Rows<'_, T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // SAFETY: the operands along the band and the run, by the promise of `sum_band`.
        unsafe {
            match (self.term.two, self.along) {
                (false, _) => self.all::<I, false, false>(),
                (true, 0) => self.all::<I, true, false>(),
                (true, _) => self.all::<I, true, true>(),
            }
        }
    }
}

impl<T: Element> Rows<'_, T> {
    /// All rows, [`ROWS`] at a time. `TWO` says whether there is B, `ALONG` whether it goes along the band.
    ///
    /// # Safety
    ///
    /// The operands are readable along the band and the run.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn all<I: Isa, const TWO: bool, const ALONG: bool>(mut self) {
        let mut step = 0;
        // SAFETY: the caller's promise.
        unsafe {
            while self.run.len - step >= ROWS {
                self.some::<I, ROWS, TWO, ALONG>(step);
                step += ROWS;
            }
            while step < self.run.len {
                self.some::<I, 1, TWO, ALONG>(step);
                step += 1;
            }
        }
    }

    /// `R` rows from the one at `step`.
    ///
    /// # Safety
    ///
    /// As for `all`; there are so many rows.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn some<I: Isa, const R: usize, const TWO: bool, const ALONG: bool>(
        &mut self,
        step: usize,
    ) {
        let (parts, _) = self.sums.as_flattened_mut().as_chunks_mut::<PART>();
        for (at, part) in parts.iter_mut().enumerate() {
            let mut sums = *part;
            for row in 0..R {
                let steps = (step + row) as isize;
                // SAFETY: the caller's promise; the part is of the band.
                unsafe {
                    let a = self.term.a.offset(steps * self.run.a).add(at * PART);
                    let b = self.term.b.wrapping_offset(steps * self.run.b);
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = match (TWO, ALONG) {
                            (false, _) => T::add(*sum, *a.add(i)),
                            (true, false) => mul_add::<I, T>(*a.add(i), *b, *sum),
                            (true, true) => mul_add::<I, T>(*a.add(i), *b.add(at * PART + i), *sum),
                        };
                    }
                }
            }
            *part = sums;
        }
    }
}
