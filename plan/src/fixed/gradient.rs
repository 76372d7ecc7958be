//! The derivatives of an einsum whose lengths are all constants, planned in const evaluation: its steps forward, what is
//! saved, its steps backward, each an einsum of one or two arrays.
//!
//! It is the reverse accumulation of `crate::Gradient`, over sets of labels. Values and gradients that are not the
//! caller's arrays are dense, in the order of their labels.

mod call;

use super::bind::{label_at, named};
use super::order::{Groups, given, together};
use super::{Bound, Carried, FixedArray, FixedTree, LabelSet, MAX_LABELS};
use crate::spec::{Choice, Label, Spec};

pub use call::{GradientCall, GradientPlace, GradientTerm};

/// Most operands.
pub const MAX_OPERANDS: usize = 8;
/// Most axes of an array of a call.
const MAX_AXES: usize = 12;
/// Most calls in one direction.
pub const MAX_CALLS: usize = 16;
const IDS: usize = 2 * MAX_OPERANDS;
/// Labels from here on stand for axes of length 1.
const ONES: usize = MAX_LABELS - MAX_AXES;

/// All calls of an einsum and its gradients.
#[derive(Clone, Copy, Debug)]
pub struct FixedGradient {
    /// The way forward: `forwards` of them; the last one makes the result.
    pub forward: [GradientCall; MAX_CALLS],
    /// How many.
    pub forwards: usize,
    /// How many of the first ones are copies of operands.
    pub copies: usize,
    /// The way back to what gradients are made of: `backwards` of them.
    pub backward: [GradientCall; MAX_CALLS],
    /// How many.
    pub backwards: usize,
    /// By operand: what makes its gradient, if that is asked for.
    pub last: [GradientCall; MAX_OPERANDS],
    /// Elements that are saved.
    pub saved: usize,
    /// Elements of memory on the way forward.
    pub forward_scratch: usize,
    /// Elements of memory on the way back.
    pub backward_scratch: usize,
    operands: usize,
    /// The order.
    pub tree: FixedTree,
    /// Whether everything is within the capacities; if not, the rest means nothing.
    pub fits: bool,
}

/// A tensor: the labels it carries, and its memory.
#[derive(Clone, Copy)]
struct Tensor {
    carried: Carried,
    place: GradientPlace,
    conj: bool,
}

impl Tensor {
    /// Dense, the last label contiguous.
    #[inline]
    const fn dense(labels: LabelSet, sizes: &[usize; MAX_LABELS], place: GradientPlace) -> Tensor {
        let mut carried = Carried {
            labels,
            ..Carried::SCALAR
        };
        let (mut label, mut stride) = (MAX_LABELS, 1isize);
        while label > 0 {
            label -= 1;
            if labels.has(label) {
                carried.strides[label] = stride;
                stride *= sizes[label] as isize;
            }
        }
        Tensor {
            carried,
            place,
            conj: false,
        }
    }

    /// Its axes, label by label; nothing if there are too many.
    #[inline]
    const fn term(&self, sizes: &[usize; MAX_LABELS]) -> Option<GradientTerm> {
        let mut term = GradientTerm {
            place: self.place,
            conj: self.conj,
            ..GradientTerm::NONE
        };
        let mut rest = self.carried.labels.0;
        while rest != 0 {
            let label = rest.trailing_zeros() as usize;
            if !term.push(label, sizes[label], self.carried.strides[label]) {
                return None;
            }
            rest &= rest - 1;
        }
        Some(term)
    }
}

/// An array of the caller's with all of its axes; nothing if there are too many.
#[inline]
const fn whole(
    labels: &[Label],
    array: &FixedArray<'_>,
    named: usize,
    place: GradientPlace,
) -> Option<GradientTerm> {
    let mut term = GradientTerm {
        place,
        ..GradientTerm::NONE
    };
    let mut axis = 0;
    while axis < array.shape.len() {
        let label = match array.shape[axis] {
            1 => ONES + axis % MAX_AXES,
            _ => label_at(labels, array.shape.len(), axis, named),
        };
        if !term.push(label, array.shape[axis], array.stride(axis)) {
            return None;
        }
        axis += 1;
    }
    Some(term)
}

impl FixedGradient {
    /// No plan: it does not fit.
    pub const TOO_LARGE: FixedGradient = FixedGradient {
        forward: [GradientCall::NONE; MAX_CALLS],
        forwards: 0,
        copies: 0,
        backward: [GradientCall::NONE; MAX_CALLS],
        backwards: 0,
        last: [GradientCall::NONE; MAX_OPERANDS],
        saved: 0,
        forward_scratch: 0,
        backward_scratch: 0,
        operands: 0,
        tree: given(&[]),
        fits: false,
    };

    /// The number of operands.
    #[inline]
    pub const fn operands(&self) -> usize {
        self.operands
    }

    /// Whether input `i` of call `k` of the way forward depends on one of the operands `varying`.
    #[inline]
    pub const fn varies(&self, k: usize, i: usize, varying: &[usize]) -> bool {
        match self.forward[k].inputs[i].place {
            GradientPlace::Operand(p) => {
                let mut v = 0;
                while v < varying.len() {
                    if varying[v] == p {
                        return true;
                    }
                    v += 1;
                }
                false
            }
            GradientPlace::Scratch(at) => {
                let mut step = 0;
                while step < k {
                    if let GradientPlace::Scratch(here) = self.forward[step].output.place
                        && here == at
                    {
                        return self.varies(step, 0, varying) || self.varies(step, 1, varying);
                    }
                    step += 1;
                }
                false
            }
            _ => false,
        }
    }

    /// The plan for the gradients of the operands `wrt`, which are arrays like `gradients`. At most `room` elements are
    /// saved, or it does not fit; `transpose`: nothing is conjugated on the way back.
    ///
    /// The order is the spec's where that is settled, else the best one for both directions of up to six operands.
    ///
    /// # Panics
    ///
    /// As [`Bound::new`].
    #[inline]
    pub const fn new(
        spec: &Spec<'_>,
        operands: &[FixedArray<'_>],
        output: &FixedArray<'_>,
        wrt: &[usize],
        gradients: &[FixedArray<'_>],
        transpose: bool,
        room: usize,
    ) -> FixedGradient {
        let n = operands.len();
        if n > MAX_OPERANDS || !Bound::fits(spec, operands) || spec.max_intermediate.is_some() {
            return FixedGradient::TOO_LARGE;
        }
        let Some(bound) = Bound::new(spec, operands, output) else {
            return FixedGradient::TOO_LARGE;
        };
        let mut label = ONES;
        while label < MAX_LABELS {
            if bound.sizes[label] != 1 {
                return FixedGradient::TOO_LARGE;
            }
            label += 1;
        }
        let (mut wanted, mut k) = (0u32, 0);
        while k < wrt.len() {
            wanted |= 1 << wrt[k];
            k += 1;
        }
        let settled = given(spec.tree);
        let free = n > 2;
        let plan = match spec.choice {
            Choice::Exact if free => {
                let tree = together(&bound, spec.cost, &Groups::of(spec), wanted);
                let best = plan(
                    spec, &bound, output, &tree, wanted, wrt, gradients, transpose,
                );
                // The memory is that of sensible trees.
                if best.saved <= room {
                    best
                } else {
                    plan(
                        spec, &bound, output, &settled, wanted, wrt, gradients, transpose,
                    )
                }
            }
            _ => plan(
                spec, &bound, output, &settled, wanted, wrt, gradients, transpose,
            ),
        };
        FixedGradient {
            fits: plan.fits && plan.saved <= room,
            ..plan
        }
    }
}

/// The plan, or one that does not fit.
#[allow(clippy::too_many_arguments)]
#[inline]
const fn plan(
    spec: &Spec<'_>,
    bound: &Bound,
    output: &FixedArray<'_>,
    tree: &FixedTree,
    wanted: u32,
    wrt: &[usize],
    gradients: &[FixedArray<'_>],
    transpose: bool,
) -> FixedGradient {
    match try_plan(spec, bound, output, tree, wanted, wrt, gradients, transpose) {
        Some(plan) => plan,
        None => FixedGradient::TOO_LARGE,
    }
}

/// `let` or the end of a function, for const evaluation.
macro_rules! some {
    ($option:expr) => {
        match $option {
            Some(value) => value,
            None => return None,
        }
    };
}

#[allow(clippy::too_many_arguments)]
#[inline]
const fn try_plan(
    spec: &Spec<'_>,
    bound: &Bound,
    output: &FixedArray<'_>,
    tree: &FixedTree,
    wanted: u32,
    wrt: &[usize],
    gradients: &[FixedArray<'_>],
    transpose: bool,
) -> Option<FixedGradient> {
    let n = bound.operands;
    let steps = if n == 1 { 1 } else { n - 1 };
    let named = named(spec);
    let sizes = &bound.sizes;
    let mut plan = FixedGradient {
        operands: n,
        tree: *tree,
        fits: true,
        ..FixedGradient::TOO_LARGE
    };

    // Which tensors have a gradient, and which are read on the way back.
    let mut inside = [0u32; IDS];
    let mut labels = [LabelSet::EMPTY; IDS];
    let mut saved = [false; IDS];
    let mut p = 0;
    while p < n {
        inside[p] = 1 << p;
        labels[p] = bound.inputs[p].labels;
        p += 1;
    }
    let mut s = 0;
    while s < steps {
        let (left, right) = pair(tree, n, s);
        inside[n + s] = inside[left] | inside[right];
        labels[n + s] = if s + 1 == steps {
            bound.output.labels
        } else {
            labels[left]
                .or(labels[right])
                .and(bound.needed_outside(inside[n + s] as usize))
        };
        if n > 1 {
            saved[left] |= inside[right] & wanted != 0;
            saved[right] |= inside[left] & wanted != 0;
        }
        s += 1;
    }

    // The values.
    let mut values = [Tensor::dense(LabelSet::EMPTY, sizes, GradientPlace::Result); IDS];
    let mut id = 0;
    while id < n + steps - 1 {
        let elements = labels[id].size(sizes);
        if elements > 1 << 20 {
            return None;
        }
        if saved[id] {
            values[id] = Tensor::dense(labels[id], sizes, GradientPlace::Saved(plan.saved));
            plan.saved += elements as usize;
        } else if id >= n {
            let place = GradientPlace::Scratch(plan.forward_scratch);
            values[id] = Tensor::dense(labels[id], sizes, place);
            plan.forward_scratch += (elements as usize).next_multiple_of(8);
        }
        if id < n {
            let operand = Tensor {
                carried: bound.inputs[id],
                place: GradientPlace::Operand(id),
                conj: bound.conj >> id & 1 == 1,
            };
            if saved[id] {
                let call = GradientCall {
                    inputs: [some!(operand.term(sizes)), GradientTerm::NONE],
                    binary: false,
                    output: some!(values[id].term(sizes)),
                };
                plan.forward[plan.copies] = call;
                plan.copies += 1;
            } else {
                values[id] = operand;
            }
        }
        id += 1;
    }
    plan.forwards = plan.copies;
    if plan.copies + steps > MAX_CALLS {
        return None;
    }

    // Forward.
    let mut s = 0;
    while s < steps {
        let (left, right) = pair(tree, n, s);
        let to = if s + 1 == steps {
            some!(whole(spec.output, output, named, GradientPlace::Result))
        } else {
            some!(values[n + s].term(sizes))
        };
        plan.forward[plan.forwards] = GradientCall {
            inputs: [
                some!(values[left].term(sizes)),
                some!(values[right].term(sizes)),
            ],
            binary: n > 1,
            output: to,
        };
        plan.forwards += 1;
        s += 1;
    }

    // Backward: from the result, whose gradient is where the result was, to the operands.
    let mut slopes = [Tensor::dense(LabelSet::EMPTY, sizes, GradientPlace::Result); IDS];
    slopes[n + steps - 1].carried = bound.output;
    let mut s = steps;
    while s > 0 {
        s -= 1;
        let (left, right) = pair(tree, n, s);
        let from = some!(slopes[n + s].term(sizes));
        let mut side = 0;
        while side < 2 {
            let (one, other) = if side == 0 {
                (left, right)
            } else {
                (right, left)
            };
            side += 1;
            if inside[one] & wanted == 0 || n == 1 && side == 2 {
                continue;
            }
            let mut beside = GradientTerm::NONE;
            let mut known = labels[n + s];
            if n > 1 {
                beside = some!(values[other].term(sizes));
                beside.conj = !transpose;
                known = known.or(labels[other]);
            }
            let mut call = GradientCall {
                inputs: [from, beside],
                binary: n > 1,
                output: GradientTerm::NONE,
            };
            let spread = labels[one].without(known);
            let made = labels[one].and(known);
            if one >= n || !spread.is_empty() && n > 1 {
                let place = GradientPlace::Scratch(plan.backward_scratch);
                slopes[one] = Tensor::dense(made, sizes, place);
                plan.backward_scratch += (made.size(sizes) as usize).next_multiple_of(8);
                call.output = some!(slopes[one].term(sizes));
                if plan.backwards == MAX_CALLS {
                    return None;
                }
                plan.backward[plan.backwards] = call;
                plan.backwards += 1;
                // What else is to be done is a copy.
                call.inputs[0] = call.output;
                call.binary = false;
            }
            if one < n {
                // The gradient is the same along what is summed in this operand alone.
                let mut rest = spread.0;
                while rest != 0 {
                    let label = rest.trailing_zeros() as usize;
                    if !call.inputs[0].push(label, sizes[label], 0) {
                        return None;
                    }
                    rest &= rest - 1;
                }
                let mut k = 0;
                while wrt[k] != one {
                    k += 1;
                }
                let place = GradientPlace::Gradient(one);
                call.output = some!(whole(spec.inputs[one], &gradients[k], named, place));
                plan.last[one] = call;
            }
        }
    }
    Some(plan)
}

/// What a step contracts: the same tensor twice where there is only one.
#[inline]
const fn pair(tree: &FixedTree, operands: usize, step: usize) -> (usize, usize) {
    if operands == 1 {
        (0, 0)
    } else {
        (tree[step].0 as usize, tree[step].1 as usize)
    }
}
