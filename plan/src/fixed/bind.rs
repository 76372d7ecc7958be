//! Labels bound to constant lengths: which operand carries which label, and with what stride.

use super::{FixedArray, MAX_LABELS, MAX_OPERANDS};
use crate::spec::{ELLIPSIS, Label, Spec};

/// A set of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelSet(pub u64);

impl LabelSet {
    /// No labels.
    pub const EMPTY: LabelSet = LabelSet(0);

    /// Whether the label is one of them.
    #[inline]
    pub const fn has(self, label: usize) -> bool {
        self.0 >> label & 1 == 1
    }

    /// The set and one label more.
    #[inline]
    pub const fn with(self, label: usize) -> LabelSet {
        LabelSet(self.0 | 1 << label)
    }

    /// The labels in either.
    #[inline]
    pub const fn or(self, other: LabelSet) -> LabelSet {
        LabelSet(self.0 | other.0)
    }

    /// The labels in both.
    #[inline]
    pub const fn and(self, other: LabelSet) -> LabelSet {
        LabelSet(self.0 & other.0)
    }

    /// The labels that are not in the other.
    #[inline]
    pub const fn without(self, other: LabelSet) -> LabelSet {
        LabelSet(self.0 & !other.0)
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The product of their sizes, saturating.
    #[inline]
    pub const fn size(self, sizes: &[usize; MAX_LABELS]) -> u64 {
        let (mut rest, mut product) = (self.0, 1u64);
        while rest != 0 {
            product = product.saturating_mul(sizes[rest.trailing_zeros() as usize] as u64);
            rest &= rest - 1;
        }
        product
    }
}

/// The labels of one array that have a length other than 1, and their strides: a diagonal has one label and the sum
/// of the strides.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The labels.
    pub labels: LabelSet,
    /// By label; 0 for a label that is not carried.
    pub strides: [isize; MAX_LABELS],
}

impl Carried {
    /// An array without axes.
    pub const SCALAR: Carried = Carried {
        labels: LabelSet::EMPTY,
        strides: [0; MAX_LABELS],
    };
}

/// An einsum with its constant lengths.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Number of operands.
    pub operands: usize,
    /// Size of each label; 1 for those that do not occur.
    pub sizes: [usize; MAX_LABELS],
    /// What each operand carries.
    pub inputs: [Carried; MAX_OPERANDS],
    /// What the result carries.
    pub output: Carried,
    /// Whether a label of the output stands at several axes of length other than 1: off the diagonal the result is 0.
    pub diagonal: bool,
    /// Bit p: operand p is conjugated.
    pub conj: u32,
    /// Bit p: operand p is of real numbers, in a call of complex ones.
    pub real: u32,
}

impl Bound {
    /// Whether the operands and labels are within the capacity of a fixed plan.
    #[inline]
    pub const fn fits(spec: &Spec<'_>, arrays: &[FixedArray<'_>]) -> bool {
        spec.inputs.len() <= MAX_OPERANDS && named(spec) + covered(spec, arrays) <= MAX_LABELS
    }

    /// Binds the labels of `spec` to the axes of the operands and of the result; nothing if lengths disagree, which is
    /// for others to report.
    ///
    /// # Panics
    ///
    /// Where the arrays do not fit the subscripts: numbers of operands and axes. In const evaluation that is a compile
    /// error.
    #[inline]
    pub const fn new(
        spec: &Spec<'_>,
        arrays: &[FixedArray<'_>],
        output: &FixedArray<'_>,
    ) -> Option<Bound> {
        assert!(spec.inputs.len() == arrays.len(), "one array a term");
        assert!(Bound::fits(spec, arrays), "beyond the capacity");
        let named = named(spec);
        let mut sizes = [1; MAX_LABELS];
        let mut p = 0;
        while p < arrays.len() {
            let (shape, term) = (arrays[p].shape, spec.inputs[p]);
            let mut axis = 0;
            while axis < shape.len() {
                let label = label_at(term, shape.len(), axis, named);
                if shape[axis] != 1 {
                    if sizes[label] != 1 && sizes[label] != shape[axis] {
                        return None;
                    }
                    sizes[label] = shape[axis];
                }
                axis += 1;
            }
            p += 1;
        }
        let mut inputs = [Carried::SCALAR; MAX_OPERANDS];
        let (mut conj, mut p) = (0, 0);
        while p < arrays.len() {
            let Some((input, _)) = carried(spec.inputs[p], &arrays[p], named) else {
                return None;
            };
            inputs[p] = input;
            conj |= (arrays[p].conj as u32) << p;
            p += 1;
        }
        let mut axis = 0;
        while axis < output.shape.len() {
            let label = label_at(spec.output, output.shape.len(), axis, named);
            if output.shape[axis] != sizes[label] {
                return None;
            }
            axis += 1;
        }
        let Some((output, diagonal)) = carried(spec.output, output, named) else {
            return None;
        };
        Some(Bound {
            operands: arrays.len(),
            sizes,
            inputs,
            output,
            diagonal,
            conj,
            real: 0,
        })
    }

    /// The labels that operands outside of `inside` (bit p: operand p) or the output need.
    #[inline]
    pub(super) const fn needed_outside(&self, inside: usize) -> LabelSet {
        let (mut needed, mut p) = (self.output.labels, 0);
        while p < self.operands {
            if inside >> p & 1 == 0 {
                needed = needed.or(self.inputs[p].labels);
            }
            p += 1;
        }
        needed
    }

    /// Whether an array carries the label.
    #[inline]
    pub(super) const fn uses(&self, label: usize) -> bool {
        self.needed_outside(0).has(label)
    }

    /// Whether a label has length 0: then every sum is empty, or the result has no elements.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        let mut label = 0;
        while label < MAX_LABELS {
            if self.sizes[label] == 0 {
                return true;
            }
            label += 1;
        }
        false
    }
}

/// The number of labels with a name.
#[inline]
pub(super) const fn named(spec: &Spec<'_>) -> usize {
    let (mut names, mut p) = (0, 0);
    while p < spec.inputs.len() {
        let mut i = 0;
        while i < spec.inputs[p].len() {
            let label = spec.inputs[p][i];
            if label != ELLIPSIS && label as usize >= names {
                names = label as usize + 1;
            }
            i += 1;
        }
        p += 1;
    }
    names
}

/// The number of axes that `...` covers in the operand where it covers most.
#[inline]
const fn covered(spec: &Spec<'_>, arrays: &[FixedArray<'_>]) -> usize {
    let (mut most, mut p) = (0, 0);
    while p < spec.inputs.len() {
        let (rank, term) = (arrays[p].shape.len(), spec.inputs[p]);
        if rank + 1 > term.len() + most && has_ellipsis(term) {
            most = rank + 1 - term.len();
        }
        p += 1;
    }
    most
}

#[inline]
const fn has_ellipsis(term: &[Label]) -> bool {
    let mut i = 0;
    while i < term.len() {
        if term[i] == ELLIPSIS {
            return true;
        }
        i += 1;
    }
    false
}

/// The label of an axis of a term. The axes of `...` follow the named labels, counted from the right.
#[inline]
pub(super) const fn label_at(term: &[Label], rank: usize, axis: usize, named: usize) -> usize {
    let mut at = 0;
    while at < term.len() && term[at] != ELLIPSIS {
        at += 1;
    }
    if at == term.len() {
        assert!(rank == term.len(), "as many axes as labels");
        return term[axis] as usize;
    }
    assert!(rank + 1 >= term.len(), "at least as many axes as labels");
    let end = rank + at + 1 - term.len();
    if axis < at {
        term[axis] as usize
    } else if axis < end {
        named + (end - 1 - axis)
    } else {
        term[axis + term.len() - rank] as usize
    }
}

/// What an array carries, and whether a label of length other than 1 stands at several of its axes; nothing if such a
/// label has length 1 at another one.
#[inline]
const fn carried(term: &[Label], array: &FixedArray<'_>, named: usize) -> Option<(Carried, bool)> {
    let mut carried = Carried::SCALAR;
    let (mut diagonal, mut ones) = (false, LabelSet::EMPTY);
    let mut axis = 0;
    while axis < array.shape.len() {
        let label = label_at(term, array.shape.len(), axis, named);
        if array.shape[axis] == 1 {
            ones = ones.with(label);
        } else {
            diagonal |= carried.labels.has(label);
            carried.labels = carried.labels.with(label);
            carried.strides[label] += array.stride(axis);
        }
        axis += 1;
    }
    if ones.and(carried.labels).is_empty() {
        Some((carried, diagonal))
    } else {
        None
    }
}
