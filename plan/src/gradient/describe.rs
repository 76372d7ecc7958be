//! The steps in words.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::Gradient;
use crate::{lower::Step, spec::Label};

impl Gradient {
    /// A line for each step, forward and backward, and what the steps backward read: operands are numbers, `v0` is what
    /// step 0 makes, `y` the result, `dv0` a gradient. `name` says what a label is called.
    pub fn describe(&self, name: &dyn Fn(Label) -> String) -> String {
        let operands = self.saved.len() - self.forward.steps.len();
        let term = |labels: &[Label]| {
            let names: Vec<String> = labels.iter().map(|&label| name(label)).collect();
            let long = names.iter().any(|name| name.chars().nth(1).is_some());
            names.join(if long { " " } else { "" })
        };
        let tensor = |id: usize| match id.checked_sub(operands) {
            None => id.to_string(),
            Some(step) if step + 1 == self.forward.steps.len() => "y".to_string(),
            Some(step) => format!("v{step}"),
        };
        let line = |to: String, left: String, step: &Step| {
            let (factor, labels) = match step.right {
                Some(right) => (
                    format!("·{}", tensor(right)),
                    format!(",{}", term(&step.right_labels)),
                ),
                None => (String::new(), String::new()),
            };
            let (from, to_labels) = (term(&step.left_labels), term(&step.result));
            format!("  {to} = {left}{factor}    {from}{labels}->{to_labels}")
        };
        let mut text = String::new();
        for (s, step) in self.forward.steps.iter().enumerate() {
            text += &line(tensor(operands + s), tensor(step.left), step);
            text.push('\n');
        }
        for backward in &self.backward {
            let left = format!("d{}", tensor(backward.step.left));
            text += &line(format!("d{}", tensor(backward.of)), left, &backward.step);
            if !backward.spread.is_empty() {
                text += &format!(", the same along {}", term(&backward.spread));
            }
            text.push('\n');
        }
        let saved = self.saved.iter().enumerate().filter(|(_, saved)| **saved);
        let saved: Vec<String> = saved.map(|(id, _)| tensor(id)).collect();
        let saved = match saved.as_slice() {
            [] => "nothing".to_string(),
            list => list.join(", "),
        };
        text + "  saved: " + &saved
    }
}
