//! Copies of elements of which each lies on a page of its own: long diagonals.
//!
//! What is waited for are the tables of pages. A core that runs as far ahead as it can asks for more of them at once than
//! it can look up, and is slower for it: with eight under way a diagonal of 4096 doubles took 30 us, with as many as
//! there is room for 45. So each address waits for the element eight before it.

use core::hint::black_box;
use core::ops::BitAnd;

use super::OPTIMISED;
use super::axis::Axis;
use super::kind::Kind;

/// Bytes of a page.
const PAGE: usize = 4096;
/// Elements from which the pages are more than the core remembers.
const MANY: usize = 1024;
/// Elements that are under way.
const UNDER_WAY: usize = 8;

/// Whether elements of this kind are numbers of 4, 8 or 16 bytes, all of whose bits are set.
pub(crate) const fn serves(kind: Kind, bytes: usize) -> bool {
    OPTIMISED && !kind.is(Kind::Other) && matches!(bytes, 4 | 8 | 16)
}

/// Whether each element of A is on a page of its own.
pub(crate) fn is_far(run: &Axis, bytes: usize) -> bool {
    run.len >= MANY && run.a.unsigned_abs().saturating_mul(bytes) >= PAGE
}

/// `C <- A` along `run`, elements of 4, 8 or 16 bytes.
///
/// # Safety
///
/// A is readable, and all of its bits are set; C can be written.
pub(crate) unsafe fn copy<U: Copy>(run: &Axis, a: *const U, c: *mut U) {
    // SAFETY: the caller's promise; a word is no larger than an element, and whole elements are made of words.
    unsafe {
        match size_of::<U>() {
            4 => words::<u32, 1>(run, a.cast(), c.cast()),
            8 => words::<u64, 1>(run, a.cast(), c.cast()),
            16 => words::<u64, 2>(run, a.cast(), c.cast()),
            _ => unreachable!("a size that is served"),
        }
    }
}

/// Elements of `N` words.
///
/// # Safety
///
/// As for [`copy`].
unsafe fn words<W, const N: usize>(run: &Axis, a: *const [W; N], c: *mut [W; N])
where
    W: Copy + From<u8> + BitAnd<Output = W> + TryInto<isize>,
{
    // Zero, but the compiler does not know.
    let none = black_box(W::from(0));
    let mut after = [0; UNDER_WAY];
    let copy = |i: usize, after: &mut isize| {
        let i = i as isize;
        // SAFETY: the caller's promise; the element before adds nothing to the offset.
        unsafe {
            let x = a.offset(i * run.a + *after).read_unaligned();
            *after = (x[0] & none).try_into().unwrap_or(0);
            c.offset(i * run.c).write_unaligned(x);
        }
    };
    let whole = run.len - run.len % UNDER_WAY;
    for first in (0..whole).step_by(UNDER_WAY) {
        for (i, after) in after.iter_mut().enumerate() {
            copy(first + i, after);
        }
    }
    (whole..run.len).for_each(|i| copy(i, &mut 0));
}
