//! Copies and transpositions.
//!
//! Where C and A are densest along the same axis, C is filled in runs along it. Elsewhere it is a transposition in
//! the general sense: the axes on which C is densest (P) and those on which A is (Q) are gathered until each group
//! has a tile's worth of points. Tiles of P x Q are read in whole cache lines along Q and written in whole cache lines
//! along P, whatever the rank: in squares that fit the registers where both are runs, else through a small buffer.

use core::mem::MaybeUninit;

use cteinsum_plan::sort_by;

use super::OPTIMISED;
use super::axis::{Axis, AxisList, size};
use super::elementwise::in_runs;
use super::isa::{Isa, Level, Vectorize, vectorize};
use super::operands::Operands;
use super::square::square_of_eight;
use super::team::Team;
use super::walk::{Offset, walk};
use crate::element::Element;

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
pub(crate) unsafe fn copy<T: Element>(
    axes: &[Axis],
    operands: Operands<T>,
    width: usize,
    team: &mut Team,
) {
    let conj = const { !T::KIND.is_real() } && operands.scale.conj_a;
    if operands.scale.update().is_plain() && !conj {
        let Operands { a, c, .. } = operands;
        // A plain copy moves bits: one function for all types of a size. `MaybeUninit` allows for padding.
        macro_rules! as_bits {
            ($($bits:ty)*) => {$(
                if const { size_of::<T>() == size_of::<$bits>() } {
                    let of = Bits::<MaybeUninit<$bits>> { a: a.cast(), c: c.cast() };
                    // SAFETY: the caller's promise; `Bits` asks for no alignment.
                    return unsafe { bits(axes, of, width, team) };
                }
            )*};
        }
        as_bits!(u8 u16 u32 u64 u128);
        // SAFETY: the caller's promise.
        return unsafe { bits(axes, Bits { a, c }, width, team) };
    }
    if const { OPTIMISED }
        && let Some((c_dense, a_dense)) = transposed(axes, size_of::<T>())
    {
        in_tiles(axes, c_dense, a_dense, width, team, &|q, p, at| {
            // SAFETY: a tile of C, by the caller's promise; no other task has it.
            unsafe { tile_with_factors(q, p, operands.at(at)) };
        });
    } else {
        in_runs(axes, width, team, &|at, run| {
            // SAFETY: a run of C, by the caller's promise; no other task has it.
            unsafe { run_with_factors(run, operands.at(at)) };
        });
    }
}

/// Source and destination of a plain copy.
#[derive(Clone, Copy)]
struct Bits<U> {
    a: *const U,
    c: *mut U,
}

// SAFETY: pointers to elements that are themselves `Send`; every piece of a copy writes elements of its own.
unsafe impl<U: Send> Send for Bits<U> {}
// SAFETY: as for `Send`; a shared `Bits` is only copied.
unsafe impl<U: Send + Sync> Sync for Bits<U> {}

impl<U: Copy> Bits<U> {
    /// The same arrays seen from another point.
    ///
    /// # Safety
    ///
    /// The offsets stay inside the arrays.
    unsafe fn at(self, at: Offset) -> Bits<U> {
        // SAFETY: the caller's promise.
        unsafe {
            Bits {
                a: self.a.offset(at.a),
                c: self.c.offset(at.c),
            }
        }
    }
}

/// `C <- A`.
///
/// # Safety
///
/// As for `Prepared::run`, but the pointers need not be aligned.
#[inline(never)]
unsafe fn bits<U: Copy + Send + Sync>(axes: &[Axis], of: Bits<U>, width: usize, team: &mut Team) {
    if let Some((c_dense, a_dense)) = transposed(axes, size_of::<U>()) {
        in_tiles(axes, c_dense, a_dense, width, team, &|q, p, at| {
            vectorize(Transpose {
                q,
                p,
                // SAFETY: a tile, by the caller's promise; no other task writes it.
                of: unsafe { of.at(at) },
            });
        });
    } else {
        in_runs(axes, width, team, &|at, run| {
            // SAFETY: a run, by the caller's promise; no other task writes it.
            unsafe { run_of_bits(run, of.at(at)) };
        });
    }
}

/// One run along the axis on which C is densest.
unsafe fn run_of_bits<U: Copy>(run: Axis, Bits { a, c }: Bits<U>) {
    // SAFETY: elements of the run, by the promise of `bits`; C does not overlap A.
    unsafe {
        match (run.a, run.c) {
            (1, 1) => {
                let bytes = run.len * size_of::<U>();
                core::ptr::copy_nonoverlapping(a.cast::<u8>(), c.cast::<u8>(), bytes);
            }
            (0, 1) => {
                let a = a.read_unaligned();
                for i in 0..run.len {
                    c.add(i).write_unaligned(a);
                }
            }
            _ => {
                for i in 0..run.len as isize {
                    c.offset(i * run.c)
                        .write_unaligned(a.offset(i * run.a).read_unaligned());
                }
            }
        }
    }
}

/// Elements that wait for `alpha` and `beta` at once.
const BUFFER: usize = 64;

/// One run with factors or conjugates: gathered in a buffer where that is needed.
unsafe fn run_with_factors<T: Element>(run: Axis, operands: Operands<T>) {
    let Operands { a, c, scale, .. } = operands;
    let update = scale.update();
    let conj = const { !T::KIND.is_real() } && scale.conj_a;
    // SAFETY: elements of the run, by the promise of `copy`; the buffer is read where it was written.
    unsafe {
        if run.a == 1 && !conj {
            return update.run(c, run.c, a, run.len);
        }
        let mut buffer = [const { MaybeUninit::<T>::uninit() }; BUFFER];
        for start in (0..run.len).step_by(BUFFER) {
            let len = BUFFER.min(run.len - start);
            for (i, value) in buffer[..len].iter_mut().enumerate() {
                let a = *a.offset((start + i) as isize * run.a);
                value.write(if conj { T::conj(a) } else { a });
            }
            let c = c.offset(start as isize * run.c);
            update.run(c, run.c, buffer.as_ptr().cast(), len);
        }
    }
}

/// One tile with factors or conjugates. It fits the level-1 cache, so that the order within it matters little.
unsafe fn tile_with_factors<T: Element>(q: &Side, p: &Side, operands: Operands<T>) {
    let Operands { a, c, scale, .. } = operands;
    let update = scale.update();
    let conj = const { !T::KIND.is_real() } && scale.conj_a;
    for j in 0..q.len {
        for i in 0..p.len {
            // SAFETY: elements of the tile, by the promise of `copy`.
            unsafe {
                let a = *a.offset(q.a[j] + p.a[i]);
                let a = if conj { T::conj(a) } else { a };
                update.apply(c.offset(q.c[j] + p.c[i]), a);
            }
        }
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

/// A transposition in tiles (Q, P, and a point of the outer loops), in blocks of up to `GROUP x GROUP` of them.
///
/// Every row of a tile is on another page. Tiles follow one another along P, so that the rows of C that are being
/// written stay the same few pages, and a block ends before the address translations of the rows of A are forgotten.
fn in_tiles(
    axes: &[Axis],
    c_dense: usize,
    a_dense: usize,
    width: usize,
    team: &mut Team,
    tile: &(dyn Fn(&Side, &Side, Offset) + Sync),
) {
    let (outer, q, p) = groups(axes, c_dense, a_dense);
    let q_blocks = size(&q).div_ceil(TILE * GROUP);
    let p_blocks = size(&p).div_ceil(TILE * GROUP);
    let points = size(&outer);
    let width = width.min(team.threads());
    // A task is one block at one point of the outer loops.
    team.for_ranges(q_blocks * p_blocks * points, width, &|range| {
        let mut sides = Sides::new();
        for block in range.start / points..range.end.div_ceil(points) {
            sides.q.fill(&q, block / p_blocks);
            sides.p.fill(&p, block % p_blocks);
            let first = block * points;
            let part = range.start.max(first) - first..range.end.min(first + points) - first;
            walk(&outer, part, &mut |at| {
                for q in sides.q.tiles() {
                    for p in sides.p.tiles() {
                        tile(q, p, at);
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
    let key = |axis: &Axis| (axis.c.unsigned_abs(), axis.a);
    sort_by(&mut rest, |a, b| key(a) > key(b));
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
struct Transpose<'a, U> {
    q: &'a Side,
    p: &'a Side,
    of: Bits<U>,
}

impl<U: Copy> Vectorize for Transpose<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx2;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let Transpose { q, p, of } = self;
        let Bits { a, c } = of;
        if const { OPTIMISED } && is_unit(&q.a[..q.len]) && is_unit(&p.c[..p.len]) {
            // SAFETY: a tile, dense in A along Q and in C along P.
            return unsafe { squares::<U, I>(q, p, a, c) };
        }
        // SAFETY: a tile.
        unsafe { through_buffer(q, p, a, c) }
    }
}

/// A tile of any form.
///
/// # Safety
///
/// All of the tile is readable in A and writable in C.
#[inline(never)]
unsafe fn through_buffer<U: Copy>(q: &Side, p: &Side, a: *const U, c: *mut U) {
    let mut buffer = [[const { MaybeUninit::<U>::uninit() }; TILE]; TILE];
    for (i, &at) in p.a[..p.len].iter().enumerate() {
        // SAFETY: elements of A, by the caller's promise.
        unsafe {
            let row = a.offset(at);
            for (line, &at) in buffer.iter_mut().zip(&q.a[..q.len]) {
                line[i].write(row.offset(at).read_unaligned());
            }
        }
    }
    let run = is_unit(&p.c[..p.len]);
    let bytes = p.len * size_of::<U>();
    for (line, &at) in buffer.iter().zip(&q.c[..q.len]) {
        // SAFETY: the first `p.len` of the line were written above; elements of C, by the caller's promise.
        unsafe {
            let c = c.offset(at);
            if run {
                let to = c.offset(p.c[0]).cast::<u8>();
                core::ptr::copy_nonoverlapping(line.as_ptr().cast::<u8>(), to, bytes);
            } else {
                for (value, &at) in line.iter().zip(&p.c[..p.len]) {
                    c.offset(at).write_unaligned(value.assume_init());
                }
            }
        }
    }
}

/// A tile in squares that fit the registers, and what is left of it element by element.
///
/// # Safety
///
/// `q.a` and `p.c` are offsets of consecutive elements, and all of the tile is readable in A and writable in C; the machine has
/// the instructions of `I`.
#[cfg_attr(optimised, inline(always))]
unsafe fn squares<U: Copy, I: Isa>(q: &Side, p: &Side, a: *const U, c: *mut U) {
    const SQUARE: usize = 8;
    let [q_whole, p_whole] = [q.len, p.len].map(|len| len - len % SQUARE);
    for i in (0..p_whole).step_by(SQUARE) {
        for j in (0..q_whole).step_by(SQUARE) {
            // SAFETY: the caller's promise.
            unsafe {
                let rows = core::array::from_fn(|y| a.offset(p.a[i + y] + q.a[j]));
                let columns = core::array::from_fn(|x| c.offset(q.c[j + x] + p.c[i]));
                square_of_eight::<U, I>(rows, columns);
            }
        }
    }
    for j in 0..q.len {
        let done = if j < q_whole { p_whole } else { 0 };
        for i in done..p.len {
            // SAFETY: the caller's promise.
            unsafe {
                let from = a.offset(p.a[i] + q.a[j]);
                c.offset(q.c[j] + p.c[i])
                    .write_unaligned(from.read_unaligned());
            }
        }
    }
}
