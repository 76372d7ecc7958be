//! Contractions of two tensors by axis numbers, for those who have no labels.

use crate::einsum::Einsum;
use crate::engine::{MemoryOrder, Raw, plan::Plan, with_default_engine};
use crate::error::{AxesError, EinsumError};
use crate::operand::Operand;
use crate::scalar::Scalar;
use crate::tensor::DynTensor;
use cteinsum_plan::Listed;

/// Which axes of two operands belong together.
///
/// The lists of a pair have one length, and the axes at one position belong together. The result's axes are the
/// batch axes in the order given, then the left operand's remaining axes, then the right operand's, each in their
/// own order.
///
/// That is the order of `jax.lax.dot_general` as well. What differs: an axis may be named in any order and no
/// preferred element type exists; as there, lengths must be equal, so that a length of 1 does not broadcast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotDimensions<'a> {
    /// Axes summed over: of the left operand, of the right operand.
    pub contracting: (&'a [usize], &'a [usize]),
    /// Axes that both operands share and the result keeps.
    pub batch: (&'a [usize], &'a [usize]),
}

/// The general product of two tensors: batch axes, contracted axes, and the free axes of either operand.
///
/// ```
/// use cteinsum::{DotDimensions, Tensor, dot_general};
/// # fn main() -> Result<(), cteinsum::EinsumError> {
/// let a = Tensor::from_fn([5, 2, 3], |[b, i, k]| (b + i * k) as f64);
/// let b = Tensor::from_fn([3, 5, 4], |[k, b, j]| (k * b + j) as f64);
/// let c = dot_general(&a, &b, DotDimensions { contracting: (&[2], &[0]), batch: (&[0], &[1]) })?;
/// assert_eq!(c.shape(), [5, 2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`EinsumError::Axes`] if an axis does not exist or is named twice, or if the lists of a pair differ in length,
/// or if two lengths differ.
pub fn dot_general<T, A, B>(
    left: &A,
    right: &B,
    dimensions: DotDimensions<'_>,
) -> Result<DynTensor<T>, EinsumError>
where
    T: Scalar,
    A: Operand<Elem = T> + ?Sized,
    B: Operand<Elem = T> + ?Sized,
{
    let (left, right) = (left.operand_view(), right.operand_view());
    let operands = [Raw::new(&left), Raw::new(&right)];
    let einsum = labelled(
        operands[0].layout().shape,
        operands[1].layout().shape,
        dimensions,
    )?;
    let fresh = with_default_engine(|engine| {
        T::__einsum(
            engine,
            Plan::Once(&einsum),
            &operands,
            MemoryOrder::RowMajor,
        )
    })?;
    Ok(fresh.into_dyn())
}

/// The axes that [`tensordot`] sums over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensordotAxes<'a> {
    /// The last `n` axes of the left operand with the first `n` of the right one, in order.
    Last(usize),
    /// These axes of the left operand with those of the right one.
    Pairs(&'a [usize], &'a [usize]),
}

impl From<usize> for TensordotAxes<'_> {
    fn from(n: usize) -> Self {
        TensordotAxes::Last(n)
    }
}

impl<'a> From<(&'a [usize], &'a [usize])> for TensordotAxes<'a> {
    fn from((left, right): (&'a [usize], &'a [usize])) -> Self {
        TensordotAxes::Pairs(left, right)
    }
}

impl<'a, const N: usize> From<(&'a [usize; N], &'a [usize; N])> for TensordotAxes<'a> {
    fn from((left, right): (&'a [usize; N], &'a [usize; N])) -> Self {
        TensordotAxes::Pairs(left, right)
    }
}

/// NumPy's `tensordot`: sums over pairs of axes. The result's axes are the left operand's remaining axes, then the
/// right operand's, each in their own order.
///
/// ```
/// use cteinsum::{Tensor, tensordot};
/// # fn main() -> Result<(), cteinsum::EinsumError> {
/// let a = Tensor::from_fn([2, 3, 4], |[i, j, k]| (i + j + k) as f64);
/// let b = Tensor::from_fn([3, 4, 5], |[j, k, l]| (j * k + l) as f64);
/// assert_eq!(tensordot(&a, &b, 2)?.shape(), [2, 5]);
/// assert_eq!(tensordot(&a, &b, (&[1], &[0]))?.shape(), [2, 4, 4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`dot_general`].
pub fn tensordot<'a, T, A, B>(
    left: &A,
    right: &B,
    axes: impl Into<TensordotAxes<'a>>,
) -> Result<DynTensor<T>, EinsumError>
where
    T: Scalar,
    A: Operand<Elem = T> + ?Sized,
    B: Operand<Elem = T> + ?Sized,
{
    use crate::operand::View;
    match axes.into() {
        TensordotAxes::Pairs(l, r) => dot_general(
            left,
            right,
            DotDimensions {
                contracting: (l, r),
                batch: (&[], &[]),
            },
        ),
        TensordotAxes::Last(n) => {
            let rank = left.operand_view().shape().len();
            let first = rank
                .checked_sub(n)
                .ok_or(EinsumError::Axes(AxesError::TooMany { count: n, rank }))?;
            let l: Vec<usize> = (first..rank).listed();
            let r: Vec<usize> = (0..n).listed();
            dot_general(
                left,
                right,
                DotDimensions {
                    contracting: (&l, &r),
                    batch: (&[], &[]),
                },
            )
        }
    }
}

/// The same contraction in labels.
fn labelled(
    left: &[usize],
    right: &[usize],
    dimensions: DotDimensions<'_>,
) -> Result<Einsum, EinsumError> {
    const FREE: usize = usize::MAX;
    let shapes = [left, right];
    let mut labels = [vec![FREE; left.len()], vec![FREE; right.len()]];
    let mut next = 0;
    for (lists, name) in [
        (dimensions.batch, "batch"),
        (dimensions.contracting, "contracting"),
    ] {
        if lists.0.len() != lists.1.len() {
            return Err(EinsumError::Axes(AxesError::Count {
                kind: name,
                left: lists.0.len(),
                right: lists.1.len(),
            }));
        }
        for (&l, &r) in lists.0.iter().zip(lists.1) {
            for (operand, axis) in [(0, l), (1, r)] {
                let rank = shapes[operand].len();
                let label = labels[operand].get_mut(axis).ok_or(EinsumError::Axes(
                    AxesError::OutOfRange {
                        operand,
                        axis,
                        rank,
                    },
                ))?;
                if *label != FREE {
                    return Err(EinsumError::Axes(AxesError::Repeated { operand, axis }));
                }
                *label = next;
            }
            if left[l] != right[r] {
                return Err(EinsumError::Axes(AxesError::Length {
                    axes: (l, r),
                    lengths: (left[l], right[r]),
                }));
            }
            next += 1;
        }
    }
    let mut output: Vec<usize> = (0..dimensions.batch.0.len()).listed();
    for label in labels.iter_mut().flatten().filter(|label| **label == FREE) {
        *label = next;
        output.push(next);
        next += 1;
    }
    Einsum::new(&[&labels[0], &labels[1]], &output)
}
