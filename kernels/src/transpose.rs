//! One block of a transposition, for the elements that a cache line holds several of.
//!
//! A strip of a few lines along P is gathered for as many points of Q as a line of A has, in a buffer that stays in the
//! level-1 cache, and then written in whole lines of C. What a strip has of each row of C ends where a line does, so
//! that every line but those at the ends of the runs is written once and whole, past the caches where C is large:
//! otherwise each would be read before it is written.

use core::mem::MaybeUninit;

use super::OPTIMISED;
use super::blocks::{POINTS, Points, by_elements};
use super::isa::{Isa, Level, Vectorize};
use super::square::square_of_eight;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of each row of C that a strip has.
const STRIP: usize = 256;
/// Points of Q that are gathered at once, at least: those of a square.
const SQUARE: usize = 8;

/// `C <- A` in one block.
pub(crate) struct Transpose<'a, U> {
    pub(crate) q: &'a Points,
    pub(crate) p: &'a Points,
    /// Whether all the points of P, of which `p` are a part, are consecutive elements of C.
    pub(crate) runs: bool,
    /// Whether C is written past the caches.
    pub(crate) stream: bool,
    pub(crate) a: *const U,
    pub(crate) c: *mut U,
}

impl<U: Copy> Vectorize for Transpose<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        if const { OPTIMISED && size_of::<U>().is_power_of_two() && size_of::<U>() <= 16 }
            && self.runs
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
    let (line, strip) = const { (LINE / size_of::<U>(), STRIP / size_of::<U>()) };
    // By how many elements each row of C is past the start of a line where P begins. If it is by a part of an element,
    // there are no whole lines.
    let whole = (c as usize).is_multiple_of(size);
    let stream = block.stream && whole;
    let mut shifts = [0u8; POINTS];
    let (before, known) = (p.before(), p.c().len());
    if whole {
        let start = (c as usize / size).wrapping_add_signed(p.c()[before]);
        for (shift, &to) in shifts.iter_mut().zip(&q.c()[q.before()..]) {
            *shift = (start.wrapping_add_signed(to) % line) as u8;
        }
    }
    let (q_a, q_c) = (&q.a()[q.before()..], &q.c()[q.before()..]);
    // Tiles of Q begin where lines of A do.
    let tile = line.max(SQUARE);
    let late = (a as usize / size).wrapping_add_signed(q_a[0] + p.a()[before]) % tile;
    let mut buffer: Buffer =
        [const { [Line([MaybeUninit::uninit(); LINE]); STRIP / LINE + 1] }; LINE];
    let mut at = before;
    while at < known {
        // Points of P are counted from the first known. A row has those from `at - shift` on, to `end - shift`.
        let end = at + strip;
        let last = p.last && end >= known;
        let part = |shift: u8| {
            let shift = usize::from(shift);
            let from = if before == 0 && at == 0 {
                0
            } else {
                at - shift
            };
            let to = if last { known } else { end - shift };
            from..to
        };
        let mut j = 0;
        while j < q_a.len() {
            let next = (j + tile - if j == 0 { late } else { 0 }).min(q_a.len());
            let (mut from, mut to) = (known, 0);
            for &shift in &shifts[j..next] {
                let part = part(shift);
                (from, to) = (from.min(part.start), to.max(part.end));
            }
            // Whole squares, even if some of their rows are others' already.
            let rows = (next - j).next_multiple_of(SQUARE);
            let first = if rows <= q_a.len() {
                j.min(q_a.len() - rows)
            } else {
                j
            };
            let rows = rows.min(q_a.len() - first);
            let rows_of_p = &p.a()[from..to];
            // SAFETY: `rows` is at most `tile`, and `to - from` at most a strip and a line; the caller's promise.
            unsafe {
                gather::<U, I>(a, &q_a[first..first + rows], rows_of_p, &mut buffer);
            }
            for j in j..next {
                let part = part(shifts[j]);
                if part.is_empty() {
                    continue;
                }
                // SAFETY: the part was gathered above; elements of C, by the caller's promise.
                unsafe {
                    let row = buffer[j - first]
                        .as_ptr()
                        .cast::<U>()
                        .add(part.start - from);
                    let to = c.offset(q_c[j] + p.c()[part.start]);
                    write::<I>(row.cast(), to.cast(), part.len() * size, stream);
                }
            }
            j = next;
        }
        at = end;
    }
    if stream {
        fence();
    }
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
    let dense = q.windows(2).all(|pair| pair[1] - pair[0] == 1);
    if const { size_of::<U>() <= 8 } && dense && q.len().is_multiple_of(SQUARE) && p.len() >= SQUARE
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
unsafe fn stream_line<I: Isa>(from: *const u8, to: *mut u8) {
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
fn fence() {
    #[cfg(x86_vectors)]
    // SAFETY: SSE is there on x86-64.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
