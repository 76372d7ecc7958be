//! Products without a sum that are written past the caches.
//!
//! A line that is overwritten whole need not be read before, which is a third or half of what the memory has to do. The
//! products of a line go from registers to memory, those of four runs in turns (see `sum`: several places are read at
//! once), and there is one fence for all that a thread writes.

use core::mem::MaybeUninit;

use super::axis::{Axis, AxisList, size};
use super::elementwise::{RUN, in_caches, run_of_products};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::operands::Operands;
use super::sum::{SIDE, apart};
use super::team::Team;
use super::transpose::{LINE, fence, stream_line};
use super::walk::{Offset, locate};
use crate::element::Element;

/// Bytes of C from which it is written past the caches: who reads it next finds little of it in them anyway.
const LARGE: usize = 1 << 25;
/// Bytes of a run from which the lines at its ends, which are not whole, are few.
const LONG: usize = 1 << 11;
/// Lines of each run that are written in turn.
const TURN: usize = 4;

/// Whether C is so large, and its runs so long, that to write it past the caches pays, and the products are simple.
pub(crate) fn pays<T: Element>(axes: &[Axis], operands: &Operands<T>) -> bool {
    let scale = &operands.scale;
    let bytes = const { size_of::<T>() };
    let simple = |run: &Axis| matches!((run.a, run.b, run.c), (1, 1, 1) | (1, 0, 1) | (0, 1, 1));
    (const { size_of::<T>() > 0 && LINE.is_multiple_of(size_of::<T>()) && cfg!(x86_vectors) })
        && scale.update().is_plain()
        && !(scale.conj_a || scale.conj_b)
        && axes
            .last()
            .is_some_and(|run| simple(run) && run.len >= LONG / bytes)
        && size(axes) >= LARGE / bytes
}

/// `C <- A * B`, on up to `width` threads. The last axis is the innermost.
///
/// # Safety
///
/// As for `Prepared::run`; it [`pays`].
pub(crate) unsafe fn product<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let Some((&run, outer)) = axes.split_last() else {
        return;
    };
    // Runs of one length.
    let len = run.len.min(RUN);
    let pieces = run.len / len;
    let part = |len, step: usize| Axis {
        len,
        a: run.a * step as isize,
        b: run.b * step as isize,
        c: run.c * step as isize,
    };
    let mut points = AxisList::from(outer);
    points.push(part(pieces, len));
    let piece = part(len, 1);
    team.for_ranges(size(&points), width.min(team.threads()), &|range| {
        let four = apart::<T>(range.len(), len);
        for starts in four {
            // SAFETY: points of C's runs, by the caller's promise.
            let at = |at: usize| unsafe { operands.at(locate(&points, range.start + at)) };
            // No other task writes these.
            vectorize(Four {
                runs: starts.map(at),
                run: piece,
            });
        }
        for at in range.start + range.len() / SIDE * SIDE..range.end {
            // SAFETY: as above.
            unsafe { run_of_products(piece, operands.at(locate(&points, at))) };
        }
        fence();
    });
    // What is left of each.
    let rest = part(run.len - pieces * len, 1);
    if rest.len > 0 {
        let mut axes = AxisList::from(outer);
        axes.push(rest);
        // SAFETY: the caller's promise, for the end of each run.
        unsafe {
            let operands = operands.at(Offset::default().along(&run, pieces * len));
            in_caches(&axes, operands, width, team);
        }
    }
}

/// Four runs of products into consecutive elements of C, past the caches. Let [`fence`] follow.
struct Four<T> {
    runs: [Operands<T>; SIDE],
    run: Axis,
}

impl<T: Element> Vectorize for Four<T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // SAFETY: elements of the runs, by the promise of `product`; each is read with its stride, 0 or 1.
        unsafe {
            match (self.run.a, self.run.b) {
                (1, 1) => self.all::<I>(|x, i| T::mul(*x.a.add(i), *x.b.add(i))),
                (1, _) => self.all::<I>(|x, i| T::mul(*x.a.add(i), *x.b)),
                _ => self.all::<I>(|x, i| T::mul(*x.a, *x.b.add(i))),
            }
        }
    }
}

impl<T: Element> Four<T> {
    /// All elements: element `i` of a run is `product(run, i)`.
    ///
    /// # Safety
    ///
    /// That may be called for every element of the runs, which are C's to be written; the machine has the instructions of `I`.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn all<I: Isa>(self, product: impl Fn(&Operands<T>, usize) -> T) {
        let Four { runs, run } = self;
        let turn = const { TURN * LINE / size_of::<T>() };
        // Where the first line of C begins in each, and the turns that all of them have.
        let firsts = runs.map(|x| x.c.align_offset(LINE).min(run.len));
        let turns = firsts.map(|first| (run.len - first) / turn);
        let turns = turns.into_iter().min().unwrap_or(0);
        for at in 0..turns {
            for (x, first) in runs.iter().zip(firsts) {
                let first = first + at * turn;
                // SAFETY: whole lines of C, and the caller's promise.
                unsafe { lines::<I, T>(|i| product(x, first + i), x.c.add(first)) };
            }
        }
        for (x, first) in runs.iter().zip(firsts) {
            for i in (0..first).chain(first + turns * turn..run.len) {
                // SAFETY: an element of C, by the caller's promise.
                unsafe { x.c.add(i).write(product(x, i)) };
            }
        }
    }
}

/// [`TURN`] lines of values, past the caches.
///
/// # Safety
///
/// They are writable at `to`, which is aligned to lines; the machine has the instructions of `I`.
#[cfg_attr(optimised, inline(always))]
unsafe fn lines<I: Isa, T: Element>(value: impl Fn(usize) -> T, to: *mut T) {
    let line = const { LINE / size_of::<T>() };
    for first in (0..TURN * line).step_by(line) {
        // In registers, if all goes well.
        let mut values = [const { MaybeUninit::<T>::uninit() }; LINE];
        for (i, to) in values.iter_mut().take(line).enumerate() {
            to.write(value(first + i));
        }
        // SAFETY: the caller's promise; a line of values was written.
        unsafe { stream_line::<I>(values.as_ptr().cast(), to.add(first).cast()) };
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::*;
    use crate::Scale;

    /// `rows` runs of `columns` of a product, with a gap behind each run of C, which begins `shift` elements late: past the
    /// caches and in them.
    fn both<T: Element + PartialEq>(
        (rows, columns): (usize, usize),
        strides: [isize; 2],
        shift: usize,
        value: fn(usize) -> T,
        team: &mut Team,
    ) -> [Vec<T>; 2] {
        let [of_a, of_b] = strides;
        let pitch = |stride: isize| stride * columns as isize + 1;
        let axes = [
            Axis::new(rows, pitch(of_a), pitch(of_b), columns as isize + 3),
            Axis::new(columns, of_a, of_b, 1),
        ];
        let many = rows * (columns + 3);
        let a: Vec<T> = (0..many).map(value).collect();
        let b: Vec<T> = (0..many).map(|i| value(3 * i + 1)).collect();
        [true, false].map(|streamed| {
            let mut c = vec![value(77); many + shift];
            let operands = Operands {
                a: a.as_ptr(),
                b: b.as_ptr(),
                c: c[shift..].as_mut_ptr(),
                scale: Scale::overwrite(),
            };
            let width = team.threads();
            // SAFETY: the axes stay within the arrays, which are apart.
            unsafe {
                match streamed {
                    true => product(&axes, operands, width, team),
                    false => in_caches(&axes, operands, width, team),
                }
            }
            c
        })
    }

    /// Starts of C anywhere in a line, runs that are no whole lines, numbers of runs that are not fours.
    #[test]
    fn what_is_written_past_the_caches_is_what_is_written_elsewhere() {
        let mut teams = vec![Team::serial()];
        #[cfg(feature = "threads")]
        teams.push(Team::new(3).expect("a team"));
        for team in &mut teams {
            for shape in [(9, 2 * RUN + 77), (13, 301), (4, 256), (1, 9 * RUN + 5)] {
                for strides in [[1, 1], [1, 0], [0, 1]] {
                    for shift in [0, 1, 6] {
                        macro_rules! same {
                            ($($value:expr;)*) => {$(
                                let [past, elsewhere] = both(shape, strides, shift, $value, team);
                                assert!(past == elsewhere, "{shape:?} {strides:?} {shift}");
                            )*};
                        }
                        same! {
                            |i| (i % 1009) as f64 * 0.37;
                            |i| (i % 1009) as f32 * 0.37;
                            |i| i as u8;
                            |i| Complex::new((i % 1009) as f64, (i % 11) as f64);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn large_results_of_long_runs_are_written_past_the_caches() {
        let n = 1 << 12;
        let axes = |a: isize, b: isize, c: isize| {
            let wide = n as isize;
            [Axis::new(n, wide, wide, wide), Axis::new(n, a, b, c)]
        };
        let operands = Operands {
            a: core::ptr::null::<f64>(),
            b: core::ptr::null(),
            c: core::ptr::null_mut(),
            scale: Scale::overwrite(),
        };
        let here = cfg!(x86_vectors);
        for [a, b] in [[1, 1], [1, 0], [0, 1]] {
            assert_eq!(pays(&axes(a, b, 1), &operands), here);
        }
        assert!(!pays(&axes(1, 2, 1), &operands) && !pays(&axes(1, 1, 2), &operands));
        assert!(!pays(&axes(1, 1, 1)[1..], &operands));
        let short = [Axis::new(n * n, 255, 255, 255), Axis::new(255, 1, 1, 1)];
        assert!(!pays(&short, &operands));
        let scaled = Scale {
            alpha: 2.0,
            ..operands.scale
        };
        for scale in [Scale::accumulate(), scaled] {
            assert!(!pays(&axes(1, 1, 1), &Operands { scale, ..operands }));
        }
    }
}
