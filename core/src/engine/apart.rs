//! Copies of what a call reads and writes, apart from where it was at hand.

use core::marker::PhantomData;

use crate::engine::{Raw, RawMut};

/// The axes of an operand of a product: three at most.
#[derive(Clone, Copy)]
struct Axes {
    rank: usize,
    shape: [usize; 3],
    strides: [isize; 3],
}

impl Axes {
    #[inline(always)]
    fn of(shape: &[usize], strides: &[isize]) -> Option<Self> {
        let (shape, strides, rank) = match (shape, strides) {
            ([], []) => ([0; 3], [0; 3], 0),
            (&[n], &[x]) => ([n, 0, 0], [x, 0, 0], 1),
            (&[m, n], &[x, y]) => ([m, n, 0], [x, y, 0], 2),
            (&[m, n, k], &[x, y, z]) => ([m, n, k], [x, y, z], 3),
            _ => return None,
        };
        Some(Axes {
            rank,
            shape,
            strides,
        })
    }

    fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }
}

/// A [`Raw`] with axes of its own.
pub(crate) struct Apart<'a, T> {
    bare: Raw<'a, T>,
    axes: Axes,
}

impl<'a, T> Apart<'a, T> {
    /// `None` if there are more axes than three.
    #[inline(always)]
    pub(crate) fn of(raw: &Raw<'a, T>) -> Option<Self> {
        let layout = raw.layout();
        let axes = Axes::of(layout.shape, layout.strides)?;
        Some(Apart {
            bare: raw.without_axes(),
            axes,
        })
    }

    pub(crate) fn raw(&self) -> Raw<'_, T> {
        // SAFETY: the operand has these axes: see `of`.
        unsafe { self.bare.with_axes(self.axes.shape(), self.axes.strides()) }
    }
}

/// A [`RawMut`] with axes of its own.
pub(crate) struct ApartMut<'a, T> {
    ptr: *mut T,
    axes: Axes,
    of: PhantomData<RawMut<'a, T>>,
}

impl<'a, T> ApartMut<'a, T> {
    /// `None` if there are more axes than three.
    #[inline(always)]
    pub(crate) fn of(raw: RawMut<'a, T>) -> Result<Self, RawMut<'a, T>> {
        match Axes::of(raw.given.shape, raw.given.strides) {
            Some(axes) => Ok(ApartMut {
                ptr: raw.ptr,
                axes,
                of: PhantomData,
            }),
            None => Err(raw),
        }
    }

    pub(crate) fn raw_mut(&mut self) -> RawMut<'_, T> {
        // SAFETY: the output has these axes, and this has taken its place: see `of`.
        unsafe { RawMut::of_parts(self.ptr, self.axes.shape(), self.axes.strides()) }
    }
}
