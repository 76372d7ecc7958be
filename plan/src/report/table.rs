//! A plan as a table.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Write};

use super::{
    PlanReport,
    words::{number, ratio},
};
use crate::{
    cost::{Polynomial, StepCost},
    lower::Step,
    spec::Label,
    strategy::Rule,
    width::columns,
};

/// Characters up to which an order is written out.
const ROOM: usize = 100;

impl fmt::Display for PlanReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &[])
    }
}

impl PlanReport {
    /// The table, with a last column of notes, one a step; without it if there are none.
    ///
    /// # Errors
    /// If the formatter fails.
    pub fn write(&self, f: &mut fmt::Formatter<'_>, notes: &[String]) -> fmt::Result {
        writeln!(f, "einsum {}", self.text)?;
        self.heading(f)?;
        writeln!(f)?;
        self.steps(f, notes)
    }

    fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |name: &str, text: &str| writeln!(f, "  {name:<22}{text}");
        let operands = self.operands();
        if operands > 1 {
            let how = self.how();
            let tree = self.tree.text(operands);
            if tree.chars().count() <= ROOM {
                line("order", &format!("{tree}{how}"))?;
            } else {
                line("order", &format!("{operands} operands{how}"))?;
            }
        }
        if operands > 2 {
            line("to keep it", &self.order())?;
        }
        let used = self.labels_used();
        if let Some(sizes) = &self.sizes {
            let size = |&l: &Label| format!("{} {}", self.name(l), sizes[usize::from(l)]);
            let sizes: Vec<String> = used.iter().map(size).collect();
            line("sizes", &sizes.join(", "))?;
        }
        let name = |label| self.name(label);
        let flops = self.program.flops();
        let degree = flops.terms.iter().map(|(_, l)| l.len()).max().unwrap_or(0);
        let naive = Polynomial {
            terms: alloc::vec![((operands - 1).max(1) as u64, used.clone())],
        };
        let mut naive = naive.text(name);
        if naive.chars().count() > ROOM {
            naive = format!("{} times the product of all sizes", operands - 1);
        }
        line(
            "one loop over all",
            &match &self.sizes {
                Some(_) => format!(
                    "{naive} = {} multiply-adds",
                    ratio(self.naive_multiply_adds())
                ),
                None => format!("{naive} multiply-adds"),
            },
        )?;
        line("these steps", &flops.short(&name))?;
        let scaling = format!("{degree} labels at once instead of {}", used.len());
        if self.sizes.is_some() {
            let StepCost {
                multiply_adds,
                additions,
            } = self.cost();
            let more = match additions {
                0 => String::new(),
                n => format!(" and {} additions", number(n)),
            };
            let flops = number(self.flops());
            line(
                "",
                &format!(
                    "= {flops} flops: {} multiply-adds{more}",
                    number(multiply_adds)
                ),
            )?;
            line("scaling", &scaling)?;
            line("speed-up", &format!("{} times", ratio(self.speed_up())))?;
            line(
                "largest result",
                &format!("{} elements", number(self.largest())),
            )?;
            let peak = self.peak();
            let bytes = peak.saturating_mul(self.element_bytes);
            line(
                "peak workspace",
                &format!("{} elements, {} bytes", number(peak), number(bytes)),
            )?;
            line("bytes moved", &number(self.bytes()))?;
        } else {
            line("scaling", &scaling)?;
            if let Some(largest) = self.longest_result() {
                line("largest result", &largest)?;
            }
        }
        Ok(())
    }

    /// How the order was chosen, behind it.
    fn how(&self) -> &'static str {
        match (&self.strategy.rule, &self.sizes) {
            (Rule::Settled, _) => "",
            (Rule::Exact, Some(_)) => ", the best of all for these sizes",
            (Rule::Exact, None) => " at equal sizes; the best of all for the real ones",
            (Rule::Greedy, Some(_)) => ", the greedy one for these sizes",
            (Rule::Greedy, None) => " at equal sizes; the greedy one for the real ones",
            (Rule::Among(_) | Rule::Search { .. }, Some(_)) => {
                ", the best that was found for these sizes"
            }
            (Rule::Search { .. }, None) => {
                " at equal sizes; the best that is found for the real ones"
            }
            (Rule::Among(_), None) => {
                " at equal sizes; the best of those prepared for the real ones"
            }
        }
    }

    /// The result of most labels, as a product.
    fn longest_result(&self) -> Option<String> {
        let results = self.program.steps.iter().map(|step| &step.result);
        // The first of the longest ones.
        let longest = results.rev().max_by_key(|labels| labels.len())?;
        let product = Polynomial {
            terms: alloc::vec![(1, longest.clone())],
        };
        Some(format!("{} elements", product.text(|l| self.name(l))))
    }

    fn steps(&self, f: &mut fmt::Formatter<'_>, notes: &[String]) -> fmt::Result {
        let mut rows: Vec<Vec<String>> = Vec::with_capacity(self.program.steps.len() + 1);
        let sized = self.sizes.is_some();
        let mut header = alloc::vec!["tensor", "pair", "contraction", "kind", "multiply-adds"];
        if sized {
            header.extend(["=", "elements"]);
        }
        if !notes.is_empty() {
            header.push("kernels");
        }
        rows.push(header.into_iter().map(String::from).collect());
        for (at, step) in self.program.steps.iter().enumerate() {
            let pair = match step.right {
                Some(right) => format!("{}·{right}", step.left),
                None => format!("{}", step.left),
            };
            let mut row = alloc::vec![
                format!("{}", self.operands() + at),
                pair,
                self.contraction(step),
                self.kind(step),
                self.step_polynomial(step),
            ];
            if sized {
                let StepCost { multiply_adds, .. } = self.step_cost(step);
                row.extend([number(multiply_adds), number(self.volume(&step.result))]);
            }
            row.extend(notes.get(at).cloned());
            rows.push(row);
        }
        let width = |text: &String| text.chars().map(columns).sum::<usize>();
        let count = rows[0].len();
        let widths: Vec<usize> = (0..count)
            .map(|c| {
                rows.iter()
                    .filter_map(|row| row.get(c))
                    .map(width)
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for row in &rows {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let room = widths[c] - width(cell);
                // Numbers to the right.
                let right = c == 0 || (sized && (c == 5 || c == 6));
                let (before, behind) = if right { (room, 0) } else { (0, room) };
                write!(line, "  {:before$}{cell}{:behind$}", "", "")?;
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// `i·j·k`, and the sums before.
    fn step_polynomial(&self, step: &Step) -> String {
        let product = |labels: &[Label]| {
            let mut labels = labels.to_vec();
            labels.sort_unstable();
            Polynomial {
                terms: alloc::vec![(1, labels)],
            }
            .text(|l| self.name(l))
        };
        let mut text = match step.right {
            Some(_) => product(&step.product()),
            None => String::from("0"),
        };
        for labels in step.sums() {
            text.push_str(" + sum of ");
            text.push_str(&product(labels));
        }
        text
    }
}
