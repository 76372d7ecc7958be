//! Copies and transpositions.
//!
//! Where C and A are densest along the same axis, C is filled in runs along it. Elsewhere it is a transposition in
//! the general sense: the axes on which C is densest (P) and those on which A is (Q) are gathered until each group
//! has a tile's worth of points. Tiles of P x Q are read in whole cache lines along Q and written in whole cache lines
//! along P, whatever the rank: full ones in squares that fit the registers, the others through a small buffer.

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
/// Tiles of P and of Q in a block.
const GROUP: usize = 8;
/// Bytes of the largest elements for which a tile of them is worth its place on the stack.
const WIDE: usize = 32;
/// Elements below which tiles are not set up.
const FEW: usize = 256;
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
    if let Some((c_dense, a_dense)) = transposed(axes, size_of::<T>()) {
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
fn transposed(axes: &[Axis], bytes: usize) -> Option<(usize, usize)> {
    if bytes > WIDE || size(axes) < FEW {
        return None;
    }
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

/// A transposition in tiles, in blocks of up to `GROUP x GROUP` of them.
///
/// Every row of a tile is on another page. Tiles follow one another along P, so that the rows of C that are being
/// written stay the same few pages, and a block ends before the address translations of the rows of A are forgotten.
unsafe fn in_tiles<T: Scalar>(
    axes: &[Axis],
    c_dense: usize,
    a_dense: usize,
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let (outer, q, p) = groups(axes, c_dense, a_dense);
    let q_blocks = size(&q).div_ceil(TILE * GROUP);
    let p_blocks = size(&p).div_ceil(TILE * GROUP);
    let points = size(&outer);
    let width = width.min(team.threads());
    // A task is one block at one point of the outer loops.
    team.for_ranges(q_blocks * p_blocks * points, width, |range| {
        let mut sides = Sides::new();
        for block in range.start / points..range.end.div_ceil(points) {
            sides.q.fill(&q, block / p_blocks);
            sides.p.fill(&p, block % p_blocks);
            let first = block * points;
            let part = range.start.max(first) - first..range.end.min(first + points) - first;
            walk(&outer, part, &mut |at| {
                // SAFETY: a point of the outer loops.
                let operands = unsafe { operands.at(at) };
                for q in sides.q.tiles() {
                    for p in sides.p.tiles() {
                        // A tile of C, by the promise of `copy`; no other task has it.
                        vectorize_traffic(Transpose { q, p, operands });
                    }
                }
            });
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

/// Offsets in A and C of the points of one group that a tile has.
struct Side {
    len: usize,
    a: [isize; TILE],
    c: [isize; TILE],
}

/// The tiles of one group in a block.
struct Group {
    tiles: usize,
    sides: [Side; GROUP],
}

impl Group {
    const fn new() -> Group {
        const SIDE: Side = Side {
            len: 0,
            a: [0; TILE],
            c: [0; TILE],
        };
        Group {
            tiles: 0,
            sides: [SIDE; GROUP],
        }
    }

    /// The points of block `block`.
    fn fill(&mut self, axes: &[Axis], block: usize) {
        let first = block * TILE * GROUP;
        let len = (size(axes) - first).min(TILE * GROUP);
        self.tiles = len.div_ceil(TILE);
        let mut point = 0;
        walk(axes, first..first + len, &mut |at| {
            let side = &mut self.sides[point / TILE];
            side.a[point % TILE] = at.a;
            side.c[point % TILE] = at.c;
            side.len = point % TILE + 1;
            point += 1;
        });
    }

    fn tiles(&self) -> &[Side] {
        &self.sides[..self.tiles]
    }
}

/// The tiles of a block.
struct Sides {
    q: Group,
    p: Group,
}

impl Sides {
    fn new() -> Sides {
        Sides {
            q: Group::new(),
            p: Group::new(),
        }
    }
}

/// Whether the offsets are those of consecutive elements.
fn is_unit(offsets: &[isize]) -> bool {
    offsets.windows(2).all(|pair| pair[1] - pair[0] == 1)
}

/// One tile: A along Q into the buffer, the buffer along P into C.
struct Transpose<'a, T> {
    q: &'a Side,
    p: &'a Side,
    operands: Operands<T>,
}

impl<T: Scalar> Vectorize for Transpose<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Transpose { q, p, operands } = self;
        let Operands { a, c, scale, .. } = operands;
        let update = scale.update();
        let plain = matches!(update, Update::Store { alpha: None }) && !scale.conj_a;
        if plain && q.len == TILE && p.len == TILE && is_unit(&q.a) && is_unit(&p.c) {
            // SAFETY: a full tile, dense in A along Q and in C along P.
            return unsafe { squares(q, p, a, c) };
        }
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

/// A full tile in squares that fit the registers.
///
/// # Safety
///
/// The tile is full, `q.a` and `p.c` are offsets of consecutive elements, and all of it is readable in A and writable in C.
#[inline(always)]
unsafe fn squares<T: Scalar>(q: &Side, p: &Side, a: *const T, c: *mut T) {
    const SQUARE: usize = 8;
    for i in (0..TILE).step_by(SQUARE) {
        for j in (0..TILE).step_by(SQUARE) {
            let mut rows = [[T::ZERO; SQUARE]; SQUARE];
            for (row, &at) in rows.iter_mut().zip(&p.a[i..]) {
                // SAFETY: the caller's promise.
                *row = unsafe { a.offset(at + q.a[j]).cast::<[T; SQUARE]>().read() };
            }
            for (x, &at) in q.c[j..j + SQUARE].iter().enumerate() {
                let column: [T; SQUARE] = core::array::from_fn(|y| rows[y][x]);
                // SAFETY: the caller's promise.
                unsafe { c.offset(at + p.c[i]).cast::<[T; SQUARE]>().write(column) };
            }
        }
    }
}
