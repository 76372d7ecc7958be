//! Products without a sum, in runs along the axis on which C is densest.
//!
//! One kernel serves elementwise products (batch axes), outer products and axpy (free axes: stride 0 on one side).

use core::ops::Range;

use super::axis::{Axis, size};
use super::isa::{Isa, Vectorize, vectorize_traffic};
use super::operands::Operands;
use super::scale::Update;
use super::team::Team;
use super::walk::{Offset, walk};
use crate::scalar::Scalar;

/// Elements of one run; longer axes are cut, so that a team can share them.
const RUN: usize = 4096;

/// `C <- alpha * A * B + beta * C`, on up to `width` threads. The last axis is the innermost.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn product<T: Scalar>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    // SAFETY: the caller's promise, for each run of C.
    in_runs(axes, width, team, |at, run| unsafe {
        vectorize_traffic(Product {
            run,
            operands: operands.at(at),
        });
    });
}

/// `C <- beta * C`, on up to `width` threads: what an empty sum leaves.
///
/// # Safety
///
/// As for `Prepared::run`; A and B are not touched.
pub(crate) unsafe fn scale<T: Scalar>(
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
    in_runs(axes, width, team, |at, run| {
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
    f: impl Fn(Offset, Axis) + Sync,
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
    team.for_ranges(tasks, width, each);
}

/// One run.
struct Product<T> {
    run: Axis,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Product<T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Product { run, operands } = self;
        let Operands { a, b, c, scale } = operands;
        let update = scale.update();
        let conj = (scale.conj_a, scale.conj_b);
        // SAFETY: elements of the run, by the promise of `product`.
        unsafe {
            match (run.a, run.b, run.c) {
                (1, 1, 1) => {
                    for i in 0..run.len {
                        update.apply(c.add(i), term(conj, *a.add(i), *b.add(i)));
                    }
                }
                (1, 0, 1) => {
                    let b = *b;
                    for i in 0..run.len {
                        update.apply(c.add(i), term(conj, *a.add(i), b));
                    }
                }
                (0, 1, 1) => {
                    let a = *a;
                    for i in 0..run.len {
                        update.apply(c.add(i), term(conj, a, *b.add(i)));
                    }
                }
                _ => {
                    for i in 0..run.len {
                        let i = i as isize;
                        update.apply(
                            c.offset(i * run.c),
                            term(conj, *a.offset(i * run.a), *b.offset(i * run.b)),
                        );
                    }
                }
            }
        }
    }
}

/// One product.
#[inline(always)]
fn term<T: Scalar>((conj_a, conj_b): (bool, bool), a: T, b: T) -> T {
    let a = if conj_a { T::conj(a) } else { a };
    let b = if conj_b { T::conj(b) } else { b };
    T::mul(a, b)
}
