//! The arrays of other libraries, each behind a feature of its name: as operands, behind `out =`, and as results.
//!
//! | feature | operands and `out =` | results |
//! |---|---|---|
//! | `ndarray` | `ArrayBase` of every storage and `ArrayRef`, `Ix0` to `Ix6` and `IxDyn` | `Array`, row-major; `ArrayD` beyond six axes and beside `...` of a rank known at run time only |
//!
//! Nothing is copied on the way in: views keep their strides, negative ones and 0 as well. The result is of the family
//! of the first operand that has one ([`Family`](crate::Family)); without axes it is the element. A type from outside
//! joins by [`Operand`](crate::Operand), [`OperandMut`](crate::OperandMut) and [`Results`](crate::Results), as these do.

#[cfg(feature = "ndarray")]
mod ndarray;

#[cfg(feature = "ndarray")]
pub use self::ndarray::Ndarray;
