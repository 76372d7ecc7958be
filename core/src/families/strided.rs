//! Views of memory that another library vouches for, except that its views may have more elements than can be counted:
//! strides of 0 with any lengths.

use crate::tensor::check::checked_len;
#[cfg(feature = "mdarray")]
use crate::tensor::{DynTensorView, DynTensorViewMut};
use crate::tensor::{TensorView, TensorViewMut};

/// # Panics
/// If there are more indices than a `usize` counts.
fn check_count(shape: &[usize]) {
    assert!(
        checked_len::<()>(shape).is_some(),
        "einsum: an array of shape {shape:?} has more elements than a usize counts"
    );
}

/// The view whose index 0 is at `ptr`.
///
/// # Panics
/// If there are more indices than a `usize` counts.
///
/// # Safety
/// As long as the view lives, every index leads to a valid element that nobody writes to, all of them in one allocation.
#[inline]
pub(super) unsafe fn view<'a, T, const N: usize>(
    ptr: *const T,
    shape: [usize; N],
    strides: [isize; N],
) -> TensorView<'a, T, N> {
    check_count(&shape);
    // SAFETY: the caller promises all but the number of elements, which is checked.
    unsafe { TensorView::from_raw_parts(ptr, shape, strides) }
}

/// The mutable view whose index 0 is at `ptr`.
///
/// # Panics
/// If there are more indices than a `usize` counts.
///
/// # Safety
/// As long as the view lives, every index leads to a valid element that nobody else uses, another one for each, all of
/// them in one allocation.
#[inline]
pub(super) unsafe fn view_mut<'a, T, const N: usize>(
    ptr: *mut T,
    shape: [usize; N],
    strides: [isize; N],
) -> TensorViewMut<'a, T, N> {
    check_count(&shape);
    // SAFETY: the caller promises all but the number of elements, which is checked.
    unsafe { TensorViewMut::from_raw_parts(ptr, shape, strides) }
}

/// As [`view`], for a rank known at run time.
///
/// # Panics
/// As there, and if there is not one stride for each axis.
///
/// # Safety
/// As there.
#[cfg(feature = "mdarray")]
pub(super) unsafe fn dyn_view<'a, T>(
    ptr: *const T,
    shape: &[usize],
    strides: &[isize],
) -> DynTensorView<'a, T> {
    check_count(shape);
    // SAFETY: the caller promises all but the number of elements, which is checked.
    unsafe { DynTensorView::from_raw_parts(ptr, shape, strides) }
}

/// As [`view_mut`], for a rank known at run time.
///
/// # Panics
/// As there, and if there is not one stride for each axis.
///
/// # Safety
/// As there.
#[cfg(feature = "mdarray")]
pub(super) unsafe fn dyn_view_mut<'a, T>(
    ptr: *mut T,
    shape: &[usize],
    strides: &[isize],
) -> DynTensorViewMut<'a, T> {
    check_count(shape);
    // SAFETY: the caller promises all but the number of elements, which is checked.
    unsafe { DynTensorViewMut::from_raw_parts(ptr, shape, strides) }
}
