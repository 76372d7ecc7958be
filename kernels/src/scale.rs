//! `alpha`, `beta` and conjugation.

use crate::element::Element;

/// What happens to the sum on its way into C: `C <- alpha * sum + beta * C`, with A or B conjugated in the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale<T> {
    /// Factor of the sum.
    pub alpha: T,
    /// Factor of what C held. `None`: C is not read; whatever is there, a NaN or nothing yet, is overwritten. Said
    /// outright, because the equality of somebody's element type is no ground to read memory on.
    pub beta: Option<T>,
    /// Take the complex conjugate of A.
    pub conj_a: bool,
    /// Take the complex conjugate of B.
    pub conj_b: bool,
}

impl<T: Element> Scale<T> {
    /// `C <- sum`.
    #[inline]
    pub fn overwrite() -> Scale<T> {
        Scale {
            alpha: T::ONE,
            beta: None,
            conj_a: false,
            conj_b: false,
        }
    }

    /// `C <- C + sum`.
    #[inline]
    pub fn accumulate() -> Scale<T> {
        Scale {
            beta: Some(T::ONE),
            ..Scale::overwrite()
        }
    }

    /// The way into C, decided once instead of at each element.
    #[inline]
    pub(crate) fn update(&self) -> Update<T> {
        let alpha = (self.alpha != T::ONE).then_some(self.alpha);
        match self.beta {
            None => Update::Store { alpha },
            Some(beta) if beta == T::ONE => Update::Add { alpha },
            Some(beta) => Update::Scaled { alpha, beta },
        }
    }
}

impl<T: Element> Default for Scale<T> {
    fn default() -> Scale<T> {
        Scale::overwrite()
    }
}

/// How a finished sum goes into C. An `alpha` of `None` is one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Update<T> {
    /// `C <- alpha * sum`; C is not read.
    Store { alpha: Option<T> },
    /// `C <- C + alpha * sum`.
    Add { alpha: Option<T> },
    /// `C <- beta * C + alpha * sum`.
    Scaled { alpha: Option<T>, beta: T },
}

impl<T: Element> Update<T> {
    /// Puts `sum` into `c`.
    ///
    /// # Safety
    ///
    /// `c` is valid for writes, and for reads unless this is `Store`.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) unsafe fn apply(self, c: *mut T, sum: T) {
        let (Update::Store { alpha } | Update::Add { alpha } | Update::Scaled { alpha, .. }) = self;
        let sum = match alpha {
            None => sum,
            Some(alpha) => T::mul(alpha, sum),
        };
        // SAFETY: the caller's promise; only the arms after the first read.
        unsafe {
            match self {
                Update::Store { .. } => c.write(sum),
                Update::Add { .. } => c.write(T::add(c.read(), sum)),
                Update::Scaled { beta, .. } => c.write(T::add(T::mul(beta, c.read()), sum)),
            }
        }
    }

    /// Puts `len` sums that lie behind one another into elements of C that are `stride` apart.
    ///
    /// Compiled once an element type, so that kernels need no loops for `alpha` and `beta` of their own.
    ///
    /// # Safety
    ///
    /// The sums are readable and apart from C; the elements of C are as for [`apply`](Update::apply).
    #[inline(never)]
    pub(crate) unsafe fn run(self, c: *mut T, stride: isize, sums: *const T, len: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match (self, stride) {
                (Update::Store { alpha: None }, 1) => {
                    core::ptr::copy_nonoverlapping(sums, c, len);
                }
                (Update::Add { alpha: None }, 1) => {
                    for i in 0..len {
                        c.add(i).write(T::add(*c.add(i), *sums.add(i)));
                    }
                }
                _ => {
                    for i in 0..len {
                        self.apply(c.offset(i as isize * stride), *sums.add(i));
                    }
                }
            }
        }
    }

    /// Whether sums go into C as they are.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Update::Store { alpha: None })
    }

    /// The update of the second and later parts of a sum that arrives in parts: it adds to what the first left.
    #[inline]
    pub(crate) fn rest(self) -> Update<T> {
        match self {
            Update::Store { alpha } | Update::Add { alpha } | Update::Scaled { alpha, .. } => {
                Update::Add { alpha }
            }
        }
    }
}
