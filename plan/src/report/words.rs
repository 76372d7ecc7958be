//! Terms, names and numbers as text.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::PlanReport;
use crate::{lower::Step, picture::shown, spec::Label};

/// Each label once, in order of first appearance.
pub(super) fn distinct(term: &[Label]) -> Vec<Label> {
    let mut seen = Vec::with_capacity(term.len());
    for &label in term {
        if !seen.contains(&label) {
            seen.push(label);
        }
    }
    seen
}

/// `12,345`; from 10^12 on `1.235e12`.
pub(super) fn number(n: u64) -> String {
    if n == u64::MAX {
        return String::from("over 1.8e19");
    }
    if n >= 1_000_000_000_000 {
        return format!("{:.3e}", n as f64);
    }
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12.3`, `456`, `1.2e7`.
pub(super) fn ratio(x: f64) -> String {
    match x {
        _ if !(1e-2..1e6).contains(&x) => format!("{x:.1e}"),
        _ if x < 100.0 => format!("{x:.1}"),
        _ => number(x as u64),
    }
}

impl PlanReport {
    pub(super) fn name(&self, label: Label) -> String {
        let name = self.names.get(usize::from(label));
        name.map_or_else(String::new, |name| name.chars().map(shown).collect())
    }

    /// The labels of a tensor in one word; names of several letters are set apart.
    pub(super) fn term(&self, labels: &[Label]) -> String {
        let names: Vec<String> = labels.iter().map(|&l| self.name(l)).collect();
        let apart = names.iter().any(|n| n.chars().count() > 1 && n != "...");
        names.join(if apart { " " } else { "" })
    }

    /// `ij,jk->ik`.
    pub(super) fn contraction(&self, step: &Step) -> String {
        let right = match step.right {
            Some(_) => format!(",{}", self.term(&step.right_labels)),
            None => String::new(),
        };
        format!(
            "{}{right}->{}",
            self.term(&step.left_labels),
            self.term(&step.result)
        )
    }

    /// The kind of a step, with the sums before it.
    pub(super) fn kind(&self, step: &Step) -> String {
        let kind = step.kind().name();
        let summed =
            step.right.is_some() && !(step.left_summed.is_empty() && step.right_summed.is_empty());
        format!("{}{kind}", if summed { "sum, " } else { "" })
    }

    /// The labels that stand in any operand.
    pub(super) fn labels_used(&self) -> Vec<Label> {
        distinct(&self.inputs.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123_456_789, "123,456,789"),
            (999_999_999_999, "999,999,999,999"),
            (1_234_500_000_000, "1.234e12"),
            (u64::MAX, "over 1.8e19"),
        ] {
            assert_eq!(number(n), text);
        }
        assert_eq!(
            [0.5, 12.34, 456.7, 123_456.0, 2e7, 0.001].map(ratio),
            ["0.5", "12.3", "456", "123,456", "2.0e7", "1.0e-3"]
        );
    }
}
