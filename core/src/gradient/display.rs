//! A pullback in words.

use core::fmt;

use cteinsum_plan::{Gradient, Label, LabelRef, Network, label_names};

/// What there is to say.
pub(super) struct Described<'a> {
    pub(super) text: &'a str,
    pub(super) network: &'a Network,
    pub(super) gradient: &'a Gradient,
    pub(super) sizes: &'a [usize],
    /// Elements.
    pub(super) saved: usize,
}

/// The steps forward and backward, what is saved, and what all of it costs.
pub(super) fn describe(f: &mut fmt::Formatter<'_>, plan: &Described<'_>) -> fmt::Result {
    let Described {
        text,
        gradient,
        saved,
        ..
    } = plan;
    let names = label_names(text);
    let name = |label: Label| match plan.network.label(label) {
        LabelRef::Named(number) => names[number].clone(),
        LabelRef::Ellipsis(axis) => format!("[-{}]", axis + 1),
    };
    let forward = gradient.forward.cost(plan.sizes).multiply_adds;
    let all = gradient.cost(plan.sizes).multiply_adds;
    write!(
        f,
        "{text} and its gradients\n{} ({saved} elements)\n  multiply-adds: {forward} forward, {} backward",
        gradient.describe(&name),
        all - forward
    )
}
