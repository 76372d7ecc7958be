//! The strides of arrays without gaps, and of labels.

use cteinsum_plan::Label;

use crate::engine::raw::MemoryOrder;

/// One stride a label. A label that stands twice walks the diagonal: its strides add up. Axes of length 1 repeat
/// their element, so they have no stride.
pub(super) fn label_strides(
    labels: &[Label],
    shape: &[usize],
    strides: &[isize],
) -> Vec<(Label, isize)> {
    let mut sums: Vec<(Label, isize)> = Vec::with_capacity(labels.len());
    for ((&label, &len), &stride) in labels.iter().zip(shape).zip(strides) {
        if len == 1 {
            continue;
        }
        match sums.iter_mut().find(|(l, _)| *l == label) {
            Some((_, sum)) => *sum = sum.wrapping_add(stride),
            None => sums.push((label, stride)),
        }
    }
    sums
}

/// The strides of a row-major tensor.
pub(crate) fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut stride: isize = 1;
    for (s, &len) in strides.iter_mut().zip(shape).rev() {
        *s = stride;
        // Wraps only where another length is 0: the number of elements was checked.
        stride = stride.wrapping_mul(len as isize);
    }
    strides
}

/// The strides of a result without gaps.
pub(super) fn strides_of(shape: &[usize], order: MemoryOrder) -> Vec<isize> {
    match order {
        MemoryOrder::RowMajor => row_major(shape),
        MemoryOrder::ColumnMajor => column_major(shape),
    }
}

/// The strides of a column-major tensor.
fn column_major(shape: &[usize]) -> Vec<isize> {
    let reversed: Vec<usize> = shape.iter().rev().copied().collect();
    let mut strides = row_major(&reversed);
    strides.reverse();
    strides
}
