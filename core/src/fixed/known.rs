//! What types say about the memory of operands and outputs: lengths and strides, where they are constants.

use core::marker::PhantomData;

use super::{FixedArray, FixedStrides};
use crate::dims::{Dims, Part};
use crate::engine::{Raw, RawMut};
use crate::operand::{Operand, OperandOfRank, OperandWithEllipsis};
use crate::output::{OperandMut, OutputLike, OutputOfRank};

/// Most axes of an array whose lengths count as constants.
const MOST_AXES: usize = 8;

/// The lengths of a list of axes, if all of them are constants.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    constant: bool,
    rank: usize,
    lens: [usize; MOST_AXES],
}

impl Lengths {
    /// Not all constants, or too many.
    pub const UNKNOWN: Lengths = Lengths {
        constant: false,
        rank: 0,
        lens: [1; MOST_AXES],
    };

    /// No axes.
    pub const NONE: Lengths = Lengths {
        constant: true,
        ..Lengths::UNKNOWN
    };

    /// With one more axis in front.
    pub const fn behind(mut self, first: Option<usize>) -> Lengths {
        match first {
            Some(len) if self.constant && self.rank < MOST_AXES => {
                let mut axis = self.rank;
                while axis > 0 {
                    self.lens[axis] = self.lens[axis - 1];
                    axis -= 1;
                }
                self.lens[0] = len;
                self.rank += 1;
                self
            }
            _ => Lengths::UNKNOWN,
        }
    }

    const fn part(mut self, part: Option<Part>) -> Lengths {
        if let Some(part) = part {
            let mut axis = 0;
            while axis < part.count {
                self.lens[axis] = self.lens[part.first + axis];
                axis += 1;
            }
            self.rank = part.count;
        }
        self
    }

    /// Whether all lengths are constants.
    pub const fn are_constant(&self) -> bool {
        self.constant
    }

    /// One length an axis; nothing if they are not constants.
    pub const fn as_slice(&self) -> &[usize] {
        self.lens.split_at(self.rank).0
    }
}

/// The memory of an operand or an output, as far as its type says.
pub trait Known {
    /// Which axes of the view the term names, if they are not all.
    const PART: Option<Part>;
    /// The lengths of these axes.
    const LENGTHS: &'static Lengths;
    /// The strides of the whole view.
    const STRIDES: Option<FixedStrides<'static>>;

    /// Whether lengths and strides are constants.
    const CONSTANT: bool =
        Self::LENGTHS.constant && (Self::LENGTHS.rank == 0 || Self::STRIDES.is_some());
    /// All of it; of no meaning unless it is constant.
    const ARRAY: FixedArray<'static> = FixedArray {
        shape: Self::LENGTHS.as_slice(),
        strides: match (Self::STRIDES, Self::PART) {
            (Some(FixedStrides::Given(strides)), Some(part)) => {
                FixedStrides::Given(strides.split_at(part.first).1.split_at(part.count).0)
            }
            (Some(strides), _) => strides,
            (None, _) => FixedStrides::RowMajor,
        },
        conj: false,
    };
}

/// Nothing known, of a number that its own type is open of: no axes.
#[derive(Debug)]
pub struct Number;
impl Known for Number {
    const PART: Option<Part> = None;
    const LENGTHS: &'static Lengths = &Lengths::NONE;
    const STRIDES: Option<FixedStrides<'static>> = None;
}

/// An operand with a term of `N` labels.
#[derive(Debug)]
pub struct OfRank<X: ?Sized, const N: usize>(PhantomData<X>);
impl<X: OperandOfRank<N> + ?Sized, const N: usize> Known for OfRank<X, N> {
    const PART: Option<Part> = X::PART;
    // Without labels the axes say nothing of a rank that is known only at run time.
    const LENGTHS: &'static Lengths = if N == 0 {
        &<X::Dims as Dims>::LENGTHS
    } else {
        &<X::Axes as Dims>::LENGTHS
    };
    const STRIDES: Option<FixedStrides<'static>> = <X as Operand>::STRIDES;
}

/// An operand with a term of `N` labels and `...`.
#[derive(Debug)]
pub struct WithEllipsis<X: ?Sized, const N: usize, const P: usize, const S: usize>(PhantomData<X>);
impl<X: OperandWithEllipsis<N, P, S> + ?Sized, const N: usize, const P: usize, const S: usize> Known
    for WithEllipsis<X, N, P, S>
{
    const PART: Option<Part> = X::PART;
    const LENGTHS: &'static Lengths = &<X::Dims as Dims>::LENGTHS.part(X::PART);
    const STRIDES: Option<FixedStrides<'static>> = <X as Operand>::STRIDES;
}

/// An output with a term of `N` labels.
#[derive(Debug)]
pub struct OutOfRank<X: ?Sized, const N: usize>(PhantomData<X>);
impl<X: OutputOfRank<N> + ?Sized, const N: usize> Known for OutOfRank<X, N> {
    const PART: Option<Part> = X::PART;
    const LENGTHS: &'static Lengths = if N == 0 {
        &<X::Dims as Dims>::LENGTHS
    } else {
        &<X::Axes as Dims>::LENGTHS
    };
    const STRIDES: Option<FixedStrides<'static>> = <X as OperandMut>::STRIDES;
}

/// An output with the axes `L`.
#[derive(Debug)]
pub struct OutLike<X: ?Sized, L>(PhantomData<(L, X)>);
impl<X: OutputLike<L> + ?Sized, L> Known for OutLike<X, L> {
    const PART: Option<Part> = X::PART;
    const LENGTHS: &'static Lengths = &<X::Dims as Dims>::LENGTHS.part(X::PART);
    const STRIDES: Option<FixedStrides<'static>> = <X as OperandMut>::STRIDES;
}

/// Whether a view is what its type says; without a loop, so that rustc sees it.
macro_rules! is {
    ($array:expr; $shape:expr, $strides:expr) => {
        is!($array; $shape, $strides; 0 1 2 3 4 5 6 7)
    };
    ($array:expr; $shape:expr, $strides:expr; $($axis:literal)*) => {
        $shape.len() == const { $array.shape.len() }
            $(&& match const { axis(&$array, $axis) } {
                Some((len, stride)) => $shape[$axis] == len && (stride.is_none() || stride == Some($strides[$axis])),
                None => true,
            })*
    };
}

/// The length of an axis, and the stride if it matters; nothing if there is no such axis.
const fn axis(array: &FixedArray<'_>, axis: usize) -> Option<(usize, Option<isize>)> {
    if axis >= array.shape.len() {
        return None;
    }
    let len = array.shape[axis];
    if len == 1 || array.is_empty() {
        return Some((len, None));
    }
    Some((len, Some(array.stride(axis))))
}

#[cold]
#[inline(never)]
#[track_caller]
fn differs() -> ! {
    panic!(
        "einsum: the view of an array differs from the lengths and strides that its type promises"
    )
}

/// The pointer to the elements of an operand whose lengths are constants.
///
/// # Panics
/// If the view is not what the type says.
#[inline(always)]
#[track_caller]
pub fn pointer<K: Known, U>(raw: Raw<'_, U>, conj: bool) -> *const U {
    let layout = raw.layout();
    if is!(K::ARRAY; layout.shape, layout.strides) && layout.conj == conj {
        return raw.ptr();
    }
    differs()
}

/// The pointer to the elements of an output whose lengths are constants.
///
/// # Panics
/// If the view is not what the type says.
#[inline(always)]
#[track_caller]
pub fn pointer_mut<K: Known, U>(raw: &RawMut<'_, U>) -> *mut U {
    if is!(K::ARRAY; raw.given.shape, raw.given.strides) {
        return raw.ptr;
    }
    differs()
}
