//! Exact orders of few tensors: dynamic programming over all their subsets.
//!
//! Bellman's principle holds for every [`Cost`](crate::Cost): what a subset of the operands is contracted to does not
//! depend on how, so the cheapest tree is a cheapest split into two subsets with a cheapest tree each. All splits are
//! looked at, outer products and labels of three or more operands included.

mod dominance;
mod problem;
mod solve;
mod table;

pub(crate) use problem::Problem;
pub(crate) use solve::{Solution, solve, solve_connected, solve_within};
pub(crate) use table::{FewPairs, Table};

/// Operands up to which the order is exact for the real sizes.
pub(crate) const MOST: usize = 6;
