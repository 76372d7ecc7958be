//! Arrays whose lengths and strides are constants.

/// Where the elements of an array with constant lengths lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedStrides<'a> {
    /// The last axis is contiguous: nested arrays.
    RowMajor,
    /// The first axis is contiguous.
    ColumnMajor,
    /// One stride an axis, in elements; negative and zero are fine for operands.
    Given(&'a [isize]),
}

/// An operand, or the result, of an einsum whose lengths are all constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedArray<'a> {
    /// The length of each axis.
    pub shape: &'a [usize],
    /// The stride of each axis.
    pub strides: FixedStrides<'a>,
    /// Whether its elements count as conjugated; of no meaning for the result.
    pub conj: bool,
}

impl<'a> FixedArray<'a> {
    /// Nested arrays of this shape.
    #[inline]
    pub const fn row_major(shape: &'a [usize]) -> FixedArray<'a> {
        FixedArray {
            shape,
            strides: FixedStrides::RowMajor,
            conj: false,
        }
    }

    /// An array of this shape whose first axis is contiguous.
    #[inline]
    pub const fn column_major(shape: &'a [usize]) -> FixedArray<'a> {
        FixedArray {
            shape,
            strides: FixedStrides::ColumnMajor,
            conj: false,
        }
    }

    /// An array of this shape with these strides, in elements.
    #[inline]
    pub const fn strided(shape: &'a [usize], strides: &'a [isize]) -> FixedArray<'a> {
        assert!(shape.len() == strides.len(), "one stride an axis");
        FixedArray {
            shape,
            strides: FixedStrides::Given(strides),
            conj: false,
        }
    }

    /// The same array, its elements conjugated (or no longer so).
    #[inline]
    pub const fn conjugated(self) -> FixedArray<'a> {
        FixedArray {
            conj: !self.conj,
            ..self
        }
    }

    /// Number of elements.
    #[inline]
    pub const fn len(&self) -> usize {
        let (mut product, mut axis) = (1, 0);
        while axis < self.shape.len() {
            product *= self.shape[axis];
            axis += 1;
        }
        product
    }

    /// Whether an axis has length 0.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stride of an axis, in elements.
    #[inline]
    pub const fn stride(&self, axis: usize) -> isize {
        let (mut other, end) = match self.strides {
            FixedStrides::Given(strides) => return strides[axis],
            FixedStrides::RowMajor => (axis + 1, self.shape.len()),
            FixedStrides::ColumnMajor => (0, axis),
        };
        let mut stride = 1;
        while other < end {
            stride *= self.shape[other] as isize;
            other += 1;
        }
        stride
    }
}
