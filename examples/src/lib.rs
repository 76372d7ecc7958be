//! What the runnable examples of `cteinsum` are made of, as a library so that tests can hold their results.

pub mod ising;
pub mod picture;
pub mod roads;
pub mod spins;
