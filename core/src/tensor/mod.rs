//! Tensors and views: just enough of an array type to hold what einsum reads and writes.
//!
//! | | owned, row-major | borrowed, any strides | borrowed mutably |
//! |---|---|---|---|
//! | rank `N` | [`Tensor`] | [`TensorView`] | [`TensorViewMut`] |
//! | rank known at run time | [`DynTensor`] | [`DynTensorView`] | [`DynTensorViewMut`] |
//!
//! `layout` and `short` hold shapes and strides, `check` the tests that a layout must pass, `raw` the memory
//! behind it (the only unsafe code of this module). Everything else is written on top of those in safe code.

pub(crate) mod check;
mod compare;
mod convert;
mod display;
mod error;
mod index;
mod layout;
mod methods;
mod operands;
mod owned;
mod raw;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod short;
mod slice;
mod view;
mod view_mut;

#[cfg(test)]
mod tests;

pub use error::LayoutError;
pub use owned::{DynTensor, Tensor};
pub use raw::{Iter, IterMut};
pub use slice::{Slice, s};
pub use view::{DynTensorView, TensorView};
pub use view_mut::{DynTensorViewMut, TensorViewMut};
