//! A pullback in words.

use core::fmt;

use cteinsum_plan::{Label, LabelRef, label_names};

use crate::gradient::plan::GradientPlan;

/// The steps forward and backward, what is saved, and what all of it costs.
pub(super) fn describe(f: &mut fmt::Formatter<'_>, plan: &GradientPlan, text: &str) -> fmt::Result {
    let names = label_names(text);
    let name = |label: Label| match plan.network.label(label) {
        LabelRef::Named(number) => names[number].clone(),
        LabelRef::Ellipsis(axis) => format!("[-{}]", axis + 1),
    };
    let slots = plan.values.iter().flatten().filter(|slot| slot.saved);
    let elements: usize = slots.map(|slot| slot.len).sum();
    let forward = plan.gradient.forward.cost(&plan.sizes).multiply_adds;
    let all = plan.gradient.cost(&plan.sizes).multiply_adds;
    write!(
        f,
        "{text} and its gradients\n{} ({elements} elements)\n  multiply-adds: {forward} forward, {} backward",
        plan.gradient.describe(&name),
        all - forward
    )
}
