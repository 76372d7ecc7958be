//! Transpositions of any rank in blocks.
//!
//! The axes on which C is densest (P) and those on which A is (Q) are gathered until each group has a block's worth of
//! points, and what is left are outer loops: whatever the rank, it is a matrix of P by Q with an offset for each row
//! and each column.

use core::mem::MaybeUninit;

use cteinsum_plan::sort_by;

use super::axis::{Axis, AxisList, size};
use super::team::Team;
use super::walk::{Offset, walk};

/// Points of P and of Q in a block: before it ends, the address translations of its rows are not forgotten.
pub(crate) const POINTS: usize = 512;
/// Points of a group that are few, so that it takes another axis even if that does not follow in memory: strips have no
/// use for a shorter run.
const FEW: usize = 8;
/// The points before those of a block that are known, too: a line of bytes.
const BEFORE: usize = 64;

/// Calls `block` with the points of Q and of P, the length of the run in C that P is (of which each block has a part; 0 if
/// it is none), and a point of the outer loops, on up to `width` threads. `densest` are the axes on which C and A are.
pub(crate) fn in_blocks(
    axes: &[Axis],
    densest: [usize; 2],
    width: usize,
    team: &mut Team,
    block: &(dyn Fn(&Points, &Points, usize, Offset) + Sync),
) {
    let (outer, q, p) = groups(axes, densest);
    let run = if is_run(&p) { size(&p) } else { 0 };
    let p_blocks = size(&p).div_ceil(POINTS);
    let points = size(&outer);
    let width = width.min(team.threads());
    // Smaller ones where there is not one for every thread.
    let mut q_step = POINTS;
    while width > 1 && q_step > BEFORE && size(&q).div_ceil(q_step) * p_blocks * points < 4 * width
    {
        q_step /= 2;
    }
    let q_blocks = size(&q).div_ceil(q_step);
    // A task is one block at one point of the outer loops.
    team.for_ranges(q_blocks * p_blocks * points, width, &|range| {
        let (mut q_points, mut p_points) = (Points::new(), Points::new());
        for at in range.start / points..range.end.div_ceil(points) {
            q_points.fill(&q, at / p_blocks, q_step);
            p_points.fill(&p, at % p_blocks, POINTS);
            let first = at * points;
            let part = range.start.max(first) - first..range.end.min(first + points) - first;
            walk(&outer, part, &mut |at| block(&q_points, &p_points, run, at));
        }
    });
}

/// Whether the points of the group are consecutive elements of C.
fn is_run(p: &[Axis]) -> bool {
    let mut next = 1;
    p.iter().rev().all(|axis| {
        let follows = axis.c == next;
        next = next.saturating_mul(axis.len as isize);
        follows
    })
}

/// Splits the axes into outer loops, Q (dense in A) and P (dense in C).
fn groups(axes: &[Axis], [c_dense, a_dense]: [usize; 2]) -> (AxisList, AxisList, AxisList) {
    let mut rest: AxisList = axes
        .iter()
        .enumerate()
        .filter(|&(i, _)| i != c_dense && i != a_dense)
        .map(|(_, &axis)| axis)
        .collect();
    let mut p = AxisList::from([axes[c_dense]]);
    let mut q = AxisList::from([axes[a_dense]]);
    for (group, stride) in [
        (&mut p, (|axis| axis.c) as fn(&Axis) -> isize),
        (&mut q, |axis| axis.a),
    ] {
        while let Some(next) = (0..rest.len()).min_by_key(|&i| stride(&rest[i]).unsigned_abs()) {
            let (points, last) = (size(group), group[group.len() - 1]);
            let follows = stride(&last).checked_mul(last.len as isize) == Some(stride(&rest[next]));
            if points >= if follows { POINTS } else { FEW } {
                break;
            }
            group.push(rest.swap_remove(next));
        }
        // Innermost (densest) last.
        group.reverse();
    }
    let key = |axis: &Axis| (axis.c.unsigned_abs(), axis.a);
    sort_by(&mut rest, |a, b| key(a) > key(b));
    (rest, q, p)
}

/// Offsets in A and C of the points of one group that a block has, and of up to `BEFORE` points before them.
pub(crate) struct Points {
    before: usize,
    len: usize,
    a: [MaybeUninit<isize>; BEFORE + POINTS],
    c: [MaybeUninit<isize>; BEFORE + POINTS],
    /// Whether the block has the last points of the group.
    pub(crate) last: bool,
}

impl Points {
    const fn new() -> Points {
        Points {
            before: 0,
            len: 0,
            a: [const { MaybeUninit::uninit() }; BEFORE + POINTS],
            c: [const { MaybeUninit::uninit() }; BEFORE + POINTS],
            last: false,
        }
    }

    /// The points of block `block` of `step` points.
    fn fill(&mut self, axes: &[Axis], block: usize, step: usize) {
        let (first, all) = (block * step, size(axes));
        self.before = first.min(BEFORE);
        self.len = step.min(all - first);
        self.last = first + self.len == all;
        let mut point = 0;
        walk(axes, first - self.before..first + self.len, &mut |at| {
            self.a[point].write(at.a);
            self.c[point].write(at.c);
            point += 1;
        });
        assert!(point == self.before + self.len);
    }

    /// The number of points before those of the block that are known.
    pub(crate) fn before(&self) -> usize {
        self.before
    }

    /// The offsets in A: of the points before the block, and of those in it.
    pub(crate) fn a(&self) -> &[isize] {
        // SAFETY: `fill` has written so many.
        unsafe { self.a[..self.before + self.len].assume_init_ref() }
    }

    /// The offsets in C, as in [`a`](Points::a).
    pub(crate) fn c(&self) -> &[isize] {
        // SAFETY: `fill` has written so many.
        unsafe { self.c[..self.before + self.len].assume_init_ref() }
    }
}

/// Calls `f` with the offsets in A and C of every element of a block, in tiles that fit the level-1 cache, so that the
/// order within them matters little.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn by_elements(q: &Points, p: &Points, mut f: impl FnMut(isize, isize)) {
    const TILE: usize = 32;
    let tiles = |points: &Points| (points.before..points.a().len()).step_by(TILE);
    for j0 in tiles(q) {
        for i0 in tiles(p) {
            for j in j0..q.a().len().min(j0 + TILE) {
                for i in i0..p.a().len().min(i0 + TILE) {
                    f(q.a()[j] + p.a()[i], q.c()[j] + p.c()[i]);
                }
            }
        }
    }
}
