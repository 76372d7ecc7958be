//! Subscripts as written: terms, items and parentheses, each with its place in the text.

use crate::lists::Listed;
use alloc::{string::String, vec::Vec};

use crate::{
    diagnostic::{Diagnostic, Mistake},
    groups::Groups,
    parser,
    sorted::sort_by,
    spec::Span,
};

/// One label or `...` of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// Where it stands; a label's name is the text there.
    pub span: Span,
    /// `...` instead of a label.
    pub ellipsis: bool,
}

/// The labels of one operand, or of the output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Labels and `...` in order.
    pub items: Vec<Item>,
    /// From the first to the last item; a place between two characters for an empty term.
    pub span: Span,
}

/// The subscripts of an einsum, read but not yet checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subscripts {
    pub(crate) text: String,
    pub(crate) inputs: Vec<Term>,
    pub(crate) groups: Option<Groups>,
    pub(crate) output: Option<Term>,
    /// Commas and parentheses leave no doubt about which terms there are.
    pub(crate) inputs_clear: bool,
    /// What stands between inputs and output is `->`, or nothing, or a clear mistake for `->`.
    pub(crate) arrow_clear: bool,
    /// The output term (written or implicit) reads as its author meant it.
    pub(crate) output_clear: bool,
}

impl Subscripts {
    /// Subscripts that another notation has read. `text` stands for them in messages, the spans are places in it.
    pub fn new(
        text: String,
        inputs: Vec<Term>,
        groups: Option<Groups>,
        output: Term,
    ) -> Subscripts {
        Subscripts {
            text,
            inputs,
            groups,
            output: Some(output),
            inputs_clear: true,
            arrow_clear: true,
            output_clear: true,
        }
    }

    /// Reads subscripts.
    ///
    /// A label is one letter or digit ([`char::is_alphanumeric`]). White space between tokens means nothing; `->` and
    /// `...` are single tokens. Parentheses fix the order of contraction.
    ///
    /// # Errors
    /// Every mistake of the text, in the order of their places, one diagnostic each.
    pub fn parse(text: &str) -> Result<Subscripts, Vec<Diagnostic>> {
        let (subscripts, mistakes) = Subscripts::parse_lossy(text);
        if mistakes.is_empty() {
            Ok(subscripts)
        } else {
            Err(mistakes)
        }
    }

    /// Reads what can be read of any text, and says what was wrong.
    pub fn parse_lossy(text: &str) -> (Subscripts, Vec<Diagnostic>) {
        parser::parse(text)
    }

    /// Everything that the text and the number of operands settle: reads, checks and counts.
    ///
    /// The diagnostics are in the order of their places. What cannot be known after an earlier mistake (how many terms
    /// there are, say) is not complained about.
    pub fn diagnose(text: &str, operands: usize) -> (Subscripts, Vec<Diagnostic>) {
        let (subscripts, mut mistakes) = Subscripts::parse_lossy(text);
        if subscripts.arrow_clear {
            mistakes.extend(subscripts.check().err().into_iter().flatten());
        }
        mistakes.extend(subscripts.check_count(operands).err());
        sort_by(&mut mistakes, |a, b| a.span < b.span);
        (subscripts, mistakes)
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The terms of the operands.
    pub fn inputs(&self) -> &[Term] {
        &self.inputs
    }

    /// The output term, where one was written.
    pub fn output(&self) -> Option<&Term> {
        self.output.as_ref()
    }

    /// The parentheses, if they group anything.
    pub fn groups(&self) -> Option<&Groups> {
        self.groups.as_ref()
    }

    /// The name of a label: the text where it stands.
    pub fn name(&self, item: &Item) -> &str {
        &self.text[item.span.start..item.span.end]
    }

    /// Whether any term has a `...`.
    pub fn has_ellipsis(&self) -> bool {
        self.inputs
            .iter()
            .chain(&self.output)
            .any(|t| t.items.iter().any(|i| i.ellipsis))
    }

    /// Whether the text has a parenthesis, grouping or not.
    pub fn has_parentheses(&self) -> bool {
        self.text.contains(['(', ')'])
    }

    /// Number of axes of the output term, written or implicit, without its `...`; `None` if the term cannot be read.
    pub fn output_rank(&self) -> Option<usize> {
        if !self.output_clear {
            return None;
        }
        Some(match &self.output {
            Some(output) => output.items.iter().filter(|i| !i.ellipsis).count(),
            None => self
                .implicit_output()
                .iter()
                .filter(|i| !i.ellipsis)
                .count(),
        })
    }

    /// NumPy's output for subscripts without `->`: `...` if an input has one, then the labels that occur exactly once
    /// in all inputs, by code point.
    pub(crate) fn implicit_output(&self) -> Vec<Item> {
        let items = || self.inputs.iter().flat_map(|t| &t.items);
        let mut labels: Vec<&Item> = items().filter(|i| !i.ellipsis).listed();
        sort_by(&mut labels, |a, b| self.name(a) < self.name(b));
        let mut output: Vec<Item> = items().find(|i| i.ellipsis).into_iter().copied().listed();
        for run in labels.chunk_by(|a, b| self.name(a) == self.name(b)) {
            if let [once] = run {
                output.push(**once);
            }
        }
        output
    }

    /// Whether a term looks like several names: words of two letters or more, with a space between.
    fn has_words(&self) -> bool {
        self.inputs.iter().any(|term| {
            let words = self.text[term.span.start..term.span.end].split_whitespace();
            let (long, all) = words.fold((0, 0), |(long, all), word| {
                (long + usize::from(word.chars().nth(1).is_some()), all + 1)
            });
            all > 1 && long == all
        })
    }

    /// Compares the number of terms with the number of operands given.
    ///
    /// # Errors
    /// They differ. The diagnostic points at the terms that have no operand, or at all terms where there are too few.
    pub fn check_count(&self, operands: usize) -> Result<(), Diagnostic> {
        let terms = self.inputs.len();
        if terms == operands || !self.inputs_clear {
            return Ok(());
        }
        if operands == 0 && self.output.is_none() && terms == 1 && self.inputs[0].items.is_empty() {
            return Err(Diagnostic::new(Mistake::EmptySpec, Span::empty(0))
                .with_help("empty subscripts are those of one operand without axes"));
        }
        let missing = if operands < terms {
            &self.inputs[operands..]
        } else {
            &self.inputs[..]
        };
        let help = match (
            operands < terms,
            missing.len(),
            operands - terms.min(operands),
        ) {
            (true, 1, _) => String::from("this term has no operand"),
            (true, _, _) => String::from("these terms have no operand"),
            (false, 1, 1) => String::from("operand 1 has no term: terms are separated by `,`"),
            (false, _, 1) => alloc::format!("operand {terms} has no term"),
            (false, _, _) => alloc::format!("operands {terms} to {} have no term", operands - 1),
        };
        let help = match (operands < terms || missing.len() > 1) && self.has_words() {
            true => {
                help + "; a label is one letter, and names of more are labels in index notation"
            }
            false => help,
        };
        let mut spans = missing.iter().map(|t| t.span);
        let first = spans.next().unwrap_or(Span::empty(0));
        Err(
            Diagnostic::new(Mistake::OperandCount { terms, operands }, first)
                .also(spans)
                .with_help(help),
        )
    }
}
