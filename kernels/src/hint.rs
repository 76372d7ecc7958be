//! Asking for memory that is used later.

/// Into the nearest cache: it is used soon.
pub(crate) const SOON: i32 = 3;
/// Into the level-2 cache: more is used before.
pub(crate) const LATER: i32 = 2;

/// Asks for a line of memory that is used [`SOON`] or [`LATER`], wherever that is: nothing but the time depends on it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn prefetch<T, const WHEN: i32>(_at: *const T) {
    #[cfg(x86_vectors)]
    // SAFETY: a hint, which no address is wrong for.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<WHEN>(_at.cast());
    }
}
