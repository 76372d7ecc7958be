//! Every kernel against a naive loop, on seeded random axes.

mod arrays;
mod contraction;
mod determinism;
mod oracle;
mod reduction;
mod routes;
mod side_by_side;
mod transposition;
