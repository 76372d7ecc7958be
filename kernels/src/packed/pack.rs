//! Packing: micro-panels of A and B from any strides.
//!
//! A copy, so it is compiled once for each size of elements, and for none of the instruction sets: the columns that
//! are dense in the tensor are moved as bytes, by one function for all.

use core::mem::MaybeUninit;

use super::scatter::{is_unit, unit_run};
use crate::OPTIMISED;
use crate::element::Element;
use crate::hint::{LATER, prefetch};
use crate::isa::{Isa, Level, Vectorize, vectorize};
use crate::kind::Kind;
use crate::square::{square, square_of_eight};

/// The rows of a micro-panel.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Of all but the last.
    pub(super) most: usize,
    /// The last one has a multiple of this, no more than it needs.
    pub(super) lanes: usize,
}

/// The micro-panels of `len` rows: of `most` rows each, and then what is left over. Three registers and one are two and two,
/// because the sums of one register wait for each other.
pub(super) fn panels(
    len: usize,
    most: usize,
    lanes: usize,
) -> impl Iterator<Item = core::ops::Range<usize>> {
    let mut first = 0;
    core::iter::from_fn(move || {
        let rows = panel(len - first, most, lanes);
        first += rows;
        (rows > 0).then(|| first - rows..first)
    })
}

/// Rows of the next micro-panel, of the rows that are left.
fn panel(left: usize, most: usize, lanes: usize) -> usize {
    let four = most == 3 * lanes && left > most && left <= 4 * lanes;
    if four { 2 * lanes } else { left.min(most) }
}

/// Micro-panels, or terms, that are packed together where they are one element apart.
const TOGETHER: usize = 8;

/// Whether the first `run` offsets are followed by as many that are one further, and so on, `TOGETHER` times.
fn side_by_side(offsets: &[isize], run: usize) -> bool {
    // The first of each run tells most others apart.
    let next = |i: usize| offsets[i + run] - offsets[i] == 1;
    run > 0 && offsets.len() >= TOGETHER * run && (next(0) && (0..(TOGETHER - 1) * run).all(next))
}

/// The length of such runs, if there are any.
fn run_of(offsets: &[isize]) -> usize {
    let from = |first: usize| {
        let after = offsets.get(first..)?;
        let next = |&run: &usize| after[run] - after[0] == 1;
        (2..after.len() / TOGETHER + 1).find(next)
    };
    from(0).or_else(|| from(offsets.len() / 4)).unwrap_or(0)
}

/// Packs `rows.len()` rows of `depth.len()` terms into micro-panels: the element of row `i` and term `p` of one of `r` rows
/// goes to `p * r + i`. Missing rows of the last micro-panel become zero.
///
/// For B, read columns for rows.
///
/// # Safety
///
/// `source` is readable at every `rows[i] + depth[p]`; `panel` is writable for `rows.len()` rounded up to the lanes, times
/// `depth.len()`, elements.
pub(super) unsafe fn pack<T: Element>(
    r: Rows,
    panel: *mut T,
    source: *const T,
    rows: &[isize],
    depth: &[isize],
    conj: bool,
) {
    // SAFETY: the caller's promise. `MaybeUninit` allows for padding, and the bits of zero are those of every zero of
    // our own types.
    unsafe {
        'packed: {
            macro_rules! as_bits {
                ($($bits:ty)*) => {$(
                    if const { size_of::<T>() == size_of::<$bits>() && !T::KIND.is(Kind::Other) } {
                        let zero = MaybeUninit::<$bits>::new(0);
                        bits(r, panel.cast(), source.cast(), rows, depth, zero);
                        break 'packed;
                    }
                )*};
            }
            as_bits!(u8 u16 u32 u64 u128);
            bits(r, panel, source, rows, depth, T::ZERO);
        }
        if const { !T::KIND.is_real() } && conj {
            for p in 0..rows.len().next_multiple_of(r.lanes) * depth.len() {
                *panel.add(p) = T::conj(*panel.add(p));
            }
        }
    }
}

/// [`pack`] for elements without arithmetic, aligned or not.
#[inline(never)]
unsafe fn bits<U: Copy>(
    Rows { most, lanes }: Rows,
    mut panels_of: *mut U,
    source: *const U,
    rows: &[isize],
    depth: &[isize],
    zero: U,
) {
    let size = size_of::<U>();
    let squares = OPTIMISED && has_run(depth);
    let run = if OPTIMISED && !squares {
        run_of(depth)
    } else {
        0
    };
    let all = rows;
    let mut first = 0;
    while first < all.len() {
        // The last of them must be a whole one.
        let last = (all.len() - first).saturating_sub((TOGETHER - 1) * most);
        if OPTIMISED
            && panel(last, most, lanes) == most
            && most.is_multiple_of(TOGETHER)
            && side_by_side(&all[first..], most)
        {
            // SAFETY: the caller's promise, for these micro-panels.
            unsafe {
                vectorize(Apart {
                    panel: panels_of,
                    source,
                    rows: &all[first..][..most],
                    depth,
                    columns: most * depth.len(),
                    terms: most,
                });
                panels_of = panels_of.add(TOGETHER * most * depth.len());
            }
            first += TOGETHER * most;
            continue;
        }
        if OPTIMISED
            && most * size == LINE
            && is_unit(all[first..].get(..LINES * most).unwrap_or(&[0, 0]))
        {
            // SAFETY: the caller's promise, for these micro-panels.
            unsafe {
                vectorize(Lines {
                    panel: panels_of.cast(),
                    source: source.offset(all[first]).cast(),
                    depth,
                    size: size as isize,
                    apart: LINE * depth.len(),
                });
                panels_of = panels_of.add(LINES * most * depth.len());
            }
            first += LINES * most;
            continue;
        }
        let rows = &all[first..][..panel(all.len() - first, most, lanes)];
        first += rows.len();
        let panel = panels_of;
        let r = rows.len().next_multiple_of(lanes);
        let columns = |first: usize, len: usize| {
            vectorize(Columns {
                bytes: len * size,
                // SAFETY: rows of the micro-panel and of the tensor.
                panel: unsafe { panel.add(first) }.cast(),
                // SAFETY: as above.
                source: unsafe { source.offset(rows[first]) }.cast(),
                depth,
                size: size as isize,
                pitch: r * size,
            });
        };
        // SAFETY: the caller's promise, for this micro-panel.
        unsafe {
            if rows.len() == r && is_unit(rows) {
                columns(0, r);
            } else if OPTIMISED && rows.len() == r && rows.chunks(lanes).all(is_unit) {
                for first in (0..r).step_by(lanes) {
                    columns(first, lanes);
                }
            } else if squares {
                let mut p = 0;
                while p < depth.len() {
                    let run = unit_run(&depth[p..]);
                    let (panel, terms) = (panel.add(p * r), &depth[p..p + run]);
                    if run >= RUN {
                        vectorize(Turned {
                            r,
                            panel,
                            source: source.offset(terms[0]),
                            rows,
                            depth: run,
                        });
                    } else {
                        any(r, panel, source, rows, terms);
                    }
                    p += run;
                }
            } else if run > 0 && rows.len() == r && r.is_multiple_of(TOGETHER) {
                let mut p = 0;
                while p < depth.len() {
                    let panel = panel.add(p * r);
                    if side_by_side(&depth[p..], run) {
                        // Terms for rows: as many squares of eight.
                        for rows_of in (0..r).step_by(TOGETHER) {
                            vectorize(Apart {
                                panel: panel.add(rows_of),
                                source,
                                rows: &rows[rows_of..][..TOGETHER],
                                depth: &depth[p..][..run],
                                columns: run * r,
                                terms: r,
                            });
                        }
                        p += TOGETHER * run;
                    } else {
                        any(r, panel, source, rows, &depth[p..p + 1]);
                        p += 1;
                    }
                }
            } else {
                any(r, panel, source, rows, depth);
            }
            if rows.len() < r {
                for p in 0..depth.len() {
                    for i in rows.len()..r {
                        panel.add(p * r + i).write_unaligned(zero);
                    }
                }
            }
            panels_of = panel.add(r * depth.len());
        }
    }
}

/// Terms that follow one another in memory, for which squares pay.
const RUN: usize = 4;

/// Whether there are so many anywhere.
fn has_run(depth: &[isize]) -> bool {
    let mut run = 1;
    depth.windows(2).any(|pair| {
        run = if pair[1] - pair[0] == 1 { run + 1 } else { 1 };
        run >= RUN
    })
}

/// Rows one element apart: each term is one run of `bytes` bytes.
struct Columns<'a> {
    bytes: usize,
    panel: *mut u8,
    source: *const u8,
    depth: &'a [isize],
    /// Bytes of an element, in which `depth` counts.
    size: isize,
    /// Bytes from a term of the panel to the next one.
    pitch: usize,
}

impl Vectorize for Columns<'_> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        // The columns of all register tiles but the plainest.
        match self.bytes {
            192 => self.copy(192),
            96 => self.copy(96),
            64 => self.copy(64),
            32 => self.copy(32),
            16 => self.copy(16),
            bytes => self.copy(bytes),
        }
    }
}

impl Columns<'_> {
    #[cfg_attr(optimised, inline(always))]
    fn copy(self, bytes: usize) {
        for (p, &at) in self.depth.iter().enumerate() {
            // SAFETY: the promise of `pack`; the panel is apart from the tensor.
            unsafe {
                let from = self.source.offset(at * self.size);
                core::ptr::copy_nonoverlapping(from, self.panel.add(p * self.pitch), bytes);
            }
        }
    }
}

/// Bytes of a line of memory.
const LINE: usize = 64;
/// Micro-panels of a line each that are packed together: what they take of a page is fetched at once.
const LINES: usize = 8;

/// Micro-panels of rows one element apart, a line of them each.
struct Lines<'a> {
    panel: *mut u8,
    source: *const u8,
    depth: &'a [isize],
    /// Bytes of an element, in which `depth` counts.
    size: isize,
    /// Bytes from a micro-panel to the next one.
    apart: usize,
}

impl Vectorize for Lines<'_> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        for (p, &at) in self.depth.iter().enumerate() {
            for line in 0..LINES {
                // SAFETY: the promise of `pack`; the panels are apart from the tensor.
                unsafe {
                    let from = self.source.offset(at * self.size).add(line * LINE);
                    let to = self.panel.add(line * self.apart + p * LINE);
                    core::ptr::copy_nonoverlapping(from, to, LINE);
                }
            }
        }
    }
}

/// Terms one element apart: a transposition, in squares.
struct Turned<'a, U> {
    r: usize,
    panel: *mut U,
    source: *const U,
    rows: &'a [isize],
    depth: usize,
}

impl<U: Copy> Vectorize for Turned<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        let mut i = 0;
        // SAFETY: the rows that are left.
        unsafe {
            while i + 8 <= self.rows.len() {
                self.lines::<I, 8>(i);
                i += 8;
            }
            while i + 4 <= self.rows.len() {
                self.lines::<I, 4>(i);
                i += 4;
            }
            while i < self.rows.len() {
                self.lines::<I, 1>(i);
                i += 1;
            }
        }
    }
}

impl<U: Copy> Turned<'_, U> {
    /// `S` rows from row `i` on.
    ///
    /// # Safety
    ///
    /// There are so many.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn lines<I: Isa, const S: usize>(&self, i: usize) {
        // SAFETY: the promise of `pack`: `i + S <= rows.len()`, `p + S <= depth`; the panel is apart from the tensor.
        unsafe {
            let from: [*const U; S] =
                core::array::from_fn(|y| self.source.offset(self.rows[i + y]));
            let to = self.panel.add(i);
            let mut p = 0;
            while p + S <= self.depth {
                let columns = |x: usize| to.add((p + x) * self.r);
                if const { S == 8 } {
                    let rows = core::array::from_fn(|y| from[y % S].add(p));
                    square_of_eight::<U, I>(rows, core::array::from_fn(columns));
                } else {
                    square::<U, S>(from.map(|row| row.add(p)), core::array::from_fn(columns));
                }
                p += S;
            }
            for p in p..self.depth {
                for (y, row) in from.iter().enumerate() {
                    to.add(p * self.r + y)
                        .write_unaligned(row.add(p).read_unaligned());
                }
            }
        }
    }
}

/// Rows and terms far apart, and beside each element the next ones of a line, for which there is a place, too: squares again.
struct Apart<'a, U> {
    panel: *mut U,
    source: *const U,
    /// A multiple of eight.
    rows: &'a [isize],
    depth: &'a [isize],
    /// From an element's place to that of the next one in its line.
    columns: usize,
    /// From a term's place to that of the next one.
    terms: usize,
}

impl<U: Copy> Vectorize for Apart<'_, U> {
    type Output = ();
    const MOST: Level = Level::Avx512;
    #[cfg_attr(optimised, inline(always))]
    fn run<I: Isa>(self) {
        for (p, &term) in self.depth.iter().enumerate() {
            for (i, rows) in self.rows.chunks_exact(TOGETHER).enumerate() {
                // SAFETY: the promise of `pack`: `TOGETHER` elements from every row and term on are elements of the tensor, and
                // so many columns from their places on are in the panels.
                unsafe {
                    let from: [*const U; TOGETHER] =
                        core::array::from_fn(|y| self.source.offset(rows[y] + term));
                    let to = self.panel.add(p * self.terms + i * TOGETHER);
                    let columns = core::array::from_fn(|x| to.add(x * self.columns));
                    // Squares behind these in memory are packed next, after all that begins elsewhere.
                    for from in from {
                        prefetch::<u8, LATER>(from.cast::<u8>().wrapping_add(LINE));
                    }
                    square_of_eight::<U, I>(from, columns);
                }
            }
        }
    }
}

/// Any strides.
unsafe fn any<U: Copy>(r: usize, panel: *mut U, source: *const U, rows: &[isize], depth: &[isize]) {
    for (p, &term) in depth.iter().enumerate() {
        for (i, &row) in rows.iter().enumerate() {
            // SAFETY: the caller's promise; `p < depth.len()`, `i < r`.
            unsafe {
                let value = source.offset(row + term).read_unaligned();
                panel.add(p * r + i).write_unaligned(value);
            }
        }
    }
}
