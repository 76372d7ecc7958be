//! Copies and transpositions.
//!
//! Where C and A are densest along the same axis, C is filled in runs along it. Elsewhere it is a transposition in
//! the general sense: the axes on which C is densest (P) and those on which A is (Q) are gathered until each group
//! has a tile's worth of points, and tiles of P x Q go through a small buffer that stays in the level-1 cache. Reads
//! are whole cache lines along Q, writes are whole cache lines along P, whatever the rank.

use core::mem::MaybeUninit;

use super::axis::{Axis, AxisList, size};
use super::elementwise::in_runs;
use super::isa::{Isa, Vectorize, vectorize_traffic};
use super::operands::Operands;
use super::scale::Update;
use super::team::Team;
use super::walk::walk;
use crate::scalar::Scalar;

/// Points of P and of Q in a tile.
const TILE: usize = 32;
/// Runs at least this long need no tiles.
const LONG: usize = 16;

/// `C <- alpha * A + beta * C`, on up to `width` threads.
///
/// # Safety
///
/// As for `Prepared::run`.
pub(crate) unsafe fn copy<T: Scalar>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    if let Some((c_dense, a_dense)) = transposed(axes) {
        // SAFETY: the caller's promise.
        unsafe { in_tiles(axes, c_dense, a_dense, operands, width, team) }
    } else {
        // SAFETY: the caller's promise, for each run of C.
        in_runs(axes, width, team, |at, run| unsafe {
            vectorize_traffic(Run {
                run,
                operands: operands.at(at),
            });
        });
    }
}

/// The axes on which C and A are densest, if tiles pay: they differ, and the runs along the one of C would be short or
/// jump in A.
fn transposed(axes: &[Axis]) -> Option<(usize, usize)> {
    let densest = |stride: fn(&Axis) -> isize| {
        (0..axes.len())
            .filter(|&i| stride(&axes[i]) != 0)
            .min_by_key(|&i| stride(&axes[i]).unsigned_abs())
    };
    let c_dense = densest(|axis| axis.c)?;
    let a_dense = densest(|axis| axis.a)?;
    let broadcast = axes[c_dense].a == 0 && axes[c_dense].len >= LONG;
    (c_dense != a_dense && !broadcast).then_some((c_dense, a_dense))
}

/// One run along the axis on which C is densest.
struct Run<T> {
    run: Axis,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Run<T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Run { run, operands } = self;
        let Operands { a, c, scale, .. } = operands;
        let update = scale.update();
        // SAFETY: elements of the run, by the promise of `copy`; C does not overlap A.
        unsafe {
            match (run.a, run.c, update, scale.conj_a) {
                (1, 1, Update::Store { alpha: None }, false) => {
                    core::ptr::copy_nonoverlapping(a, c, run.len);
                }
                (1, 1, update, false) => {
                    for i in 0..run.len {
                        update.apply(c.add(i), *a.add(i));
                    }
                }
                (0, 1, update, conj) => {
                    let a = if conj { T::conj(*a) } else { *a };
                    for i in 0..run.len {
                        update.apply(c.add(i), a);
                    }
                }
                (_, _, update, conj) => {
                    for i in 0..run.len as isize {
                        let a = *a.offset(i * run.a);
                        update.apply(c.offset(i * run.c), if conj { T::conj(a) } else { a });
                    }
                }
            }
        }
    }
}

/// A transposition in tiles.
unsafe fn in_tiles<T: Scalar>(
    axes: &[Axis],
    c_dense: usize,
    a_dense: usize,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let (outer, q, p) = groups(axes, c_dense, a_dense);
    let (q_points, p_points) = (size(&q), size(&p));
    let (q_tiles, p_tiles) = (q_points.div_ceil(TILE), p_points.div_ceil(TILE));
    let per_point = q_tiles * p_tiles;
    let tasks = size(&outer) * per_point;
    let width = width.min(team.threads());
    team.for_ranges(tasks, width, |range| {
        let mut tile = TileOffsets::new();
        // P tiles change fastest: neighbouring writes.
        for q_tile in 0..q_tiles {
            tile.q.fill(&q, q_tile);
            for p_tile in 0..p_tiles {
                let task = q_tile * p_tiles + p_tile;
                let from = range.start.saturating_sub(task).div_ceil(per_point);
                let to = range.end.saturating_sub(task).div_ceil(per_point);
                if from >= to {
                    continue;
                }
                tile.p.fill(&p, p_tile);
                walk(&outer, from..to, &mut |at| {
                    // SAFETY: a tile of C, by the promise of `copy`; no other task has it.
                    unsafe {
                        vectorize_traffic(Transpose {
                            tile: &tile,
                            operands: operands.at(at),
                        });
                    }
                });
            }
        }
    });
}

/// Splits the axes into outer loops, Q (dense in A) and P (dense in C).
///
/// Each group takes the next densest axis while it has fewer points than a tile.
fn groups(axes: &[Axis], c_dense: usize, a_dense: usize) -> (AxisList, AxisList, AxisList) {
    let mut rest: AxisList = axes
        .iter()
        .enumerate()
        .filter(|&(i, _)| i != c_dense && i != a_dense)
        .map(|(_, &axis)| axis)
        .collect();
    let mut p = AxisList::from([axes[c_dense]]);
    let mut q = AxisList::from([axes[a_dense]]);
    for (group, stride) in [
        (
            &mut p,
            (|axis: &Axis| axis.c.unsigned_abs()) as fn(&Axis) -> usize,
        ),
        (&mut q, |axis: &Axis| axis.a.unsigned_abs()),
    ] {
        while size(group) < TILE {
            let Some(next) = (0..rest.len()).min_by_key(|&i| stride(&rest[i])) else {
                break;
            };
            group.push(rest.swap_remove(next));
        }
        // Innermost (densest) last.
        group.reverse();
    }
    rest.sort_unstable_by_key(|axis| core::cmp::Reverse((axis.c.unsigned_abs(), axis.a)));
    (rest, q, p)
}

/// Offsets in A and C of up to a tile's points of one group.
struct Side {
    len: usize,
    a: [isize; TILE],
    c: [isize; TILE],
}

impl Side {
    fn new() -> Side {
        Side {
            len: 0,
            a: [0; TILE],
            c: [0; TILE],
        }
    }

    fn fill(&mut self, axes: &[Axis], tile: usize) {
        let first = tile * TILE;
        let range = first..size(axes).min(first + TILE);
        self.len = 0;
        walk(axes, range, &mut |at| {
            self.a[self.len] = at.a;
            self.c[self.len] = at.c;
            self.len += 1;
        });
    }
}

struct TileOffsets {
    q: Side,
    p: Side,
}

impl TileOffsets {
    fn new() -> TileOffsets {
        TileOffsets {
            q: Side::new(),
            p: Side::new(),
        }
    }
}

/// Whether the offsets are those of consecutive elements.
fn is_unit(offsets: &[isize]) -> bool {
    offsets.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

/// One tile: A along Q into the buffer, the buffer along P into C.
struct Transpose<'a, T> {
    tile: &'a TileOffsets,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Transpose<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let TileOffsets { q, p } = self.tile;
        let Operands { a, c, scale, .. } = self.operands;
        let update = scale.update();
        let mut buffer = [[MaybeUninit::<T>::uninit(); TILE]; TILE];
        let full = q.len == TILE && is_unit(&q.a);
        for (i, &at) in p.a[..p.len].iter().enumerate() {
            // SAFETY: elements of A, by the promise of `copy`.
            let row = unsafe { a.offset(at) };
            if full {
                // SAFETY: as above; the offsets of Q are consecutive.
                let row = unsafe { &*row.offset(q.a[0]).cast::<[T; TILE]>() };
                for (j, &value) in row.iter().enumerate() {
                    buffer[j][i].write(value);
                }
            } else {
                for (j, &at) in q.a[..q.len].iter().enumerate() {
                    // SAFETY: as above.
                    buffer[j][i].write(unsafe { *row.offset(at) });
                }
            }
        }
        let plain = matches!(update, Update::Store { alpha: None }) && !scale.conj_a;
        let run = is_unit(&p.c[..p.len]) && plain;
        for (line, &at) in buffer.iter().zip(&q.c[..q.len]) {
            // SAFETY: the first `p.len` of the line were written above; elements of C, by the promise of `copy`.
            unsafe {
                let c = c.offset(at);
                if run {
                    core::ptr::copy_nonoverlapping(line.as_ptr().cast(), c.offset(p.c[0]), p.len);
                } else {
                    for (value, &at) in line.iter().zip(&p.c[..p.len]) {
                        let value = value.assume_init();
                        update.apply(
                            c.offset(at),
                            if scale.conj_a { T::conj(value) } else { value },
                        );
                    }
                }
            }
        }
    }
}
