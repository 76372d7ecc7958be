//! A plan for given sizes.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::{PlanReport, words};
use crate::{
    lower::Program,
    order::Tree,
    spec::Label,
    strategy::{Chooser, IntermediateTooLarge},
};

/// Why there is no plan for these sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizesError {
    /// A label has no size.
    Missing(String),
    /// The name is none of a label.
    Unknown(String),
    /// No order keeps within the limit on intermediates.
    Intermediate(IntermediateTooLarge),
}

impl fmt::Display for SizesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizesError::Missing(name) => write!(f, "label `{name}` has no size"),
            SizesError::Unknown(name) => {
                write!(f, "there is no label `{name}` in the subscripts")
            }
            SizesError::Intermediate(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SizesError {}

impl PlanReport {
    /// The plan for these sizes: the tree that a call chooses whose labels have these sizes in all operands.
    ///
    /// `...` is a label as well, all its axes together, of size 1 unless said otherwise.
    ///
    /// # Panics
    /// If a label has no size, a name is none of a label, or no order keeps within the limit on intermediates.
    #[track_caller]
    pub fn at<'a>(&self, sizes: impl IntoIterator<Item = (&'a str, usize)>) -> PlanReport {
        match self.try_at(sizes) {
            Ok(report) => report,
            Err(error) => panic!("einsum {}: {error}", self.text),
        }
    }

    /// The plan for these sizes.
    ///
    /// # Errors
    /// Where [`at`](PlanReport::at) panics.
    pub fn try_at<'a>(
        &self,
        sizes: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<PlanReport, SizesError> {
        let mut known: Vec<Option<usize>> = alloc::vec![None; self.names.len()];
        for (name, size) in sizes {
            match self.names.iter().position(|n| n == name) {
                Some(label) => known[label] = Some(size),
                None => return Err(SizesError::Unknown(name.to_string())),
            }
        }
        let mut sizes = Vec::with_capacity(known.len());
        for (size, name) in known.into_iter().zip(&self.names) {
            match size {
                Some(size) => sizes.push(size),
                None if name == "..." => sizes.push(1),
                None => return Err(SizesError::Missing(name.clone())),
            }
        }
        let carried = |term: &Vec<Label>| {
            let mut labels = words::distinct(term);
            labels.retain(|&l| sizes[usize::from(l)] != 1);
            labels
        };
        let inputs: Vec<Vec<Label>> = self.inputs.iter().map(carried).collect();
        let output = carried(&self.output);
        let strategy = self.strategy.clone();
        let mut chooser = Chooser::new(strategy, &self.inputs, &self.output, sizes.len());
        let chosen = chooser
            .choose(&inputs, &output, &sizes)
            .map_err(SizesError::Intermediate)?;
        let tree = Tree(chosen.to_vec());
        Ok(PlanReport {
            program: Program::lower(&inputs, &output, &tree.0),
            tree,
            sizes: Some(sizes),
            ..self.clone()
        })
    }
}
