//! The tests that shape and strides must pass before they are put on memory.
//!
//! All arithmetic is checked or wide enough for whatever numbers come in.

use super::error::LayoutError;
use super::layout::Extents;

/// The most elements of `size` bytes that one allocation may hold.
fn most(size: usize) -> usize {
    match size {
        0 => usize::MAX,
        size => isize::MAX as usize / size,
    }
}

fn count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |n, &len| n.checked_mul(len))
}

/// Number of elements of a tensor of `T`; `None` if that is more than `isize::MAX` bytes.
pub(crate) fn checked_len<T>(shape: &[usize]) -> Option<usize> {
    checked_len_of(shape, size_of::<T>())
}

/// [`checked_len`], the element type as its size in bytes.
pub(crate) fn checked_len_of(shape: &[usize], size: usize) -> Option<usize> {
    count(shape).filter(|&n| n <= most(size))
}

/// A tensor of `T` of this shape can be, and has the `found` elements that there are.
#[inline]
pub(crate) fn check_len<T>(shape: &[usize], found: usize) -> Result<(), LayoutError> {
    // So many fit into memory, because they are there.
    let count = shape.iter().try_fold(1usize, |n, &len| n.checked_mul(len));
    if count == Some(found) {
        return Ok(());
    }
    check_other_len::<T>(shape, found)
}

#[cold]
fn check_other_len<T>(shape: &[usize], found: usize) -> Result<(), LayoutError> {
    match checked_len::<T>(shape) {
        Some(expected) if expected == found => Ok(()),
        Some(expected) => Err(LayoutError::Length {
            shape: shape.to_vec(),
            expected,
            found,
        }),
        None => Err(LayoutError::TooLarge {
            shape: shape.to_vec(),
        }),
    }
}

/// Every index leads from element `offset` to one inside a slice of length `len`, and the indices can be counted.
///
/// Nothing is asked of the strides and the offset of a view without elements.
pub(crate) fn check_bounds(
    layout: &impl Extents,
    offset: usize,
    len: usize,
) -> Result<(), LayoutError> {
    let shape = layout.shape();
    if count(shape).is_none() {
        return Err(LayoutError::TooLarge {
            shape: shape.to_vec(),
        });
    }
    if layout.is_empty() {
        return Ok(());
    }
    // A product is below 2^127, so one alone fits; a sum may not.
    let (mut lowest, mut highest) = (offset as i128, offset as i128);
    for (&len, &stride) in shape.iter().zip(layout.strides()) {
        let reach = (len as i128 - 1) * stride as i128;
        if reach < 0 {
            lowest = lowest.saturating_add(reach);
        } else {
            highest = highest.saturating_add(reach);
        }
    }
    if lowest < 0 || highest >= len as i128 {
        return Err(LayoutError::OutOfBounds {
            lowest,
            highest,
            len,
        });
    }
    Ok(())
}

/// No two indices lead to the same element.
///
/// Sufficient, and necessary for every layout that permuting, slicing, reversing and taking diagonals make of a
/// contiguous one: ordered by the size of their strides, each axis (longer than 1) steps over all that the axes
/// before it reach together. Then the axes are digits of a number with mixed radix, and two different indices differ
/// in memory already by their highest different digit. Some interleaved layouts are refused although no
/// two of their indices meet, such as the shape `[3, 2]` with the strides `[2, 3]`: telling these apart in
/// general is a knapsack problem.
pub(crate) fn check_no_overlap(layout: &impl Extents) -> Result<(), LayoutError> {
    if layout.is_empty() {
        return Ok(());
    }
    let axes = || {
        layout
            .shape()
            .iter()
            .zip(layout.strides())
            .filter(|&(&len, _)| len > 1)
            .map(|(&len, &stride)| (stride.unsigned_abs(), len))
    };
    // Without sorting, hence without an allocation: all that smaller strides reach, for each axis. Of equal strides
    // neither steps over the other.
    let fits = axes().enumerate().all(|(k, (stride, _))| {
        let reach = axes()
            .enumerate()
            .filter(|&(other, (smaller, _))| other != k && smaller <= stride)
            .fold(0u128, |sum, (_, (smaller, len))| {
                sum.saturating_add(smaller as u128 * (len as u128 - 1))
            });
        stride as u128 > reach
    });
    if fits {
        Ok(())
    } else {
        Err(LayoutError::Overlap {
            shape: layout.shape().to_vec(),
            strides: layout.strides().to_vec(),
        })
    }
}
