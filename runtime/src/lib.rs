//! Compile-time einsum.
