//! Pairwise summation of a stream of partial sums, in a fixed order.
//!
//! Partial sums are paired like the carries of a binary counter, so `n` of them meet in a tree of depth `log2 n`: the
//! rounding error grows with the logarithm of their number (Higham, SIAM J. Sci. Comput. 14(4), 1993), and the order
//! depends on nothing but `n`.

use core::mem::MaybeUninit;

/// A tree of partial sums `S` under construction, of less than `2^LEVELS` parts.
pub(crate) struct Cascade<S, const LEVELS: usize = { usize::BITS as usize }> {
    /// `levels[l]` holds the sum of `2^l` consecutive parts where bit `l` of `count` is set.
    levels: [MaybeUninit<S>; LEVELS],
    count: usize,
}

impl<S: Copy, const LEVELS: usize> Cascade<S, LEVELS> {
    /// No parts yet.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) const fn new() -> Cascade<S, LEVELS> {
        Cascade {
            levels: [const { MaybeUninit::uninit() }; LEVELS],
            count: 0,
        }
    }

    /// Adds the next part.
    pub(crate) fn push(&mut self, mut part: S, add: impl Fn(S, S) -> S) {
        let mut level = 0;
        while self.count >> level & 1 == 1 {
            // SAFETY: bit `level` of `count` is set, so `push` has written the level.
            part = add(unsafe { self.levels[level].assume_init() }, part);
            level += 1;
        }
        self.levels[level].write(part);
        self.count += 1;
    }

    /// The sum of all parts; `empty` if there were none.
    pub(crate) fn finish(self, empty: S, add: impl Fn(S, S) -> S) -> S {
        let mut total = None;
        for level in 0..LEVELS {
            if self.count >> level & 1 == 1 {
                // SAFETY: bit `level` of `count` is set, so `push` has written the level.
                let earlier = unsafe { self.levels[level].assume_init() };
                total = Some(match total {
                    None => earlier,
                    Some(later) => add(earlier, later),
                });
            }
        }
        total.unwrap_or(empty)
    }
}
