//! Products without a sum, in runs along the axis on which C is densest.
//!
//! One kernel serves elementwise products (batch axes), outer products and axpy (free axes: stride 0 on one side).

use core::mem::MaybeUninit;
use core::ops::Range;

use super::OPTIMISED;
use super::axis::{Axis, size};
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::operands::Operands;
use super::scale::Update;
use super::team::Team;
use super::transpose::{LINE, fence, write};
use super::walk::{Offset, walk};
use crate::element::Element;

/// Elements of one run; longer axes are cut, so that a team can share them.
const RUN: usize = 4096;
/// Products that wait for `alpha` and `beta` at once.
const BUFFER: usize = 64;
/// Products that are made before they are written past the caches.
const PIECE: usize = 256;
/// Bytes of C from which it is written past the caches, and of a run.
const STREAMED: usize = 1 << 25;
const LONG: usize = 1 << 12;

/// `C <- alpha * A * B + beta * C`, on up to `width` threads. The last axis is the innermost.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn product<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    if const { OPTIMISED } && is_streamed::<T>(axes) && operands.scale.update().is_plain() {
        return in_runs(axes, width, team, &|at, run| {
            // SAFETY: the caller's promise, for each run of C.
            let operands = unsafe { operands.at(at) };
            vectorize(Streamed { run, operands });
            fence();
        });
    }
    // SAFETY: the caller's promise, for each run of C.
    in_runs(axes, width, team, &|at, run| unsafe {
        run_of_products(run, operands.at(at));
    });
}

/// Whether C is so large, and its runs so long, that to write it past the caches saves more time than who reads it next
/// loses. Measured only to pay where little is read: an outer product of 4096 by 4096 took 0.65 of the time of a plain loop,
/// an elementwise one 1.1.
fn is_streamed<T>(axes: &[Axis]) -> bool {
    let bytes = |carried: fn(&Axis) -> bool| {
        let axes = axes.iter().filter(|axis| carried(axis));
        axes.fold(size_of::<T>(), |bytes, axis| bytes.saturating_mul(axis.len))
    };
    let (a, b, c) = (bytes(|x| x.a != 0), bytes(|x| x.b != 0), bytes(|_| true));
    let run = axes.last().map_or(0, |run| match run.c {
        1 => run.len.saturating_mul(size_of::<T>()),
        _ => 0,
    });
    run >= LONG && c >= STREAMED && a.saturating_add(b) <= c / 8
}

/// One run: straight into C, or through a buffer where there is more to do than to store.
unsafe fn run_of_products<T: Element>(run: Axis, operands: Operands<T>) {
    let update = operands.scale.update();
    let products = |run: Axis, operands: Operands<T>, to: *mut T| {
        vectorize(Product { run, operands, to });
    };
    if run.c == 1 && update.is_plain() {
        return products(run, operands, operands.c);
    }
    let mut buffer = [const { MaybeUninit::<T>::uninit() }; BUFFER];
    for start in (0..run.len).step_by(BUFFER) {
        let piece = Axis {
            len: BUFFER.min(run.len - start),
            ..run
        };
        // SAFETY: elements of the run, by the promise of `product`; the buffer was written as far as it is read.
        unsafe {
            let here = operands.at(Offset::default().along(&run, start));
            products(piece, here, buffer.as_mut_ptr().cast());
            update.run(here.c, run.c, buffer.as_ptr().cast(), piece.len);
        }
    }
}

/// `C <- beta * C`, on up to `width` threads: what an empty sum leaves.
///
/// # Safety
///
/// As for `Prepared::run`; A and B are not touched.
pub(crate) unsafe fn scale<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let update = match operands.scale.update() {
        Update::Store { .. } => Update::Store { alpha: None },
        Update::Add { .. } => return,
        Update::Scaled { beta, .. } => Update::Scaled { alpha: None, beta },
    };
    in_runs(axes, width, team, &|at, run| {
        for i in 0..run.len {
            // SAFETY: an element of C; no other run has it. A and B stay where they are.
            unsafe {
                let c = operands
                    .at(Offset {
                        c: at.along(&run, i).c,
                        ..Offset::default()
                    })
                    .c;
                match update {
                    Update::Scaled { beta, .. } => c.write(T::mul(beta, c.read())),
                    _ => c.write(T::ZERO),
                }
            }
        }
    });
}

/// One run of products into consecutive elements of C, past the caches. Let [`fence`] follow.
struct Streamed<T> {
    run: Axis,
    operands: Operands<T>,
}

impl<T: Element> Vectorize for Streamed<T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let Streamed { run, operands } = self;
        let mut buffer = [const { MaybeUninit::<T>::uninit() }; PIECE];
        // The first piece ends with a line of C.
        let mut start = 0;
        let mut end = operands.c.align_offset(LINE).min(run.len);
        while start < run.len {
            if end == start {
                end = run.len.min(start + PIECE);
            }
            let len = end - start;
            // SAFETY: elements of the run, by the promise of `product`, of which the buffer holds a piece.
            unsafe {
                let here = operands.at(Offset::default().along(&run, start));
                let to = buffer.as_mut_ptr().cast();
                let run = Axis { len, ..run };
                Product {
                    run,
                    operands: here,
                    to,
                }
                .run::<I>();
                write::<I>(to.cast(), here.c.cast(), len * size_of::<T>(), true);
            }
            start = end;
        }
    }
}

/// Calls `f` with the start of every run along the last of `axes`, and the run.
pub(crate) fn in_runs(
    axes: &[Axis],
    width: usize,
    team: &mut Team,
    f: &(dyn Fn(Offset, Axis) + Sync),
) {
    let point = Axis::new(1, 0, 0, 0);
    let (inner, outer) = axes.split_last().unwrap_or((&point, &[]));
    let pieces = inner.len.div_ceil(RUN);
    let each = |range: Range<usize>| {
        for piece in 0..pieces {
            // The points of `outer` whose run has its piece `piece` in `range`, counted with pieces fastest.
            let from = range.start.saturating_sub(piece).div_ceil(pieces);
            let to = range.end.saturating_sub(piece).div_ceil(pieces);
            let start = piece * RUN;
            let run = Axis {
                len: RUN.min(inner.len - start),
                ..*inner
            };
            let first = Offset::default().along(inner, start);
            walk(outer, from..to, &mut |at| {
                f(
                    Offset {
                        a: at.a + first.a,
                        b: at.b + first.b,
                        c: at.c + first.c,
                    },
                    run,
                );
            });
        }
    };
    let tasks = size(outer) * pieces;
    let width = width.min(team.threads());
    team.for_ranges(tasks, width, &each);
}

/// One run of products, into consecutive elements.
struct Product<T> {
    run: Axis,
    operands: Operands<T>,
    to: *mut T,
}

impl<T: Element> Vectorize for Product<T> {
    type Output = ();
    const MOST: Level = Level::Avx2.for_kind(T::KIND);
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let Product { run, operands, to } = self;
        let Operands { a, b, scale, .. } = operands;
        let conj = const { !T::KIND.is_real() } && (scale.conj_a || scale.conj_b);
        // SAFETY: elements of the run, by the promise of `product`; `to` is C, or a buffer of as many elements.
        unsafe {
            if const { OPTIMISED } && !conj {
                match (run.a, run.b) {
                    (1, 1) => {
                        for i in 0..run.len {
                            to.add(i).write(T::mul(*a.add(i), *b.add(i)));
                        }
                        return;
                    }
                    (1, 0) => {
                        let b = *b;
                        for i in 0..run.len {
                            to.add(i).write(T::mul(*a.add(i), b));
                        }
                        return;
                    }
                    (0, 1) => {
                        let a = *a;
                        for i in 0..run.len {
                            to.add(i).write(T::mul(a, *b.add(i)));
                        }
                        return;
                    }
                    _ => {}
                }
            }
            for i in 0..run.len {
                let (mut x, mut y) = (*a.offset(i as isize * run.a), *b.offset(i as isize * run.b));
                if conj && scale.conj_a {
                    x = T::conj(x);
                }
                if conj && scale.conj_b {
                    y = T::conj(y);
                }
                to.add(i).write(T::mul(x, y));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;

    /// Lengths and a start of C that are no whole lines.
    #[test]
    fn what_is_written_past_the_caches_is_all_there() {
        let (rows, columns) = (9, (1 << 19) + 77);
        let axes = [
            Axis::new(rows, 1, 0, columns as isize + 3),
            Axis::new(columns, 0, 1, 1),
        ];
        assert!(is_streamed::<f64>(&axes) && !is_streamed::<f32>(&axes));
        let a: Vec<f64> = (0..rows).map(|i| i as f64 + 0.5).collect();
        let b: Vec<f64> = (0..columns).map(|j| (j % 1000) as f64).collect();
        let mut c = vec![-1.0; rows * (columns + 3) + 1];
        let operands = Operands {
            a: a.as_ptr(),
            b: b.as_ptr(),
            c: c[1..].as_mut_ptr(),
            scale: Scale::overwrite(),
        };
        // SAFETY: the axes stay within the arrays, which are apart.
        unsafe { product(&axes, operands, 1, &mut Team::serial()) };
        assert_eq!(c[0], -1.0);
        for (i, row) in c[1..].chunks(columns + 3).enumerate() {
            assert!(row[..columns].iter().zip(&b).all(|(c, b)| *c == a[i] * b));
            assert_eq!(row[columns..], [-1.0; 3]);
        }
    }

    #[test]
    fn operands_as_large_as_the_result_are_not_worth_it() {
        let axes = [
            Axis::new(1 << 12, 1 << 12, 1 << 12, 1 << 12),
            Axis::new(1 << 12, 1, 1, 1),
        ];
        assert!(!is_streamed::<f64>(&axes));
        let outer = [
            Axis::new(1 << 12, 1, 0, 1 << 12),
            Axis::new(1 << 12, 0, 1, 1),
        ];
        assert!(is_streamed::<f64>(&outer) && !is_streamed::<u8>(&outer));
        let turned = [
            Axis::new(1 << 12, 0, 1, 1),
            Axis::new(1 << 12, 1, 0, 1 << 12),
        ];
        assert!(!is_streamed::<f64>(&turned));
    }
}
