//! The constants of a call site.

use core::marker::PhantomData;

use super::FixedEinsum;
use cteinsum_plan::fixed::FixedPlan;

pub(super) struct Site<E>(PhantomData<E>);

impl<E: FixedEinsum> Site<E> {
    /// A reference, so that a step is read without copying all of them.
    pub(super) const PLAN: &'static FixedPlan =
        &FixedPlan::mixed(&E::SPEC, E::OPERANDS, &E::OUTPUT, E::REAL);
}
