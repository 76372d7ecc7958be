//! Mistakes in subscripts, and how they are told.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use crate::{
    picture::{picture, quoted},
    spec::Span,
};

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mistake {
    /// A character that is no label and no sign of the notation.
    BadCharacter {
        /// The character, or a run of equal ones.
        found: String,
        /// Whether it stands in the output term.
        output: bool,
    },
    /// Something that was meant as `->`.
    BadArrow {
        /// What stands there.
        found: String,
    },
    /// Dots that are not `...`.
    LoneDots {
        /// What stands there.
        found: String,
    },
    /// More than one `->`.
    DoubleArrow {
        /// How many.
        arrows: usize,
    },
    /// The output has several terms.
    CommaInOutput,
    /// Parentheses in the output.
    ParensInOutput {
        /// The first of them.
        found: char,
    },
    /// More than one `...` in a term.
    TwoEllipses {
        /// In the output term.
        output: bool,
        /// How many.
        found: usize,
    },
    /// A `(` that is not closed before the inputs end.
    UnclosedParen {
        /// The `)` is there, but after the `->`.
        closed_in_output: bool,
    },
    /// A `)` that closes nothing.
    UnopenedParen,
    /// `()`.
    EmptyParens,
    /// Two terms with nothing between them.
    MissingComma {
        /// What stands where the comma is missing.
        found: String,
    },
    /// A label of the output that no input has.
    UnknownOutputLabel {
        /// Its name.
        label: String,
    },
    /// As many terms as operands are needed.
    OperandCount {
        /// Terms of the subscripts.
        terms: usize,
        /// Operands given.
        operands: usize,
    },
    /// No operand at all, and nothing in the subscripts.
    EmptySpec,
    /// More different labels than a contraction can have.
    TooManyLabels,
}

impl Mistake {
    /// The kind of fault in a word, as the conformance data names it.
    pub fn class(&self) -> &'static str {
        match self {
            Mistake::BadCharacter { .. } => "bad-character",
            Mistake::BadArrow { .. } => "dangling-arrow",
            Mistake::LoneDots { .. } => "lone-dots",
            Mistake::DoubleArrow { .. } => "double-arrow",
            Mistake::CommaInOutput => "comma-in-output",
            Mistake::ParensInOutput { .. } => "parens-in-output",
            Mistake::TwoEllipses { output: false, .. } => "two-ellipses-in-term",
            Mistake::TwoEllipses { output: true, .. } => "two-ellipses-in-output",
            Mistake::UnclosedParen { .. } | Mistake::UnopenedParen => "unbalanced-parens",
            Mistake::EmptyParens => "empty-parens",
            Mistake::MissingComma { .. } => "missing-comma",
            Mistake::UnknownOutputLabel { .. } => "unknown-output-label",
            Mistake::OperandCount { .. } => "operand-count",
            Mistake::EmptySpec => "empty-spec",
            Mistake::TooManyLabels => "too-many-labels",
        }
    }
}

/// One line: what was expected and what was found.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        match self {
            Mistake::BadCharacter {
                found,
                output: false,
            } => {
                write!(f, "expected a label, `,` or `->`, found {}", quoted(found))
            }
            Mistake::BadCharacter {
                found,
                output: true,
            } => write!(f, "expected a label, found {}", quoted(found)),
            Mistake::BadArrow { found } => write!(f, "expected `->`, found {}", quoted(found)),
            Mistake::LoneDots { found } => write!(f, "expected `...`, found {}", quoted(found)),
            Mistake::DoubleArrow { arrows } => write!(f, "expected one `->`, found {arrows}"),
            Mistake::CommaInOutput => write!(f, "expected a label, found `,`"),
            Mistake::ParensInOutput { found } => write!(f, "expected a label, found `{found}`"),
            Mistake::TwoEllipses { output, found } => {
                let term = if *output { "the output" } else { "a term" };
                write!(f, "expected `...` once in {term}, found {found}")
            }
            Mistake::UnclosedParen {
                closed_in_output: false,
            } => {
                write!(f, "expected a `)` for this `(`, found none")
            }
            Mistake::UnclosedParen {
                closed_in_output: true,
            } => {
                write!(
                    f,
                    "expected the `)` for this `(` before `->`, found it after"
                )
            }
            Mistake::UnopenedParen => write!(f, "expected a `(` before this `)`, found none"),
            Mistake::EmptyParens => write!(f, "expected a term in the parentheses, found `()`"),
            Mistake::MissingComma { found } => write!(f, "expected `,`, found {}", quoted(found)),
            Mistake::UnknownOutputLabel { label } => {
                write!(f, "output label {} is in no input", quoted(label))
            }
            Mistake::OperandCount { terms, operands } => {
                let are = if *operands == 1 { "is" } else { "are" };
                let (s, t) = (plural(*terms), plural(*operands));
                write!(
                    f,
                    "the subscripts have {terms} term{s}, but {operands} operand{t} {are} given"
                )
            }
            Mistake::EmptySpec => write!(f, "expected at least one operand, found none"),
            Mistake::TooManyLabels => {
                write!(f, "expected fewer than 65,535 different labels, found more")
            }
        }
    }
}

/// A mistake and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// What is wrong.
    pub mistake: Mistake,
    /// Where.
    pub span: Span,
    /// Further places of the same mistake (the other commas of an output, say).
    pub also: Vec<Span>,
    help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(mistake: Mistake, span: Span) -> Diagnostic {
        Diagnostic {
            mistake,
            span,
            also: Vec::new(),
            help: None,
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn with(mut self, help: Option<String>) -> Diagnostic {
        self.help = help;
        self
    }

    pub(crate) fn also(mut self, spans: impl IntoIterator<Item = Span>) -> Diagnostic {
        self.also.extend(spans);
        self
    }

    /// One line: what was expected and what was found.
    pub fn message(&self) -> String {
        format!("{}", self.mistake)
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Message, the subscripts, and a line with carets under the place and the help behind them.
    ///
    /// `text` is the text that was parsed.
    pub fn render(&self, text: &str) -> String {
        let mut spans = alloc::vec![self.span];
        spans.extend(&self.also);
        format!(
            "{}\n{}",
            self.mistake,
            picture(text, &spans, self.help.as_deref().unwrap_or(""))
        )
    }
}
