//! What the runnable examples of `cteinsum` are made of, as a library so that tests can hold their results.

pub mod attention;
pub mod heisenberg;
pub mod ising;
pub mod picture;
pub mod roads;
pub mod spins;
