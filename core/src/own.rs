//! Element types of somebody else, as the kernels take them.

use crate::kernel::{Element, Kind, Operands, PackBuffer, Prepared, Team};
use crate::scalar::Scalar;

/// A `T` for the kernels: their trait is of another crate, and cannot be implemented for every [`Scalar`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(crate) struct Own<T>(T);

impl<T: Scalar> Element for Own<T> {
    const ZERO: Self = Own(T::ZERO);
    const ONE: Self = Own(T::ONE);
    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        Own(T::add(a.0, b.0))
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        Own(T::mul(a.0, b.0))
    }
    #[inline(always)]
    fn conj(a: Self) -> Self {
        Own(T::conj(a.0))
    }

    const KIND: Kind = T::__KIND;
}

/// Runs a step with kernels that are compiled for `T` here and now.
///
/// # Safety
///
/// As for [`Prepared::execute`].
pub(crate) unsafe fn run_step<T: Scalar>(
    step: &Prepared,
    operands: &Operands<T>,
    team: &mut Team,
    pack: &mut PackBuffer,
) {
    // SAFETY: the caller's promise; `Own` is transparent.
    unsafe { step.execute::<Own<T>>(&operands.cast(), team, pack) }
}
