//! The arrays of other libraries, each behind a feature of its name: as operands, behind `out =`, and as results.
//!
//! | feature | operands and `out =` | results |
//! |---|---|---|
//! | `ndarray` | `ArrayBase` of every storage and `ArrayRef`, `Ix0` to `Ix6` and `IxDyn` | `Array`, row-major; `ArrayD` beyond six axes and beside `...` of a rank known at run time only |
//! | `faer` (default) | `Mat`, `Col`, `Row` and their `Ref` and `Mut` | `Col`, `Mat`; tensors above two axes |
//! | `mdarray` | `Array`, `View`, `ViewMut` and `Slice`: constant and run-time lengths up to six axes, and `DynRank` | `Array`, row-major, with constant lengths where they are known; `DynRank` beyond six axes and beside `...` of a rank known at run time only |
//! | `nalgebra` | `Matrix` of every storage: static, dynamic and mixed dimensions, owned and views; one label or two for a vector | `SVector`, `SMatrix`, `DVector`, `DMatrix` and those of one static dimension, column-major; tensors above two axes |
//!
//! Nothing is copied on the way in: views keep their strides, negative ones and 0 as well. The result is of the family
//! of the first operand that has one ([`Family`](crate::Family)); without axes it is the element. A type from outside
//! joins by [`Operand`](crate::Operand), [`OperandMut`](crate::OperandMut) and [`Results`](crate::Results), as these do.

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "mdarray")]
mod mdarray;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(any(feature = "faer", feature = "mdarray", feature = "nalgebra"))]
mod strided;

#[cfg(feature = "faer")]
pub use self::faer::Faer;

#[cfg(feature = "mdarray")]
pub use self::mdarray::Mdarray;
#[cfg(feature = "nalgebra")]
pub use self::nalgebra::Nalgebra;
#[cfg(feature = "ndarray")]
pub use self::ndarray::Ndarray;
