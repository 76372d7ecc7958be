//! One step as loops: which axis vectors lie along, which ones make the rows of a register tile.

use super::step::{FixedAxis, FixedGroup, FixedPlace, FixedStep};
use super::{Bound, LabelSet, MAX_AXES, MAX_LABELS};

/// An array of a step: an operand, an intermediate or the result.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) place: FixedPlace,
    pub(super) labels: LabelSet,
    pub(super) strides: [isize; MAX_LABELS],
    pub(super) conj: bool,
    /// Whether its elements are real numbers, in a call of complex ones.
    pub(super) real: bool,
}

impl Value {
    pub(super) const ABSENT: Value = Value {
        place: FixedPlace::Absent,
        labels: LabelSet::EMPTY,
        strides: [0; MAX_LABELS],
        conj: false,
        real: false,
    };

    /// A complex array as the array of its parts, which has an axis more; without the imaginary ones if not `all`.
    #[inline]
    const fn in_parts(&self, all: bool) -> Value {
        let mut value = *self;
        if self.real || matches!(self.place, FixedPlace::Absent) {
            return value;
        }
        let mut label = 0;
        while label < PARTS {
            value.strides[label] *= 2;
            label += 1;
        }
        if all {
            value.labels = value.labels.with(PARTS);
            value.strides[PARTS] = 1;
        }
        value
    }
}

/// The label of real and imaginary parts, in a call that has real operands among complex ones.
pub(super) const PARTS: usize = MAX_LABELS - 1;

/// The loops of a step as [`nest`] has them. With a real operand those of the parts of its numbers, so that a product with a
/// complex number multiplies each part, and one of real numbers is real.
#[inline]
pub(super) const fn step(bound: &Bound, a: &Value, b: &Value, c: &Value) -> Option<FixedStep> {
    if !a.real && !b.real {
        return nest(bound, a, b, c);
    }
    let binary = !matches!(b.place, FixedPlace::Absent);
    let complex = !a.real || binary && !b.real;
    let (x, y, z) = (a.in_parts(true), b.in_parts(true), c.in_parts(complex));
    match nest(bound, &x, &y, &z) {
        Some(step) => Some(FixedStep {
            parts: true,
            cleared: if complex || c.real {
                0
            } else {
                c.labels.size(&bound.sizes) as usize
            },
            ..step
        }),
        None => None,
    }
}

/// The loops of `c <- sum of a * b`, or nothing if there are too many.
#[inline]
const fn nest(bound: &Bound, a: &Value, b: &Value, c: &Value) -> Option<FixedStep> {
    let Some(mut axes) = fused(bound, a, b, c) else {
        return None;
    };
    let mut step = FixedStep {
        left: a.place,
        right: b.place,
        result: c.place,
        conj_left: a.conj,
        conj_right: b.conj,
        ..FixedStep::NONE
    };
    let binary = !matches!(b.place, FixedPlace::Absent);
    if axes.count() > 0 {
        let at = vector_axis(&axes, binary);
        step.vec = axes.remove(at);
        step.vec_summed = step.vec.c == 0;
    }

    // Rows reuse the array that lies along the vectors, so they are the axes that it lacks.
    let (mut left_only, mut right_only) = (1usize, 1usize);
    let mut i = 0;
    while i < axes.count() {
        let axis = axes.axis(i);
        if axis.c != 0 {
            if axis.b == 0 {
                left_only = left_only.saturating_mul(axis.len);
            }
            if axis.a == 0 {
                right_only = right_only.saturating_mul(axis.len);
            }
        }
        i += 1;
    }
    let of_left = if step.vec.a == 0 || !binary {
        true
    } else if step.vec.b == 0 {
        false
    } else {
        left_only >= right_only
    };
    let mut i = 0;
    while i < axes.count() {
        let axis = axes.axis(i);
        if axis.c == 0 {
            step.sums.push(axis);
        } else if of_left && axis.b == 0 || !of_left && axis.a == 0 {
            step.rows.push(axis);
        } else {
            step.outer.push(axis);
        }
        i += 1;
    }
    sort(&mut step.rows);
    sort(&mut step.sums);
    sort(&mut step.outer);
    if step.rows.count() == 0 && step.outer.count() > 0 {
        let inner = step.outer.count() - 1;
        let axis = step.outer.remove(inner);
        step.rows.push(axis);
    }
    Some(step)
}

/// Every label of the step as an axis; two axes that are one loop in all three arrays become one.
#[inline]
const fn fused(bound: &Bound, a: &Value, b: &Value, c: &Value) -> Option<FixedGroup> {
    let mut rest = a.labels.or(b.labels).0;
    let mut axes = FixedGroup::EMPTY;
    while rest != 0 {
        let label = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let mut axis = FixedAxis {
            len: bound.sizes[label],
            a: a.strides[label],
            b: b.strides[label],
            c: c.strides[label],
        };
        // Joining may make the axis one that joins another.
        let mut i = 0;
        while i < axes.count() {
            match joined(axes.axis(i), axis) {
                Some(both) => {
                    axes.remove(i);
                    axis = both;
                    i = 0;
                }
                None => i += 1,
            }
        }
        if axes.count() == MAX_AXES {
            return None;
        }
        axes.push(axis);
    }
    Some(axes)
}

/// The two axes as one loop, whichever of them is the outer one.
#[inline]
const fn joined(x: FixedAxis, y: FixedAxis) -> Option<FixedAxis> {
    // A result with stride 0 in a kept axis cannot be, so that kept and summed axes never join.
    if encloses(x, y) {
        Some(FixedAxis {
            len: x.len * y.len,
            ..y
        })
    } else if encloses(y, x) {
        Some(FixedAxis {
            len: x.len * y.len,
            ..x
        })
    } else {
        None
    }
}

#[inline]
const fn encloses(outer: FixedAxis, inner: FixedAxis) -> bool {
    let len = inner.len as isize;
    outer.a == inner.a * len && outer.b == inner.b * len && outer.c == inner.c * len
}

/// The axis for which vectors cost least. Costs in quarters of a vector operation, for vectors of four.
#[inline]
const fn vector_axis(axes: &FixedGroup, binary: bool) -> usize {
    let (mut left, mut right, mut result, mut all) = (1u64, 1u64, 1u64, 1u64);
    let mut i = 0;
    while i < axes.count() {
        let axis = axes.axis(i);
        let len = axis.len as u64;
        all = all.saturating_mul(len);
        if axis.a != 0 {
            left = left.saturating_mul(len);
        }
        if axis.b != 0 {
            right = right.saturating_mul(len);
        }
        if axis.c != 0 {
            result = result.saturating_mul(len);
        }
        i += 1;
    }
    let (mut least, mut chosen, mut i) = (u64::MAX, 0, 0);
    while i < axes.count() {
        let axis = axes.axis(i);
        let len = axis.len as u64;
        let mut price = (all / len).saturating_mul(len.div_ceil(4) * 4);
        price = price.saturating_add(reading(axis.a, left));
        if binary {
            price = price.saturating_add(reading(axis.b, right));
        }
        price = price.saturating_add(match axis.c {
            0 => result.saturating_mul(20),
            1 => result,
            _ => result.saturating_mul(8),
        });
        if price < least {
            least = price;
            chosen = i;
        }
        i += 1;
    }
    chosen
}

#[inline]
const fn reading(stride: isize, elements: u64) -> u64 {
    match stride {
        1 => elements,
        0 => elements.saturating_mul(4),
        _ => elements.saturating_mul(8),
    }
}

/// Outer axes first: by stride of the result, then of the left and of the right operand.
#[inline]
const fn sort(group: &mut FixedGroup) {
    let mut i = 1;
    while i < group.count() {
        let mut j = i;
        while j > 0 && before(group.axis(j), group.axis(j - 1)) {
            group.swap(j, j - 1);
            j -= 1;
        }
        i += 1;
    }
}

#[inline]
const fn before(x: FixedAxis, y: FixedAxis) -> bool {
    let (xs, ys) = ([x.c, x.a, x.b], [y.c, y.a, y.b]);
    let mut i = 0;
    while i < 3 {
        if xs[i].unsigned_abs() != ys[i].unsigned_abs() {
            return xs[i].unsigned_abs() > ys[i].unsigned_abs();
        }
        i += 1;
    }
    false
}
