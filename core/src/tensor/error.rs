//! What can be wrong with a shape, its strides and the memory they are put on.

use core::fmt;

/// Why a tensor or a view could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// The vector or slice has not as many elements as the shape asks for.
    Length {
        /// The shape.
        shape: Vec<usize>,
        /// Elements of that shape.
        expected: usize,
        /// Elements given.
        found: usize,
    },
    /// A shape with more elements than memory could hold, or a view's index could count.
    TooLarge {
        /// The shape.
        shape: Vec<usize>,
    },
    /// An index of the view leads out of the slice.
    OutOfBounds {
        /// Position in the slice of the first element that the view reaches (in order of memory).
        lowest: i128,
        /// Position in the slice of the last element that the view reaches.
        highest: i128,
        /// Length of the slice.
        len: usize,
    },
    /// Two indices of a mutable view may lead to the same element.
    Overlap {
        /// The shape.
        shape: Vec<usize>,
        /// The strides.
        strides: Vec<isize>,
    },
    /// Not as many strides as axes.
    StrideCount {
        /// Axes of the shape.
        axes: usize,
        /// Strides given.
        strides: usize,
    },
    /// A tensor of run-time rank has another rank than the one asked for.
    Rank {
        /// The rank asked for.
        expected: usize,
        /// The rank the tensor has.
        found: usize,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Length {
                shape,
                expected,
                found,
            } => write!(
                f,
                "shape {shape:?} has {expected} elements, but {found} were given"
            ),
            LayoutError::TooLarge { shape } => {
                write!(f, "shape {shape:?} has more elements than memory can hold")
            }
            LayoutError::OutOfBounds {
                lowest,
                highest,
                len,
            } => write!(
                f,
                "the view reaches the elements {lowest} to {highest} of a slice of length {len}"
            ),
            LayoutError::Overlap { shape, strides } => write!(
                f,
                "shape {shape:?} with strides {strides:?} may reach an element twice, which a mutable view must not"
            ),
            LayoutError::StrideCount { axes, strides } => {
                write!(f, "{strides} strides for a shape of {axes} axes")
            }
            LayoutError::Rank { expected, found } => write!(
                f,
                "a tensor of rank {found} where rank {expected} is needed"
            ),
        }
    }
}

impl core::error::Error for LayoutError {}
