//! What becomes of a computed element: stored, or scaled and added to what is there.

#[cfg(any(not(debug_assertions), test))]
use super::lanes::Lanes;
use crate::scalar::Scalar;

/// How a step writes its result. Both implementations are `Copy` and cost nothing where they are constants.
pub(super) trait Scale<T>: Copy {
    /// Whether an element is `beta` times itself before a diagonal or an empty sum is written.
    fn fill(self, old: impl FnOnce() -> T) -> T;

    /// The same for a result whose elements already are what `fill` makes of them.
    fn filled(self) -> Self;

    /// One element; `old` is called only if the output is initialised.
    #[cfg(debug_assertions)]
    fn finish_one(self, new: T, old: impl FnOnce() -> T) -> T;

    /// # Safety
    ///
    /// As for the methods of `V`; `old` is called only if the output is initialised.
    #[cfg(any(not(debug_assertions), test))]
    unsafe fn finish<V: Lanes<T>>(self, new: V, old: impl FnOnce() -> V) -> V;
}

/// `C <- AB`
#[derive(Clone, Copy)]
pub(super) struct Overwrite;

impl<T: Scalar> Scale<T> for Overwrite {
    #[inline(always)]
    fn fill(self, _: impl FnOnce() -> T) -> T {
        T::ZERO
    }

    #[inline(always)]
    fn filled(self) -> Self {
        self
    }

    #[cfg(debug_assertions)]
    #[inline(always)]
    fn finish_one(self, new: T, _: impl FnOnce() -> T) -> T {
        new
    }

    #[cfg(any(not(debug_assertions), test))]
    #[inline(always)]
    unsafe fn finish<V: Lanes<T>>(self, new: V, _: impl FnOnce() -> V) -> V {
        new
    }
}

/// `C <- alpha AB + beta C`
#[derive(Clone, Copy)]
pub(super) struct Scaled<T> {
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Scalar> Scale<T> for Scaled<T> {
    #[inline(always)]
    fn fill(self, old: impl FnOnce() -> T) -> T {
        if self.beta == T::ZERO {
            T::ZERO
        } else if self.beta == T::ONE {
            old()
        } else {
            T::mul(self.beta, old())
        }
    }

    #[inline(always)]
    fn filled(self) -> Self {
        Scaled {
            beta: T::ONE,
            ..self
        }
    }

    #[cfg(debug_assertions)]
    #[inline(always)]
    fn finish_one(self, new: T, old: impl FnOnce() -> T) -> T {
        let new = T::mul(self.alpha, new);
        if self.beta == T::ZERO {
            new
        } else {
            T::add(T::mul(self.beta, old()), new)
        }
    }

    #[cfg(any(not(debug_assertions), test))]
    #[inline(always)]
    unsafe fn finish<V: Lanes<T>>(self, new: V, old: impl FnOnce() -> V) -> V {
        // SAFETY: the caller has the instructions of `V`.
        unsafe {
            let new = if self.alpha == T::ONE {
                new
            } else {
                V::splat(self.alpha).mul(new)
            };
            if self.beta == T::ZERO {
                new
            } else if self.beta == T::ONE {
                old().add(new)
            } else {
                V::splat(self.beta).mul(old()).add(new)
            }
        }
    }
}
