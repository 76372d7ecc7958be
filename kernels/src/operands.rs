//! The arrays of one call.

use super::isa::same;
use super::scale::Scale;
use super::walk::Offset;

/// Pointers to A, B and C, and the way into C.
///
/// A kernel's pieces run on several threads, each with a copy of this. What makes that sound is the promise under
/// which a call is made (`Prepared::run`): A and B may be read and C written at every index combination, and C
/// overlaps neither; and that every piece of a kernel writes elements of C that no other piece touches.
#[derive(Clone, Copy, Debug)]
pub struct Operands<T> {
    /// Element 0 of A.
    pub a: *const T,
    /// Element 0 of B; dangling where there is no B.
    pub b: *const T,
    /// Element 0 of C.
    pub c: *mut T,
    /// The way into C.
    pub scale: Scale<T>,
}

// SAFETY: pointers to elements that are themselves `Send`; who may read or write them is the caller's promise above.
unsafe impl<T: Send> Send for Operands<T> {}
// SAFETY: as for `Send`; a shared `Operands` is only copied.
unsafe impl<T: Send + Sync> Sync for Operands<T> {}

impl<T: Copy> Operands<T> {
    /// The same arrays as arrays of `U`.
    ///
    /// # Safety
    ///
    /// `T` and `U` have the same size, and every value of either is one of the other.
    pub unsafe fn cast<U: Copy>(self) -> Operands<U> {
        // SAFETY: the caller's promise.
        let as_u = |value: T| unsafe { same::<T, U>(value) };
        Operands {
            a: self.a.cast(),
            b: self.b.cast(),
            c: self.c.cast(),
            scale: Scale {
                alpha: as_u(self.scale.alpha),
                beta: self.scale.beta.map(as_u),
                conj_a: self.scale.conj_a,
                conj_b: self.scale.conj_b,
            },
        }
    }

    /// A and B in each other's place.
    pub(crate) fn exchanged(&self) -> Operands<T> {
        Operands {
            a: self.b,
            b: self.a,
            c: self.c,
            scale: Scale {
                conj_a: self.scale.conj_b,
                conj_b: self.scale.conj_a,
                ..self.scale
            },
        }
    }

    /// The same arrays seen from another point.
    ///
    /// # Safety
    ///
    /// The offsets stay inside the arrays (or are 0).
    #[cfg_attr(optimised, inline(always))]
    pub(crate) unsafe fn at(self, offset: Offset) -> Operands<T> {
        // SAFETY: the caller's promise.
        unsafe {
            Operands {
                a: self.a.offset(offset.a),
                b: self.b.offset(offset.b),
                c: self.c.offset(offset.c),
                scale: self.scale,
            }
        }
    }
}
