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
use super::streamed;
use super::team::Team;
use super::walk::{Offset, walk};
use crate::element::Element;

/// Elements of one run; longer axes are cut, so that a team can share them.
pub(crate) const RUN: usize = 4096;
/// Products that wait for `alpha` and `beta` at once.
const BUFFER: usize = 64;

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
    if const { OPTIMISED } && streamed::pays(axes, &operands) {
        // SAFETY: the caller's promise; C is not read.
        return unsafe { streamed::product(axes, operands, width, team) };
    }
    // SAFETY: the caller's promise.
    unsafe { in_caches(axes, operands, width, team) };
}

/// [`product`], written like anything else.
///
/// # Safety
///
/// As for `product`.
pub(crate) unsafe fn in_caches<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    // SAFETY: the caller's promise, for each run of C.
    in_runs(axes, width, team, &|at, run| unsafe {
        run_of_products(run, operands.at(at));
    });
}

/// One run: straight into C, or through a buffer where there is more to do than to store.
pub(crate) unsafe fn run_of_products<T: Element>(run: Axis, operands: Operands<T>) {
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
