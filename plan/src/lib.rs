//! Subscripts, networks, costs, orders and contraction trees: everything about an einsum that needs no numbers.
//!
//! The way of an einsum through this crate:
//!
//! ```text
//! text ─ Subscripts::parse ─▶ Subscripts ─ check ─▶ Checked ─ tree ─▶ Tree        (compile time, or Einsum::parse)
//!                                                      │ network(ranks)
//!                                                      ▼
//!                              shapes ─ bind ─▶ Network ─ lower ─▶ Program        (run time)
//! ```
//!
//! The macro and the run-time entry points share all of it, so that a spec means the same wherever it is read.
//! The crate is pure: no numbers, no clock, no randomness, no order that depends on hashing.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod fixed;
mod product;
mod spec;

pub use product::Product;
pub use spec::{Choice, Cost, ELLIPSIS, Label, Span, Spec, TermRef};

#[cfg(feature = "alloc")]
mod candidates;
#[cfg(feature = "alloc")]
mod check;
#[cfg(any(feature = "report", feature = "gradient"))]
mod cost;
#[cfg(feature = "alloc")]
mod diagnostic;
#[cfg(feature = "alloc")]
mod draft;
#[cfg(any(feature = "report", feature = "gradient"))]
mod estimate;
#[cfg(feature = "alloc")]
mod evaluate;
#[cfg(feature = "alloc")]
mod exact;
#[cfg(feature = "gradient")]
mod gradient;
#[cfg(feature = "alloc")]
mod greedy;
#[cfg(feature = "alloc")]
mod groups;
#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "alloc")]
mod labels;
#[cfg(feature = "alloc")]
mod layout;
#[cfg(feature = "alloc")]
mod lexer;
#[cfg(feature = "alloc")]
mod lists;
#[cfg(feature = "alloc")]
mod locate;
#[cfg(feature = "alloc")]
mod lookalike;
#[cfg(feature = "alloc")]
mod lower;
#[cfg(feature = "alloc")]
mod model;
#[cfg(feature = "alloc")]
mod nested;
#[cfg(feature = "alloc")]
mod network;
#[cfg(feature = "alloc")]
mod order;
#[cfg(feature = "alloc")]
mod parser;
#[cfg(feature = "alloc")]
mod picture;
#[cfg(feature = "alloc")]
mod plain;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "alloc")]
mod request;
#[cfg(feature = "alloc")]
mod search;
#[cfg(feature = "alloc")]
mod sizes;
#[cfg(feature = "alloc")]
mod sorted;
#[cfg(feature = "alloc")]
mod strategy;
#[cfg(feature = "alloc")]
mod subscripts;
#[cfg(feature = "alloc")]
mod suggest;
#[cfg(feature = "report")]
mod summary;
#[cfg(feature = "alloc")]
mod width;
#[cfg(feature = "alloc")]
mod words;

#[cfg(feature = "alloc")]
pub use self::{
    check::Checked,
    diagnostic::{Diagnostic, Mistake},
    draft::Draft,
    greedy::greedy,
    groups::{Groups, Member},
    labels::LabelsError,
    lists::Listed,
    locate::{axis_span, label_names, term_span},
    lower::{Program, Step},
    network::{LabelRef, Network, RankError},
    order::{Order, OrderError, Tree},
    picture::picture,
    request::Request,
    sizes::{AxisSize, SizeError},
    sorted::sort_by,
    strategy::{Chooser, Chosen, IntermediateTooLarge, Rule, Strategy},
    subscripts::{Item, Subscripts, Term},
};
#[cfg(any(feature = "report", feature = "gradient"))]
pub use cost::{Kind, Polynomial, StepCost};
#[cfg(feature = "gradient")]
pub use gradient::{Backward, Gradient, gradient_tree};
#[cfg(feature = "report")]
pub use report::{Plan, PlanReport, SizesError};
