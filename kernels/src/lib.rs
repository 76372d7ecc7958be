//! Kernels: strided contractions, reductions and copies.
//!
//! Kernels know nothing of labels. A step is a [`Contraction`] or a [`Reduction`]: loops with strides for up to three
//! arrays. [`Prepared`] drops axes of length 1, fuses the others in each group where they chain on every array that
//! carries them, and takes the first row of this table that fits:
//!
//! | step | kernel | why there |
//! |---|---|---|
//! | C has no elements | [`Nothing`](Kernel::Nothing) | |
//! | a summed axis has length 0 | [`Scale`](Kernel::Scale) | `beta * C`; A and B are not read |
//! | no `k` | [`Product`](Kernel::Product) | elementwise, outer product, axpy: limited by memory |
//! | no `m`, no `n` | [`Dot`](Kernel::Dot) | several accumulators, blocks added pairwise |
//! | no `m` or no `n`, not small as for `Tiny` below | [`Gemv`](Kernel::Gemv) | the same kernel: along K where the operands are dense there, else one lane for each element of C |
//! | the batch has stride 1 in A, B and C, 16 items or more, `k` fuses, no complex numbers | [`BatchInner`](Kernel::BatchInner) | one item a lane, register tiles over `m x n` |
//! | the same for complex numbers and types of somebody else, small | [`LaneSums`](Kernel::LaneSums) | one item a lane, no tiles |
//! | `f32`, `f64`, integers of 16 to 64 bits; `m`, `n`, `k` fuse to one stride each, of length 16 or less (one of `m` and `n` may be missing) | [`Tiny`](Kernel::Tiny) | sums in registers, nothing to set up |
//! | floats with AVX-512; `m`, `n`, `k` fuse to one stride each; more than 2^17.6 multiplications, whole tiles (2^22 where rows of elements of four bytes are packed by turning them) | [`Packed`](Kernel::Packed) | panels are packed on the way, or read in their place: ahead of `faer` |
//! | floats, `m`, `n`, `k` fuse to one stride each, and the right-hand side is dense along K or small | [`Faer`](Kernel::Faer) | the fastest there is; loops over the batch |
//! | few multiplications, not the case above | [`Direct`](Kernel::Direct) | nothing to set up |
//! | everything else | [`Packed`](Kernel::Packed) | any strides, any type |
//! | one array, nothing summed | [`Copy`](Kernel::Copy) | runs or tiles |
//! | one array, axes summed | [`Sum`](Kernel::Sum) | as dot and gemv |
//!
//! What [`Prepared::route`] reports is what runs; [`small`] runs `Tiny` for what the table would give to it, without preparing
//! anything. A build without optimisation has none of `Tiny`, `BatchInner` and
//! `Packed`, and only the plain loops of the others: `Direct` serves instead.
//!
//! The crate belongs to `cteinsum`, which users add; its interface changes with that one.
//!
//! # Same bits
//!
//! Every kernel gives an element of C the same bits whatever the number of threads, the alignment of the data and the
//! element's place in a tile: C is shared out by elements, and sums are cut at fixed blocks, added in a fixed order.
//! Rounding depends on the lengths, the strides, the element type and the instruction set, and on nothing else.
// What chooses among instruction sets has nothing to choose from.
#![cfg_attr(
    not(any(x86_vectors, neon_vectors)),
    allow(dead_code, unused_imports, unused_labels)
)]

mod axis;
mod batch_inner;
mod blocks;
mod cascade;
mod copy;
mod decide;
mod direct;
mod element;
mod elementwise;
#[cfg(feature = "faer")]
mod faer_gemm;
mod far;
mod fuse;
mod hint;
mod isa;
mod kind;
mod lanes;
mod little;
mod operands;
mod pack_buffer;
mod packed;
mod pages;
mod prepared;
mod route;
mod scale;
mod share;
pub mod small;
mod square;
mod streamed;
mod sum;
mod team;
mod tiny;
mod transpose;
mod walk;

/// Whether the crate is compiled to be fast. Without optimisation it leaves out what a plain loop does as well.
const OPTIMISED: bool = cfg!(optimised);

pub use axis::{Axis, AxisList, Contraction, Reduction};
pub use element::Element;
pub use kind::{ElementType, Kind};
pub use operands::Operands;
pub use pack_buffer::PackBuffer;
pub use pages::large_pages;
pub use prepared::Prepared;
pub use route::{Kernel, Reason, Route};
pub use scale::Scale;
pub use team::{Team, TeamError};

#[cfg(test)]
mod tests;
