//! From a tree to steps: what each intermediate carries, how it is laid out and where it lies.

use super::nest::{PARTS, Value, step};
use super::order::{FixedTree, Groups, cheapest, given, greedy};
use super::step::{FixedPlace, FixedPlan, FixedStep};
use super::{Bound, FixedArray, LabelSet, MAX_LABELS, MAX_OPERANDS, MAX_STEPS};
use crate::spec::{Choice, Spec};

const IDS: usize = 2 * MAX_OPERANDS;
/// Rows of the tallest register tile: with more of them a gathered array is gathered again.
const TILE_ROWS: usize = 8;
const NO_LABEL: usize = MAX_LABELS;

impl FixedPlan {
    /// A plan that is beyond the capacities.
    const TOO_LARGE: FixedPlan = FixedPlan {
        steps: [FixedStep::NONE; MAX_STEPS],
        count: 0,
        scratch: 0,
        fill: false,
        fits: false,
    };

    /// The plan of an einsum, in the order of the spec's tree, or in the one that the spec asks for by the sizes.
    ///
    /// It does not fit if the operands are too many for any plan, if an intermediate may be larger than the spec allows,
    /// and if the given output is not of the shape of the result.
    ///
    /// # Panics
    ///
    /// As [`Bound::new`].
    #[inline]
    pub const fn new(
        spec: &Spec<'_>,
        operands: &[FixedArray<'_>],
        output: &FixedArray<'_>,
    ) -> FixedPlan {
        FixedPlan::mixed(spec, operands, output, 0)
    }

    /// The same with real operands among complex ones: bit p of `real` is that of operand p. The result is complex.
    ///
    /// # Panics
    ///
    /// As [`Bound::new`].
    #[inline]
    pub const fn mixed(
        spec: &Spec<'_>,
        operands: &[FixedArray<'_>],
        output: &FixedArray<'_>,
        real: u32,
    ) -> FixedPlan {
        if !Bound::fits(spec, operands) || spec.max_intermediate.is_some() {
            return FixedPlan::TOO_LARGE;
        }
        let Some(mut bound) = Bound::new(spec, operands, output) else {
            return FixedPlan::TOO_LARGE;
        };
        if real != 0 {
            if bound.uses(PARTS) {
                return FixedPlan::TOO_LARGE;
            }
            bound.sizes[PARTS] = 2;
            bound.real = real;
            bound.conj &= !real;
        }
        if bound.is_empty() {
            return FixedPlan {
                fill: true,
                fits: true,
                ..FixedPlan::TOO_LARGE
            };
        }
        let groups = Groups::of(spec);
        let tree = match spec.choice {
            Choice::Exact | Choice::Among(_) if bound.operands > 2 => {
                cheapest(&bound, spec.cost, &groups)
            }
            Choice::Greedy if bound.operands > 2 => greedy(&bound, &groups),
            _ => given(spec.tree),
        };
        lower(&bound, &tree)
    }
}

/// The steps so far, and which parts of the scratch memory are in use.
struct Builder {
    plan: FixedPlan,
    /// Offset and elements; none if 0 elements.
    live: [(usize, usize); IDS],
}

impl Builder {
    /// Appends the step; false if there are too many steps or axes.
    #[inline]
    const fn push(&mut self, bound: &Bound, a: &Value, b: &Value, c: &Value) -> bool {
        match step(bound, a, b, c) {
            Some(step) if self.plan.count < MAX_STEPS => {
                self.plan.steps[self.plan.count] = step;
                self.plan.count += 1;
                true
            }
            _ => false,
        }
    }

    /// The first place that is free, at a multiple of 8 elements.
    #[inline]
    const fn allocate(&mut self, elements: usize) -> usize {
        let elements = elements.next_multiple_of(8);
        let (mut offset, mut i) = (0, 0);
        while i < IDS {
            let (start, len) = self.live[i];
            if len > 0 && start < offset + elements && offset < start + len {
                offset = start + len;
                i = 0;
            } else {
                i += 1;
            }
        }
        let mut slot = 0;
        while self.live[slot].1 > 0 {
            slot += 1;
        }
        self.live[slot] = (offset, elements);
        if offset + elements > self.plan.scratch {
            self.plan.scratch = offset + elements;
        }
        offset
    }

    /// The last step. What factors make of a result is complex, so that parts are an array of their own first.
    #[inline]
    const fn finish(
        &mut self,
        bound: &Bound,
        a: &Value,
        b: &Value,
        output: &Value,
        last: usize,
    ) -> bool {
        if !a.real && !b.real {
            return self.push(bound, a, b, output);
        }
        match self.intermediate(bound, output.labels, last) {
            Some(sum) => {
                self.push(bound, a, b, &sum) && self.push(bound, &sum, &Value::ABSENT, output)
            }
            None => false,
        }
    }

    #[inline]
    const fn release(&mut self, place: FixedPlace) {
        if let FixedPlace::Scratch(offset) = place {
            let mut i = 0;
            while i < IDS {
                if self.live[i].0 == offset {
                    self.live[i].1 = 0;
                }
                i += 1;
            }
        }
    }

    /// A new intermediate, contiguous along `last` if it carries that label, row-major in the order of the labels else.
    #[inline]
    const fn intermediate(
        &mut self,
        bound: &Bound,
        labels: LabelSet,
        last: usize,
    ) -> Option<Value> {
        let elements = labels.size(&bound.sizes);
        if elements > 1 << 24 {
            return None;
        }
        let mut value = Value {
            labels,
            ..Value::ABSENT
        };
        let mut stride = 1;
        if last != NO_LABEL && labels.has(last) {
            value.strides[last] = 1;
            stride = bound.sizes[last] as isize;
        }
        let mut label = MAX_LABELS;
        while label > 0 {
            label -= 1;
            if labels.has(label) && label != last {
                value.strides[label] = stride;
                stride *= bound.sizes[label] as isize;
            }
        }
        value.place = FixedPlace::Scratch(self.allocate(elements as usize));
        Some(value)
    }

    /// `value` with only the labels `kept`, contiguous along `last`, and not conjugated: the others are summed.
    #[inline]
    const fn copy(
        &mut self,
        bound: &Bound,
        value: &mut Value,
        kept: LabelSet,
        last: usize,
    ) -> bool {
        let Some(mut sum) = self.intermediate(bound, kept, last) else {
            return false;
        };
        sum.real = value.real;
        if !self.push(bound, value, &Value::ABSENT, &sum) {
            return false;
        }
        self.release(value.place);
        *value = sum;
        true
    }
}

#[inline]
const fn lower(bound: &Bound, tree: &FixedTree) -> FixedPlan {
    let n = bound.operands;
    let mut values = [Value::ABSENT; IDS];
    let mut p = 0;
    while p < n {
        values[p] = Value {
            place: FixedPlace::Operand(p),
            labels: bound.inputs[p].labels,
            strides: bound.inputs[p].strides,
            conj: bound.conj >> p & 1 == 1,
            real: bound.real >> p & 1 == 1,
        };
        p += 1;
    }
    let output = Value {
        place: FixedPlace::Output,
        labels: bound.output.labels,
        strides: bound.output.strides,
        ..Value::ABSENT
    };
    let mut builder = Builder {
        plan: FixedPlan {
            fill: bound.diagonal,
            fits: true,
            ..FixedPlan::TOO_LARGE
        },
        live: [(0, 0); IDS],
    };
    if n == 1 {
        let (value, absent) = (&values[0], &Value::ABSENT);
        let last = shortest(&output, output.labels);
        return if builder.finish(bound, value, absent, &output, last) {
            builder.plan
        } else {
            FixedPlan::TOO_LARGE
        };
    }
    let kept = kept_labels(bound, tree);
    let last = last_axes(bound, tree, &kept, &values);
    let mut s = 0;
    while s < n - 1 {
        let (mut left, mut right) = (values[tree[s].0 as usize], values[tree[s].1 as usize]);
        let id = n + s;
        // A label of one operand alone is summed before the product, unless the other has nothing to multiply by.
        let mut side = 0;
        while side < 2 {
            let (one, other) = if side == 0 {
                (&mut left, &right)
            } else {
                (&mut right, &left)
            };
            let alone = one.labels.without(other.labels.or(kept[id]));
            if !alone.is_empty() && other.labels.without(one.labels).size(&bound.sizes) > 1 {
                let used = one.labels.without(alone);
                let along = shortest(one, used);
                let along = if has(used, last[id]) { last[id] } else { along };
                if !builder.copy(bound, one, used, along) {
                    return FixedPlan::TOO_LARGE;
                }
            }
            side += 1;
        }
        // A real number multiplies both parts of one that is conjugated already.
        let mut side = 0;
        while side < 2 && (left.real || right.real) {
            let one = if side == 0 { &mut left } else { &mut right };
            let labels = one.labels;
            if one.conj && !builder.copy(bound, one, labels, last[id]) {
                return FixedPlan::TOO_LARGE;
            }
            side += 1;
        }
        let result = if s == n - 2 {
            output
        } else {
            match builder.intermediate(bound, kept[id], last[id]) {
                Some(mut value) => {
                    value.real = left.real && right.real;
                    value
                }
                None => return FixedPlan::TOO_LARGE,
            }
        };
        // An array that would be gathered for several tiles is laid out once instead.
        let Some(step) = step(bound, &left, &right, &result) else {
            return FixedPlan::TOO_LARGE;
        };
        if !step.parts && step.rows.rounds() > TILE_ROWS {
            let (a, b) = (step.vec.a.unsigned_abs(), step.vec.b.unsigned_abs());
            let mut side = 0;
            while side < 2 {
                let (one, stride) = if side == 0 {
                    (&mut left, a)
                } else {
                    (&mut right, b)
                };
                if stride > 1 {
                    let along = label_of_stride(bound, one, stride, step.vec.len);
                    let labels = one.labels;
                    if !builder.copy(bound, one, labels, along) {
                        return FixedPlan::TOO_LARGE;
                    }
                }
                side += 1;
            }
        }
        let pushed = if s == n - 2 {
            builder.finish(bound, &left, &right, &result, last[id])
        } else {
            builder.push(bound, &left, &right, &result)
        };
        if !pushed {
            return FixedPlan::TOO_LARGE;
        }
        builder.release(left.place);
        builder.release(right.place);
        values[id] = result;
        s += 1;
    }
    builder.plan
}

/// By id, the labels that are needed after the step that makes it.
#[inline]
const fn kept_labels(bound: &Bound, tree: &FixedTree) -> [LabelSet; IDS] {
    let n = bound.operands;
    let mut inside = [0u32; IDS];
    let mut kept = [LabelSet::EMPTY; IDS];
    let mut p = 0;
    while p < n {
        inside[p] = 1 << p;
        kept[p] = bound.inputs[p].labels;
        p += 1;
    }
    let mut s = 0;
    while s < n - 1 {
        let (left, right) = (tree[s].0 as usize, tree[s].1 as usize);
        inside[n + s] = inside[left] | inside[right];
        let mut needed = bound.output.labels;
        let mut p = 0;
        while p < n {
            if inside[n + s] >> p & 1 == 0 {
                needed = needed.or(bound.inputs[p].labels);
            }
            p += 1;
        }
        kept[n + s] = kept[left].or(kept[right]).and(needed);
        s += 1;
    }
    kept
}

/// By id, the label along which an array is (operands, output) or should be (intermediates) contiguous. From the
/// output down: what makes a result contiguous has the same last axis, so that vectors go through.
#[inline]
const fn last_axes(
    bound: &Bound,
    tree: &FixedTree,
    kept: &[LabelSet; IDS],
    values: &[Value; IDS],
) -> [usize; IDS] {
    let n = bound.operands;
    let mut last = [NO_LABEL; IDS];
    let mut p = 0;
    while p < n {
        last[p] = shortest(&values[p], values[p].labels);
        p += 1;
    }
    let output = Value {
        labels: bound.output.labels,
        strides: bound.output.strides,
        ..Value::ABSENT
    };
    last[2 * n - 2] = shortest(&output, output.labels);
    let mut s = n - 1;
    while s > 0 {
        s -= 1;
        let (left, right) = (tree[s].0 as usize, tree[s].1 as usize);
        let mut side = 0;
        while side < 2 {
            let (one, other) = if side == 0 {
                (left, right)
            } else {
                (right, left)
            };
            if one >= n {
                last[one] = if has(kept[one], last[n + s]) {
                    last[n + s]
                } else {
                    let (x, y) = (tree[one - n].0 as usize, tree[one - n].1 as usize);
                    if last[n + s] == NO_LABEL && other < n && has(kept[one], last[other]) {
                        last[other]
                    } else if y < n && has(kept[one], last[y]) {
                        last[y]
                    } else if x < n && has(kept[one], last[x]) {
                        last[x]
                    } else if kept[one].is_empty() {
                        NO_LABEL
                    } else {
                        63 - kept[one].0.leading_zeros() as usize
                    }
                };
            }
            side += 1;
        }
    }
    last
}

#[inline]
const fn has(labels: LabelSet, label: usize) -> bool {
    label != NO_LABEL && labels.has(label)
}

/// The label of `labels` with the shortest stride.
#[inline]
const fn shortest(value: &Value, labels: LabelSet) -> usize {
    let (mut rest, mut least, mut found) = (labels.0, usize::MAX, NO_LABEL);
    while rest != 0 {
        let label = rest.trailing_zeros() as usize;
        let stride = value.strides[label].unsigned_abs();
        if stride != 0 && stride < least {
            least = stride;
            found = label;
        }
        rest &= rest - 1;
    }
    found
}

/// The innermost label of the vector axis: the axis may be several labels that were joined.
#[inline]
const fn label_of_stride(bound: &Bound, value: &Value, stride: usize, len: usize) -> usize {
    let mut rest = value.labels.0;
    while rest != 0 {
        let label = rest.trailing_zeros() as usize;
        if value.strides[label].unsigned_abs() == stride && len.is_multiple_of(bound.sizes[label]) {
            return label;
        }
        rest &= rest - 1;
    }
    NO_LABEL
}
