//! A pullback in words.

use core::fmt;

use cteinsum_plan::{Label, LabelRef, Step, label_names};

use crate::gradient::plan::GradientPlan;

/// The steps forward and backward, what is saved, and what all of it costs.
pub(super) fn describe(f: &mut fmt::Formatter<'_>, plan: &GradientPlan, text: &str) -> fmt::Result {
    let names = label_names(text);
    let name = |label: Label| match plan.network.label(label) {
        LabelRef::Named(number) => names[number].clone(),
        LabelRef::Ellipsis(axis) => format!("…{axis}"),
    };
    let long = names.iter().any(|name| name.chars().nth(1).is_some())
        || plan.network.named < plan.network.labels;
    let term = |labels: &[Label]| {
        let labels: Vec<String> = labels.iter().map(|&l| name(l)).collect();
        labels.join(if long { " " } else { "" })
    };
    let operands = plan.operands();
    let tensor = |id: usize| match id.checked_sub(operands) {
        None => format!("{id}"),
        Some(step) if step + 1 == plan.forward.len() => "y".to_owned(),
        Some(step) => format!("v{step}"),
    };
    let subscripts = |step: &Step| {
        let right = step.right.map(|_| format!(",{}", term(&step.right_labels)));
        let right = right.unwrap_or_default();
        format!("{}{right}->{}", term(&step.left_labels), term(&step.result))
    };
    let factors = |left: String, right: Option<usize>| match right {
        Some(right) => format!("{left}·{}", tensor(right)),
        None => left,
    };
    writeln!(f, "{text} and its gradients")?;
    for (s, step) in plan.gradient.forward.steps.iter().enumerate() {
        writeln!(
            f,
            "  {} = {}    {}",
            tensor(operands + s),
            factors(tensor(step.left), step.right),
            subscripts(step)
        )?;
    }
    for backward in &plan.gradient.backward {
        let step = &backward.step;
        let spread = match backward.spread.as_slice() {
            [] => String::new(),
            labels => format!(", the same along {}", term(labels)),
        };
        writeln!(
            f,
            "  d{} = {}    {}{spread}",
            tensor(backward.of),
            factors(format!("d{}", tensor(step.left)), step.right),
            subscripts(step)
        )?;
    }
    let saved = plan
        .gradient
        .saved
        .iter()
        .enumerate()
        .filter(|(_, saved)| **saved);
    let saved: Vec<String> = saved.map(|(id, _)| tensor(id)).collect();
    let elements: usize = plan
        .values
        .iter()
        .flatten()
        .filter(|slot| slot.saved)
        .map(|slot| slot.len)
        .sum();
    let saved = if saved.is_empty() {
        "nothing".to_owned()
    } else {
        saved.join(", ")
    };
    writeln!(f, "  saved: {saved} ({elements} elements)")?;
    let forward = plan.gradient.forward.cost(&plan.sizes).multiply_adds;
    let all = plan.gradient.cost(&plan.sizes).multiply_adds;
    write!(
        f,
        "  multiply-adds: {forward} forward, {} backward",
        all - forward
    )
}
