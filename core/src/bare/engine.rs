//! Operands as pointers with shapes and strides, without an engine to compute with.

#[allow(dead_code)] // what the engine asks of them
#[path = "../engine/raw.rs"]
mod raw;

pub use raw::{Raw, RawMut};
