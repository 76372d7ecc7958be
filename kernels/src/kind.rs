//! The element types that have kernels of their own.

use crate::element::Element;

/// An element type as kernels see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `Complex<f32>`.
    C32,
    /// `Complex<f64>`.
    C64,
    /// 8-bit integers.
    U8,
    /// 16-bit integers.
    U16,
    /// 32-bit integers.
    U32,
    /// 64-bit integers.
    U64,
    /// 128-bit integers.
    U128,
    /// `f32`, max and +.
    MaxF32,
    /// `f64`, max and +.
    MaxF64,
    /// `f32`, min and +.
    MinF32,
    /// `f64`, min and +.
    MinF64,
    /// A type of somebody else.
    Other,
}

impl Kind {
    /// Whether this is `other`, for constant conditions: code behind one that is false is not even compiled.
    pub(crate) const fn is(self, other: Kind) -> bool {
        self as u8 == other as u8
    }

    /// Whether the type is one of ours and its own conjugate.
    pub(crate) const fn is_real(self) -> bool {
        !matches!(self, Kind::C32 | Kind::C64 | Kind::Other)
    }

    /// Whether `faer` has kernels for the type.
    #[cfg(feature = "faer")]
    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64 | Kind::C32 | Kind::C64)
    }
}

/// An element type as a value: what the choice of a kernel and the places of intermediates depend on.
///
/// A call is prepared from this instead of a type parameter, so that the code for it is compiled once.
#[derive(Clone, Copy, Debug)]
pub struct ElementType {
    /// Its kernels.
    pub kind: Kind,
    /// In bytes.
    pub size: usize,
    /// In bytes.
    pub align: usize,
}

impl ElementType {
    /// `T` as a value.
    pub const fn of<T: Element>() -> ElementType {
        ElementType {
            kind: T::KIND,
            size: size_of::<T>(),
            align: align_of::<T>(),
        }
    }
}
