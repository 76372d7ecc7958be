//! Labels as small integers, and what the output may name.

use crate::lists::Listed;
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    diagnostic::{Diagnostic, Mistake},
    groups::Groups,
    sorted::Numbers,
    spec::{ELLIPSIS, Label, Span, Spec},
    subscripts::{Item, Subscripts},
    suggest::unknown_label,
};

/// A checked einsum: what a [`Spec`] borrows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checked {
    /// The subscripts as written; for integer labels `[0,1],[1,2]->[0,2]`, for names of several letters
    /// `[row,mid],[mid,col]->[row,col]`.
    pub text: String,
    /// The name of each label, in order of first appearance.
    pub names: Vec<String>,
    /// The labels of each operand's axes; [`ELLIPSIS`] at most once a term.
    pub inputs: Vec<Vec<Label>>,
    /// The labels of the result's axes; [`ELLIPSIS`] at most once.
    pub output: Vec<Label>,
    /// The subscripts have no `->`.
    pub implicit_output: bool,
    /// The parentheses, if they group anything.
    pub groups: Option<Groups>,
}

impl Checked {
    /// The same, borrowed, with a contraction tree of it.
    ///
    /// `inputs` is room for the borrowed terms: `let inputs: Vec<_> = checked.inputs.iter().map(Vec::as_slice).collect()`.
    pub fn spec<'a>(&'a self, inputs: &'a [&'a [Label]], tree: &'a [(u32, u32)]) -> Spec<'a> {
        Spec::new(&self.text, inputs, &self.output, tree)
    }
}

impl Subscripts {
    /// Numbers the labels and checks that the output names known ones.
    ///
    /// After [`parse_lossy`](Subscripts::parse_lossy) it reports what can be said of a text with other mistakes.
    ///
    /// # Errors
    /// One diagnostic for each label of the output that no input has, with the likeliest label as help.
    pub fn check(&self) -> Result<Checked, Vec<Diagnostic>> {
        let mut numbers = Numbers::new();
        let mut names: Vec<String> = Vec::new();
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for term in &self.inputs {
            let mut labels = Vec::with_capacity(term.items.len());
            for item in &term.items {
                if item.ellipsis {
                    labels.push(ELLIPSIS);
                    continue;
                }
                let name = self.name(item);
                // `ELLIPSIS` and the label that stands for it while orders are chosen are taken.
                if names.len() + 2 > usize::from(ELLIPSIS) && numbers.get(&name).is_none() {
                    return Err(alloc::vec![Diagnostic::new(
                        Mistake::TooManyLabels,
                        item.span
                    )]);
                }
                let (label, new) = numbers.number(name);
                if new {
                    names.push(name.to_string());
                }
                labels.push(label as Label);
            }
            inputs.push(labels);
        }
        let implicit = self.output.is_none().then(|| self.implicit_output());
        let items = implicit
            .as_ref()
            .or(self.output.as_ref().map(|t| &t.items))
            .map_or(&[][..], Vec::as_slice);
        let mut output = Vec::with_capacity(items.len());
        let mut unknown: Vec<(&str, Vec<Span>)> = Vec::new();
        for item in items {
            let name = self.name(item);
            match (item.ellipsis, numbers.get(&name)) {
                (true, _) => output.push(ELLIPSIS),
                (false, Some(label)) => output.push(label as Label),
                (false, None) => match unknown.iter_mut().find(|(seen, _)| *seen == name) {
                    Some((_, spans)) => spans.push(item.span),
                    None => unknown.push((name, alloc::vec![item.span])),
                },
            }
        }
        if !unknown.is_empty() {
            return Err(self.report_unknown(unknown, &names, items));
        }
        Ok(Checked {
            text: self.text.clone(),
            names,
            inputs,
            output,
            implicit_output: self.output.is_none(),
            groups: self.groups.clone(),
        })
    }

    fn report_unknown(
        &self,
        unknown: Vec<(&str, Vec<Span>)>,
        names: &[String],
        output: &[Item],
    ) -> Vec<Diagnostic> {
        // How often each label occurs in the inputs, and whether it is free to be what was meant.
        let mut candidates: Vec<(&str, usize)> = names
            .iter()
            .map(|name| {
                let items = self.inputs.iter().flat_map(|t| &t.items);
                (
                    name.as_str(),
                    items
                        .filter(|i| !i.ellipsis && self.name(i) == name)
                        .count(),
                )
            })
            .listed();
        candidates.retain(|(name, _)| !output.iter().any(|i| !i.ellipsis && self.name(i) == *name));
        unknown
            .into_iter()
            .map(|(name, spans)| {
                let help = unknown_label(name, &mut candidates, names);
                let mistake = Mistake::UnknownOutputLabel {
                    label: name.to_string(),
                };
                Diagnostic::new(mistake, spans[0])
                    .also(spans[1..].iter().copied())
                    .with_help(help)
            })
            .listed()
    }
}
