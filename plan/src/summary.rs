//! An einsum and its order in one line.

use crate::lists::{Listed, joined};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    check::Checked,
    cost::{Kind, Polynomial},
    lower::Program,
    order::Tree,
    picture::shown,
    sorted::insert,
    spec::{ELLIPSIS, Label},
    strategy::{Rule, Strategy},
};

/// Characters up to which subscripts, a tree or a polynomial are written out.
const ROOM: usize = 72;

impl Checked {
    /// The steps for a tree, before any rank or size is known: `...` counts as one axis, with the label after the last
    /// named one.
    pub fn program(&self, tree: &Tree) -> Program {
        let (carried, output) = self.distinct_labels();
        Program::lower(&carried, &output, &tree.0)
    }

    /// The einsum in one line: what it is for one or two operands, the tree for more, and the flops as a polynomial in
    /// the sizes; shortened if long.
    ///
    /// `einsum ij,jk->ik: gemm, 2·i·j·k flops`, `einsum ij,jk,kl->il: (0·1)·2, 2·i·j·k + 2·i·k·l flops`.
    pub fn summary(&self, tree: &Tree) -> String {
        let program = self.program(tree);
        let what = match self.inputs.len() {
            0 => String::from("no operands"),
            1 => self.one_operand(&program),
            2 => self.two_operands(&program),
            operands => {
                let tree = tree.text(operands);
                if tree.chars().count() <= ROOM {
                    tree
                } else {
                    format!("{operands} operands")
                }
            }
        };
        let flops = program.flops();
        let subscripts = shortened(self.subscripts());
        if flops.terms.is_empty() {
            return format!("einsum {subscripts}: {what}");
        }
        format!(
            "einsum {subscripts}: {what}, {}",
            flops.short(&|label| self.size_name(label))
        )
    }

    /// [`summary`](Checked::summary) for an order that may not be settled: the tree is that of equal or expected sizes.
    pub fn describe(&self, strategy: &Strategy) -> String {
        let summary = self.summary(&strategy.tree);
        let how = match &strategy.rule {
            Rule::Settled => return summary,
            Rule::Exact => "the best order",
            Rule::Greedy => "the greedy order",
            Rule::Search { .. } => "the best order found",
            Rule::Among(trees) if trees.len() < 2 => return summary,
            Rule::Among(trees) => {
                return format!(
                    "{summary} at equal sizes, for the real ones the best of {} orders",
                    trees.len()
                );
            }
        };
        format!("{summary} at equal sizes, {how} for the real ones")
    }

    /// The name of a label in a cost: `[...]` for the one that stands for the axes of `...`.
    fn size_name(&self, label: Label) -> String {
        match self.names.get(usize::from(label)) {
            Some(name) => name.chars().map(shown).collect(),
            None => String::from("[...]"),
        }
    }

    /// The subscripts without white space, the output written out.
    fn subscripts(&self) -> String {
        if self.text.starts_with('[') {
            return self.text.clone();
        }
        let term = |labels: &Vec<Label>| -> String {
            labels
                .iter()
                .map(|&l| {
                    if l == ELLIPSIS {
                        "...".to_string()
                    } else {
                        self.size_name(l)
                    }
                })
                .collect()
        };
        let inputs: Vec<String> = self.inputs.iter().map(term).listed();
        format!("{}->{}", joined(&inputs, ","), term(&self.output))
    }

    fn one_operand(&self, program: &Program) -> String {
        let repeated = |labels: &[Label]| {
            let mut seen = Vec::new();
            !labels.iter().all(|label| insert(&mut seen, label))
        };
        let kind = program.steps.first().map_or(Kind::Copy, |step| step.kind());
        let mut what = Vec::new();
        match (repeated(&self.inputs[0]), kind) {
            (true, Kind::Sum) if self.output.is_empty() => what.push("trace"),
            (true, Kind::Copy) => what.push("diagonal"),
            (true, _) => what.extend(["diagonal", kind.name()]),
            (false, Kind::Copy) if repeated(&self.output) => {}
            (false, _) => what.push(kind.name()),
        }
        if repeated(&self.output) {
            what.push("onto the diagonal");
        }
        joined(&what, ", ")
    }

    fn two_operands(&self, program: &Program) -> String {
        let Some(step) = program.steps.first() else {
            return String::new();
        };
        let mut what = Vec::new();
        if !step.left_summed.is_empty() || !step.right_summed.is_empty() {
            what.push("sum");
        }
        what.push(step.kind().name());
        joined(&what, ", ")
    }
}

impl Polynomial {
    /// `2·i·j·k flops`, or what of it has room: the terms of the highest degree say how it scales.
    pub(crate) fn short(&self, name: &dyn Fn(Label) -> String) -> String {
        let text = self.text(name);
        if text.chars().count() <= ROOM {
            return format!("{text} flops");
        }
        let degrees = self.terms.iter().map(|(_, labels)| labels.len());
        let degree = degrees.max().unwrap_or(0);
        let leading = self.terms.iter().filter(|(_, l)| l.len() == degree);
        let mut leading = Polynomial {
            terms: leading.cloned().listed(),
        };
        let all = leading.terms.len();
        while !leading.terms.is_empty() {
            let text = leading.text(name);
            if text.chars().count() <= ROOM {
                let more = if leading.terms.len() < all {
                    " + …"
                } else {
                    ""
                };
                return format!("about {text}{more} flops");
            }
            let half = leading.terms.len() / 2;
            leading.terms.truncate(half);
        }
        format!("flops of degree {degree}")
    }
}

/// A text as it is if it is short, else its beginning.
fn shortened(text: String) -> String {
    match text.char_indices().nth(ROOM) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

impl Tree {
    /// `(0·1)·2`; empty for a single operand.
    pub fn text(&self, operands: usize) -> String {
        let count = operands + self.0.len();
        let root = count.saturating_sub(1);
        let mut text = String::new();
        // What is still to be written, last first.
        enum Part {
            Tensor(usize),
            Sign(char),
        }
        let mut parts = alloc::vec![Part::Tensor(root)];
        while let Some(part) = parts.pop() {
            match part {
                Part::Sign(sign) => text.push(sign),
                Part::Tensor(leaf) if leaf < operands => text.push_str(&leaf.to_string()),
                Part::Tensor(id) => {
                    let (left, right) = self.0[id - operands];
                    if id != root {
                        parts.push(Part::Sign(')'));
                    }
                    parts.extend([
                        Part::Tensor(right as usize),
                        Part::Sign('·'),
                        Part::Tensor(left as usize),
                    ]);
                    if id != root {
                        parts.push(Part::Sign('('));
                    }
                }
            }
        }
        text
    }
}
