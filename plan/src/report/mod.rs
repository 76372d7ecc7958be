//! What a plan says about itself: costs, tables, pictures. Pure functions of one value, [`PlanReport`].

mod constant;
mod costs;
#[cfg(feature = "gradient")]
mod gradients;
mod graph;
mod layout;
mod orders;
mod sized;
mod svg;
mod table;
mod words;

use alloc::{string::String, vec::Vec};

pub use self::{constant::Plan, sized::SizesError};
use crate::{
    check::Checked,
    locate::label_names,
    lower::{Program, Step},
    network::{LabelRef, Network},
    order::Tree,
    request::USUAL_SIZE,
    spec::{Cost, ELLIPSIS, Label, Spec},
    strategy::{Rule, Strategy},
};

/// An einsum and its order of contraction, with the sizes of its labels if they are known.
///
/// Its [`Display`](core::fmt::Display) is a table: the order, what it costs and what a loop over all labels would, then
/// a line for each step. Without sizes, costs are polynomials, and the tree is that of equal (or expected) sizes.
///
/// ```
/// use cteinsum_plan::{Plan, Spec};
///
/// const PLAN: Plan = Plan::new(Spec::new(
///     "ij,jk,kl->il",
///     &[&[0, 1], &[1, 2], &[2, 3]],
///     &[0, 3],
///     &[(0, 1), (3, 2)],
/// ));
/// let report = PLAN.at([("i", 2), ("j", 3), ("k", 4), ("l", 5)]);
/// assert_eq!(report.multiply_adds(), 2 * 3 * 4 + 2 * 4 * 5);
/// assert_eq!(report.flops(), 2 * report.multiply_adds());
/// assert_eq!(report.path(), [[0, 1], [0, 1]]);
/// assert_eq!(report.order(), "order = tree([(0, 1), (3, 2)])");
/// ```
#[derive(Clone, Debug)]
pub struct PlanReport {
    text: String,
    /// By label; the last one stands for `...` unless its axes are known.
    names: Vec<String>,
    inputs: Vec<Vec<Label>>,
    output: Vec<Label>,
    strategy: Strategy,
    tree: Tree,
    program: Program,
    /// By label.
    sizes: Option<Vec<usize>>,
    element_bytes: u64,
}

impl PlanReport {
    /// Of a macro's constant, before sizes are known.
    pub fn of_spec(spec: &Spec<'_>) -> PlanReport {
        let inputs: Vec<Vec<Label>> = spec.inputs.iter().map(|term| term.to_vec()).collect();
        let (names, strategy) = (label_names(spec.text), Strategy::of_spec(spec));
        PlanReport::before_sizes(spec.text.into(), names, inputs, spec.output, strategy)
    }

    /// Of an einsum and its strategy, before sizes are known.
    pub fn of_checked(checked: &Checked, strategy: Strategy) -> PlanReport {
        let (text, names) = (checked.text.clone(), checked.names.clone());
        PlanReport::before_sizes(
            text,
            names,
            checked.inputs.clone(),
            &checked.output,
            strategy,
        )
    }

    /// Of a contraction whose shapes are known: the steps that run, for these sizes of the labels of `network`.
    pub fn of_program(
        text: &str,
        network: &Network,
        sizes: &[usize],
        program: &Program,
    ) -> PlanReport {
        let pair = |step: &Step| Some((step.left as u32, step.right? as u32));
        let tree = Tree(program.steps.iter().filter_map(pair).collect());
        let mut names = label_names(text);
        for label in names.len()..network.labels {
            names.push(match network.label(label as Label) {
                LabelRef::Named(number) => alloc::format!("{number}"),
                LabelRef::Ellipsis(axis) => alloc::format!("[-{}]", axis + 1),
            });
        }
        PlanReport {
            text: text.into(),
            names,
            inputs: network.inputs.clone(),
            output: network.output.clone(),
            strategy: Strategy {
                tree: tree.clone(),
                rule: Rule::Settled,
                groups: None,
                cost: Cost::Time,
                max_intermediate: None,
            },
            tree,
            program: program.clone(),
            sizes: Some(sizes.to_vec()),
            element_bytes: 8,
        }
    }

    fn before_sizes(
        text: String,
        mut names: Vec<String>,
        mut inputs: Vec<Vec<Label>>,
        output: &[Label],
        mut strategy: Strategy,
    ) -> PlanReport {
        let dots = names.len() as Label;
        names.push("...".into());
        let mut output = output.to_vec();
        for label in inputs.iter_mut().flatten().chain(&mut output) {
            if *label == ELLIPSIS {
                *label = dots;
            }
        }
        let carried: Vec<Vec<Label>> = inputs.iter().map(|term| words::distinct(term)).collect();
        let kept = words::distinct(&output);
        if strategy.tree.0.len() + 1 < inputs.len() {
            // The sizes decide; until they are known, equal ones.
            let sizes = alloc::vec![USUAL_SIZE; names.len()];
            let unlimited = Strategy {
                max_intermediate: None,
                ..strategy.clone()
            };
            let network = Network {
                inputs: inputs.clone(),
                output: output.clone(),
                labels: names.len(),
                named: names.len(),
            };
            if let Ok(draft) = unlimited.draft(Some(&network), &carried, &kept, &sizes) {
                strategy.tree = draft.tree;
            }
        }
        let tree = strategy.tree.clone();
        let program = Program::lower(&carried, &kept, &tree.0);
        PlanReport {
            text,
            names,
            inputs,
            output,
            strategy,
            tree,
            program,
            sizes: None,
            element_bytes: 8,
        }
    }

    /// The same for elements of so many bytes; 8 (`f64`) unless said otherwise. Bytes are counted by it.
    #[must_use]
    pub fn element_bytes(mut self, bytes: usize) -> PlanReport {
        self.element_bytes = bytes as u64;
        self
    }

    /// The subscripts as written.
    pub fn subscripts(&self) -> &str {
        &self.text
    }

    /// The lowered steps.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn operands(&self) -> usize {
        self.inputs.len()
    }
}
