//! One block of a transposition, for the elements that a cache line holds several of.
//!
//! Where C is large, or is made of whole squares of lines, it is cut into strips of a few lines along P and tiles of a line
//! of A or two along Q. What a strip has of each row of C ends where a line does, so that every line but those at the ends
//! of the runs is written once and whole: past the caches where C is large (otherwise each would be read before it is
//! written), else after it was asked for in time, because no prefetcher of the hardware foresees rows of C. Where rows
//! begin at different places in their lines, and at the ends, a strip goes through a buffer that stays in the level-1
//! cache. Elsewhere squares go straight from A to C (`tiles`).

use core::mem::MaybeUninit;
use core::ops::Range;

mod tiles;

use self::tiles::in_tiles;
use super::OPTIMISED;
use super::blocks::{POINTS, Points, by_elements};
use super::isa::{Isa, Level, Vectorize};
use super::square::{lines, lines_of, square_of_eight};

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Bytes of each row of C that a strip has.
const STRIP: usize = 256;
/// Bytes of C from which it is written in whole lines.
pub(crate) const WHOLE: usize = 1 << 17;
/// Bytes of C up to which squares of whole lines are written one after the other, not in tiles.
const NEAR: usize = 1 << 21;
/// Bytes of C from which it is written past the caches, which saves reading it first. Below, who reads it right afterwards
/// waits longer than was saved.
pub(crate) const STREAMED: usize = 1 << 23;
/// Bytes of a run in C from which the lines at its ends, which two runs may share, are few.
const LONG: usize = 1024;
/// Points of Q in a square.
const SQUARE: usize = 8;
/// Points of Q in a tile that is not written past the caches, at least.
const WIDE: usize = 16;

/// `C <- A` in one block.
pub(crate) struct Transpose<'a, U> {
    pub(crate) q: &'a Points,
    pub(crate) p: &'a Points,
    /// How many points P has in all if they are consecutive elements of C, else 0.
    pub(crate) run: usize,
    /// Bytes of C in all.
    pub(crate) bytes: usize,
    pub(crate) a: *const U,
    pub(crate) c: *mut U,
}

impl<U: Copy> Vectorize for Transpose<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        if const { OPTIMISED && size_of::<U>().is_power_of_two() && size_of::<U>() <= 16 }
            && self.run >= SQUARE
        {
            // SAFETY: a block, by the promise of who made `self`.
            return unsafe { strips::<U, I>(&self) };
        }
        let Transpose { q, p, a, c, .. } = self;
        by_elements(q, p, |from, to| {
            // SAFETY: elements of the block.
            unsafe {
                c.offset(to)
                    .write_unaligned(a.offset(from).read_unaligned())
            };
        });
    }
}

/// A line of bytes, and its alignment.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([MaybeUninit<u8>; LINE]);

/// Rows of a strip on their way from A to C, each with one line more than it has to be: rows of C begin at different places
/// in their lines.
type Buffer = [[Line; STRIP / LINE + 1]; LINE];

/// Points of Q that are gathered at once.
#[derive(Clone, Copy)]
struct Tile {
    /// Of the block's points, from 0: where it starts and ends.
    start: usize,
    end: usize,
    /// By how many elements its rows of C are past the start of a line where P begins: the least and the most.
    shifts: [usize; 2],
    /// Whether its points are consecutive elements of A.
    dense: bool,
    /// The pitch of its rows in C, if they have one.
    pitch: Option<isize>,
}

/// Points of P that are gathered at once, counted from the first known.
#[derive(Clone, Copy)]
struct Strip {
    /// A row that is `shift` elements past the start of a line has `start - shift..end - shift`.
    start: usize,
    end: usize,
    /// The first strip of P starts, and the last ends, where P does.
    first: bool,
    last: bool,
    /// The pitch of its rows in A, if they have one.
    pitch: Option<isize>,
}

impl Strip {
    fn part(&self, shift: usize) -> Range<usize> {
        let start = if self.first { 0 } else { self.start - shift };
        start..if self.last {
            self.end
        } else {
            self.end - shift
        }
    }
}

/// The block in strips.
///
/// # Safety
///
/// The block is readable in A and writable in C; the points of P are consecutive elements of C; the machine has the
/// instructions of `I`; elements are of a power of two bytes, at most 16.
#[cfg_attr(optimised, inline(always))]
unsafe fn strips<U: Copy, I: Isa>(block: &Transpose<'_, U>) {
    let &Transpose { q, p, a, c, .. } = block;
    let size = const { size_of::<U>() };
    let line = const { LINE / size_of::<U>() };
    // Where C is a part of an element past its place, there are no whole lines.
    let run = block.run.saturating_mul(size);
    let whole = block.bytes >= WHOLE && run >= STRIP && (c as usize).is_multiple_of(size);
    let stream = whole && block.bytes >= STREAMED && run >= LONG;
    let place = (c as usize / size).wrapping_add_signed(p.c()[p.before()]);
    let shift = |to: isize| match whole {
        true => place.wrapping_add_signed(to) % line,
        false => 0,
    };
    let (q_a, q_c) = (&q.a()[q.before()..], &q.c()[q.before()..]);
    // Past the caches, a row of C in a strip is written at once, and tiles begin where lines of A do. Elsewhere rows of
    // C follow one another in turns, as lines of A do.
    let wide = line.max(if stream { SQUARE } else { WIDE });
    let late = match stream {
        true => (a as usize / size).wrapping_add_signed(q_a[0] + p.a()[p.before()]) % line,
        false => 0,
    };
    let mut tiles = List::<Tile, { POINTS / SQUARE + 1 }>::new();
    let mut shifts = [line, 0];
    let mut start = 0;
    while start < q_a.len() {
        let to_line = start == 0 && late > 0;
        let end = (start + if to_line { line - late } else { wide }).min(q_a.len());
        let mut of_tile = [line, 0];
        for &to in &q_c[start..end] {
            let shift = shift(to);
            of_tile = [of_tile[0].min(shift), of_tile[1].max(shift)];
        }
        shifts = [shifts[0].min(of_tile[0]), shifts[1].max(of_tile[1])];
        tiles.push(Tile {
            start,
            end,
            shifts: of_tile,
            dense: pitch(&q_a[start..end]) == Some(1),
            pitch: pitch(&q_c[start..end]),
        });
        start = end;
    }
    // Whole squares of whole lines, asked for one square ahead, are a tenth ahead of tiles while A and C are near.
    let (height, width) = (p.a().len() - p.before(), q_a.len());
    let squares_of_lines =
        shifts == [0, 0] && height.is_multiple_of(line) && width.is_multiple_of(SQUARE);
    let by_strips = stream || (squares_of_lines && block.bytes < NEAR);
    // SAFETY: the caller's promise.
    if !by_strips && unsafe { in_tiles::<U, I>(block) } {
        return;
    }
    let strips = strips_of(p, line, STRIP / size, shifts);
    let (tiles, strips) = (tiles.all(), strips.all());
    let mut buffer: Buffer =
        [const { [Line([MaybeUninit::uninit(); LINE]); STRIP / LINE + 1] }; LINE];
    for n in 0..tiles.len() * strips.len() {
        let (tile, strip) = match stream {
            true => (&tiles[n % tiles.len()], &strips[n / tiles.len()]),
            false => (&tiles[n / strips.len()], &strips[n % strips.len()]),
        };
        let &Tile {
            start, end, shifts, ..
        } = tile;
        let points = strip.part(shifts[1]).start..strip.part(shifts[0]).end;
        let sides = [points.len(), end - start];
        if points.is_empty() {
            continue;
        }
        if const { lines_of::<U, I>() } > 0
            && tile.dense
            && sides[0].is_multiple_of(line)
            && sides[1].is_multiple_of(SQUARE)
            && shifts[0] == shifts[1]
            && (!stream || (points.start + shifts[0]).is_multiple_of(line))
        {
            let (of_a, of_c) = (&p.a()[points.clone()], &q_c[start..end]);
            // SAFETY: a part of the block, by the caller's promise; what it has of C is whole lines if `stream`.
            unsafe {
                let (a, c) = (a.offset(q_a[start]), c.offset(p.c()[points.start]));
                if let (Some(pitch_a), Some(pitch_c)) = (strip.pitch, tile.pitch) {
                    let (a, c) = (a.offset(of_a[0]), c.offset(of_c[0]));
                    let along = |pitch: isize| {
                        move |i: usize, y: usize| i as isize * pitch + y as isize * pitch
                    };
                    squares::<U, I>(a, c, along(pitch_a), along(pitch_c), sides, stream);
                } else {
                    squares::<U, I>(a, c, |i, y| of_a[i + y], |j, x| of_c[j + x], sides, stream);
                }
            }
            continue;
        }
        if !stream {
            for &to in &q_c[start..end] {
                for at in strip.part(shift(to)).step_by(line) {
                    prefetch(c.wrapping_offset(to + p.c()[at]).cast());
                }
            }
        }
        // Whole squares, even if some of their rows are others'.
        let rows = (end - start).next_multiple_of(SQUARE);
        let (first, rows) = match q_a.len().checked_sub(rows) {
            Some(most) => (start.min(most), rows),
            None => (start, end - start),
        };
        // SAFETY: there are at most `LINE` rows, and at most a strip and a line of points; the caller's promise.
        unsafe {
            gather::<U, I>(
                a,
                &q_a[first..first + rows],
                &p.a()[points.clone()],
                &mut buffer,
            );
        }
        for j in start..end {
            let part = strip.part(shift(q_c[j]));
            if part.is_empty() {
                continue;
            }
            // SAFETY: the part was gathered above; elements of C, by the caller's promise.
            unsafe {
                let row = buffer[j - first].as_ptr().cast::<U>();
                let to = c.offset(q_c[j] + p.c()[part.start]);
                let from = row.add(part.start - points.start);
                write::<I>(from.cast(), to.cast(), part.len() * size, stream);
            }
        }
    }
    if stream {
        fence();
    }
}

/// A part of a block in squares: `a[row(i, y) + j]` to `c[column(j, x) + i]`, `y` and `x` steps from `i` and `j`.
///
/// # Safety
///
/// Those are readable and writable for `i + y < height` and `j + x < width`, which are multiples of a line's elements and of a
/// square's; C is lines if `stream`; the machine has the instructions of `I`, which has lines of `U`.
#[cfg_attr(optimised, inline(always))]
unsafe fn squares<U: Copy, I: Isa>(
    a: *const U,
    c: *mut U,
    row: impl Fn(usize, usize) -> isize,
    column: impl Fn(usize, usize) -> isize,
    [height, width]: [usize; 2],
    stream: bool,
) {
    let line = const { LINE / size_of::<U>() };
    let (rows, columns) = (height / line, width / SQUARE);
    // A row of C at once past the caches, else rows of A.
    let (outer, inner) = if stream {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let at = |x: usize, y: usize| match stream {
        true => (y * line, x * SQUARE),
        false => (x * line, y * SQUARE),
    };
    for x in 0..outer {
        for y in 0..inner {
            if !stream {
                // One square ahead, in the next strip where this one ends.
                let (i, j) = if y + 1 < inner {
                    at(x, y + 1)
                } else {
                    at(x + 1, 0)
                };
                for x in 0..SQUARE {
                    prefetch(c.wrapping_offset(column(j, x)).wrapping_add(i).cast());
                }
            }
            let (i, j) = at(x, y);
            // SAFETY: the caller's promise.
            unsafe {
                let (a, c) = (a.add(j), c.add(i));
                lines::<U, I>(|y| a.offset(row(i, y)), |x| c.offset(column(j, x)), stream);
            }
        }
    }
}

/// The strips of a block, `strip` elements long, for rows that are between `shifts[0]` and `shifts[1]` elements past the start of
/// a line. What a row has of a line at either end is a strip of its own.
fn strips_of(p: &Points, line: usize, strip: usize, shifts: [usize; 2]) -> List<Strip, STRIPS> {
    let known = p.a().len();
    let begins = p.before() == 0;
    let mut strips = List::new();
    let mut start = p.before();
    while start < known || (p.last && shifts[1] > 0) {
        let first = begins && start == 0;
        let next = start + if first && shifts[1] > 0 { line } else { strip };
        let lines = next.min(known / line * line);
        let last = lines <= start;
        let mut strip = Strip {
            start,
            end: if last { known } else { lines },
            first,
            last,
            pitch: None,
        };
        strip.pitch = pitch(&p.a()[strip.part(shifts[1]).start..strip.part(shifts[0]).end]);
        strips.push(strip);
        start = strip.end;
        if last {
            break;
        }
    }
    strips
}

/// Strips of a block, at most: of the largest elements, and one at either end.
const STRIPS: usize = POINTS / (STRIP / 16) + 3;

/// Up to `N` values.
struct List<X, const N: usize> {
    len: usize,
    values: [MaybeUninit<X>; N],
}

impl<X, const N: usize> List<X, N> {
    fn new() -> List<X, N> {
        List {
            len: 0,
            values: [const { MaybeUninit::uninit() }; N],
        }
    }

    fn push(&mut self, value: X) {
        self.values[self.len].write(value);
        self.len += 1;
    }

    fn all(&self) -> &[X] {
        // SAFETY: `push` has written so many.
        unsafe { self.values[..self.len].assume_init_ref() }
    }
}

/// Asks for a line that will be written, wherever it is.
#[cfg_attr(optimised, inline(always))]
fn prefetch(to: *const u8) {
    #[cfg(x86_vectors)]
    // SAFETY: SSE is there on x86-64; nothing is read or written.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(to.cast());
    }
    #[cfg(not(x86_vectors))]
    let _ = to;
}

/// The distance of the offsets, if it is one.
fn pitch(offsets: &[isize]) -> Option<isize> {
    let pitch = offsets.get(1)? - offsets[0];
    let same = offsets.windows(2).all(|pair| pair[1] - pair[0] == pitch);
    same.then_some(pitch)
}

/// Row `j` of the buffer from its start: `a[q[j] + p[..]]`.
///
/// # Safety
///
/// Those are readable, at most a strip and a line of them, and as many rows as the buffer has; the machine has the
/// instructions of `I`.
#[cfg_attr(optimised, inline(always))]
unsafe fn gather<U: Copy, I: Isa>(a: *const U, q: &[isize], p: &[isize], buffer: &mut Buffer) {
    let row = |j: usize, buffer: &mut Buffer| buffer[j].as_mut_ptr().cast::<U>();
    if const { size_of::<U>() <= 8 }
        && pitch(q) == Some(1)
        && q.len().is_multiple_of(SQUARE)
        && p.len() >= SQUARE
    {
        for i in (0..p.len()).step_by(SQUARE) {
            let i = i.min(p.len() - SQUARE);
            for j in (0..q.len()).step_by(SQUARE) {
                // SAFETY: the caller's promise.
                unsafe {
                    let rows = core::array::from_fn(|y| a.offset(p[i + y] + q[j]));
                    let columns = core::array::from_fn(|x| row(j + x, buffer).add(i));
                    square_of_eight::<U, I>(rows, columns);
                }
            }
        }
        return;
    }
    for (i, &at) in p.iter().enumerate() {
        for (j, &more) in q.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                let value = a.offset(at + more).read_unaligned();
                row(j, buffer).add(i).write(value);
            }
        }
    }
}

/// Copies bytes, in whole lines where they are.
///
/// # Safety
///
/// `bytes` are readable at `from` and writable at `to`, apart from each other; the machine has the instructions of `I`.
#[cfg_attr(optimised, inline(always))]
unsafe fn write<I: Isa>(from: *const u8, to: *mut u8, bytes: usize, stream: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut done = to.align_offset(LINE).min(bytes);
        if done > 0 {
            core::ptr::copy_nonoverlapping(from, to, done);
        }
        while done + LINE <= bytes {
            let (from, to) = (from.add(done), to.add(done));
            if stream {
                stream_line::<I>(from, to);
            } else {
                core::ptr::copy_nonoverlapping(from, to, LINE);
            }
            done += LINE;
        }
        if done < bytes {
            core::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
        }
    }
}

/// Copies a line past the caches, where the target has instructions for it. Let [`fence`] follow.
///
/// # Safety
///
/// A line is readable at `from` and writable at `to`, which is aligned to lines; the machine has the instructions of `I`.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn stream_line<I: Isa>(from: *const u8, to: *mut u8) {
    #[cfg(x86_vectors)]
    // SAFETY: the caller's promise; SSE2 is there on x86-64, AVX and AVX-512F where `I` has them.
    unsafe {
        use core::arch::x86_64::*;
        if const { I::LEVEL.reaches(Level::Avx512) } {
            _mm512_stream_ps(to.cast(), _mm512_loadu_ps(from.cast()));
        } else if const { I::LEVEL.reaches(Level::Avx2) } {
            for at in [0, LINE / 2] {
                _mm256_stream_ps(to.add(at).cast(), _mm256_loadu_ps(from.add(at).cast()));
            }
        } else {
            for at in [0, LINE / 4, LINE / 2, LINE / 4 * 3] {
                _mm_stream_ps(to.add(at).cast(), _mm_loadu_ps(from.add(at).cast()));
            }
        }
    }
    #[cfg(not(x86_vectors))]
    // SAFETY: the caller's promise.
    unsafe {
        core::ptr::copy_nonoverlapping(from, to, LINE);
    }
}

/// What was written past the caches is there for everyone.
pub(crate) fn fence() {
    #[cfg(x86_vectors)]
    // SAFETY: SSE is there on x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
