//! Blocks whose result stays in the caches: squares straight from A to C, wherever lines begin.
//!
//! A square that has parts of two lines of C writes both again with its neighbour, from the level-1 cache, which costs less
//! than a buffer in between. Tiles are so small that all lines of one stay there even where rows are a power of two
//! apart.

use super::{LINE, SQUARE, STRIP, Transpose, pitch};
use crate::isa::Isa;
use crate::square::{lines, lines_of};

/// The block in tiles, if it has squares; else nothing is done.
///
/// # Safety
///
/// The block is readable in A and writable in C; the points of P are consecutive elements of C; the machine has the
/// instructions of `I`; elements are of a power of two bytes, at most 16.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn in_tiles<U: Copy, I: Isa>(block: &Transpose<'_, U>) -> bool {
    let &Transpose { q, p, a, c, .. } = block;
    let line = const { LINE / size_of::<U>() };
    let side = const { STRIP / size_of::<U>() };
    let (q_a, q_c) = (&q.a()[q.before()..], &q.c()[q.before()..]);
    let (p_a, p_c) = (&p.a()[p.before()..], &p.c()[p.before()..]);
    let dense = |tile: &[isize]| tile.len() >= SQUARE && pitch(tile) == Some(1);
    if const { lines_of::<U, I>() } == 0 || p_a.len() < line || !q_a.chunks(side).all(dense) {
        return false;
    }
    let sides = [p_a.len(), q_a.len()];
    // SAFETY: the block, by the caller's promise; where Q is not dense as a whole its tiles are, and a square lies within
    // one.
    unsafe {
        let c = c.offset(p_c[0]);
        if let (Some(pitch_a), Some(pitch_c), Some(1)) = (pitch(p_a), pitch(q_c), pitch(q_a)) {
            let (a, c) = (a.offset(p_a[0] + q_a[0]), c.offset(q_c[0]));
            let row = |i: usize, j: usize| a.offset(i as isize * pitch_a).add(j);
            let column = |j: usize, i: usize| c.offset(j as isize * pitch_c).add(i);
            in_squares::<U, I>(sides, row, column);
        } else {
            let row = |i: usize, j: usize| a.offset(p_a[i] + q_a[j]);
            let column = |j: usize, i: usize| c.offset(q_c[j]).add(i);
            in_squares::<U, I>(sides, row, column);
        }
    }
    true
}

/// What is at `row(i, j)` to `column(j, i)`, for `i` and `j` below `height` and `width`, in tiles of squares.
///
/// # Safety
///
/// Those are readable and writable; eight elements are together at `row` where a square of a tile begins, and a line's at
/// every `column`; the machine has the instructions of `I`, which has lines of `U`.
#[cfg_attr(optimised, inline(always))]
unsafe fn in_squares<U: Copy, I: Isa>(
    [height, width]: [usize; 2],
    row: impl Fn(usize, usize) -> *const U,
    column: impl Fn(usize, usize) -> *mut U,
) {
    let line = const { LINE / size_of::<U>() };
    let side = const { STRIP / size_of::<U>() };
    for top in (0..height).step_by(side) {
        for left in (0..width).step_by(side) {
            let (bottom, right) = ((top + side).min(height), (left + side).min(width));
            for i in (top..bottom).step_by(line) {
                // The last squares overlap those before them.
                let i = i.min(height - line);
                for j in (left..right).step_by(SQUARE) {
                    let j = j.min(width - SQUARE);
                    // SAFETY: the caller's promise.
                    unsafe { lines::<U, I>(|y| row(i + y, j), |x| column(j + x, i), false) };
                }
            }
        }
    }
}
