//! The plan of a call as a constant.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{PlanReport, SizesError};
use crate::spec::Spec;

/// The plan of an einsum as a constant: what `einsum_plan!` makes.
///
/// Without sizes everything it says is about the tree for equal sizes, or for those in `sizes = […]`;
/// [`at`](Plan::at) chooses the tree for given ones, as a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    spec: Spec<'static>,
    sizes: &'static [(&'static str, usize)],
    /// Operands whose gradients are shown.
    pub(super) wrt: &'static [usize],
    element_bytes: usize,
}

impl Plan {
    /// The plan of a checked einsum.
    pub const fn new(spec: Spec<'static>) -> Plan {
        Plan {
            spec,
            sizes: &[],
            wrt: &[],
            element_bytes: 8,
        }
    }

    /// The same for elements of so many bytes, as `acc = f32` of `einsum_plan!` says; 8 unless said otherwise.
    #[must_use]
    pub const fn elements_of(mut self, bytes: usize) -> Plan {
        self.element_bytes = bytes;
        self
    }

    fn unsized_report(&self) -> PlanReport {
        PlanReport::of_spec(&self.spec).element_bytes(self.element_bytes)
    }

    /// The same with sizes to expect.
    #[must_use]
    pub const fn expecting(mut self, sizes: &'static [(&'static str, usize)]) -> Plan {
        self.sizes = sizes;
        self
    }

    /// The einsum and its order.
    pub const fn spec(&self) -> &Spec<'static> {
        &self.spec
    }

    /// All that there is to say: for the sizes of `sizes = […]` if all labels have one there, else without sizes.
    pub fn report(&self) -> PlanReport {
        let report = self.unsized_report();
        match report.try_at(self.sizes.iter().copied()) {
            Ok(sized) if !self.sizes.is_empty() => sized,
            _ => report,
        }
    }

    /// The plan for these sizes; `...` is a label as well, of size 1 unless said otherwise.
    ///
    /// # Panics
    /// If a label has no size, a name is none of a label, or no order keeps within `max_intermediate`.
    #[track_caller]
    pub fn at<'a>(&self, sizes: impl IntoIterator<Item = (&'a str, usize)>) -> PlanReport {
        self.unsized_report().at(sizes)
    }

    /// The plan for these sizes.
    ///
    /// # Errors
    /// Where [`at`](Plan::at) panics.
    pub fn try_at<'a>(
        &self,
        sizes: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<PlanReport, SizesError> {
        self.unsized_report().try_at(sizes)
    }

    /// [`PlanReport::path`].
    pub fn path(&self) -> Vec<Vec<u32>> {
        self.report().path()
    }

    /// [`PlanReport::tree`].
    pub fn tree(&self) -> Vec<(u32, u32)> {
        self.report().tree().to_vec()
    }

    /// [`PlanReport::order`].
    pub fn order(&self) -> String {
        self.report().order()
    }

    /// [`PlanReport::to_dot`].
    pub fn to_dot(&self) -> String {
        self.report().to_dot()
    }

    /// [`PlanReport::to_mermaid`].
    pub fn to_mermaid(&self) -> String {
        self.report().to_mermaid()
    }

    /// [`PlanReport::to_svg`].
    pub fn to_svg(&self) -> String {
        self.report().to_svg()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report();
        report.fmt(f)?;
        #[cfg(feature = "gradient")]
        if !self.wrt.is_empty() {
            write!(f, "\n\n  with gradients\n\n{}", report.gradients(self.wrt))?;
        }
        Ok(())
    }
}
