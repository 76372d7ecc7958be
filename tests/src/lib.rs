//! What the tests of cteinsum stand on: the conformance data, element types, layouts in memory, and a naive
//! einsum that shares nothing with the crate it judges.

pub mod access;
pub mod data;
pub mod element;
pub mod gradient;
pub mod layout;
pub mod oracle;
pub mod outcome;
pub mod random;
pub mod rustc;
pub mod specs;
