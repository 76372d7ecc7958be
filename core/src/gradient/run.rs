//! Running the calls of a [`GradientPlan`].

use crate::engine::plan::Plan;
use crate::engine::{Engine, Raw, RawMut};
use crate::error::EinsumError;
use crate::gradient::plan::{Array, Call, GradientPlan, Input, Slot};
use crate::gradient::saved::Saved;
use crate::scalar::Scalar;
use crate::tensor::short::Short;
use crate::tensor::{DynTensorView, DynTensorViewMut};

/// Where the elements of an array are.
pub(super) enum Source<'a, T> {
    /// In an array of the caller's.
    Raw(Raw<'a, T>),
    /// In row-major order in memory of ours.
    Elements(&'a [T]),
}

/// One block for the slots that are kept, one for the others.
#[derive(Debug)]
pub(super) struct Memory<T> {
    pub(super) saved: Saved<T>,
    pub(super) passing: Vec<T>,
}

impl<T: Scalar> Memory<T> {
    /// Memory that the engine has from the last derivative.
    pub(super) fn new(engine: &mut Engine, slots: &[Option<Slot>]) -> Memory<T> {
        let saved = engine.take_saved(elements(slots, true));
        let passing = engine.take_scratch(elements(slots, false));
        Memory { saved, passing }
    }

    /// By tensor: its elements; none where nothing is written down.
    pub(super) fn chunks(&mut self, slots: &[Option<Slot>]) -> Vec<&mut [T]> {
        let (mut saved, mut passing) = (&mut *self.saved, &mut *self.passing);
        let mut chunks = Vec::with_capacity(slots.len());
        for slot in slots {
            let Some(slot) = slot else {
                chunks.push(Default::default());
                continue;
            };
            let block = if slot.saved { &mut saved } else { &mut passing };
            let (chunk, rest) = core::mem::take(block).split_at_mut(slot.padded());
            *block = rest;
            chunks.push(&mut chunk[..slot.len]);
        }
        chunks
    }
}

/// Elements of the slots that are saved, or of the others.
pub(super) fn elements(slots: &[Option<Slot>], saved: bool) -> usize {
    let slots = slots.iter().flatten().filter(|slot| slot.saved == saved);
    slots.map(Slot::padded).sum()
}

/// By tensor: where its elements are in what is saved.
pub(super) fn saved_chunks<'a, T>(saved: &'a [T], slots: &[Option<Slot>]) -> Vec<&'a [T]> {
    let mut start = 0;
    let chunk = |slot: &Option<Slot>| match slot {
        Some(slot) if slot.saved => {
            let chunk = &saved[start..start + slot.len];
            start += slot.padded();
            chunk
        }
        _ => &[],
    };
    slots.iter().map(chunk).collect()
}

/// Gives `then` the operands of a call.
pub(super) fn with_inputs<'a, T: Scalar, R>(
    plan: &GradientPlan,
    call: &Call,
    transpose: bool,
    source: impl Fn(Array) -> Source<'a, T>,
    then: impl FnOnce(&[Raw<'_, T>]) -> R,
) -> R {
    let inputs: [Option<&Input>; 2] = [call.inputs.first(), call.inputs.get(1)];
    let sources = inputs.map(|input| input.map(|input| source(input.array)));
    let mut strides: [Short<isize>; 2] = [Short::zeroed(0), Short::zeroed(0)];
    let mut views: [Option<DynTensorView<'_, T>>; 2] = [None, None];
    for i in 0..2 {
        let (Some(input), Some(source)) = (inputs[i], &sources[i]) else {
            continue;
        };
        let mut own = Short::zeroed(input.axes.len());
        match source {
            Source::Raw(raw) => {
                for (stride, axis) in own.iter_mut().zip(&input.axes) {
                    *stride = axis.map_or(0, |axis| raw.layout().strides[axis]);
                }
            }
            Source::Elements(elements) => {
                let shape = plan.shape(input.array);
                for (stride, axis) in own.iter_mut().zip(&input.axes) {
                    *stride = axis.map_or(0, |axis| {
                        shape[axis + 1..].iter().product::<usize>() as isize
                    });
                }
                let view = DynTensorView::new(elements, &input.lens, &*own, 0);
                views[i] = Some(view.expect("the slot has the shape of the array"));
            }
        }
        strides[i] = own;
    }
    let raw = |i: usize| -> Option<Raw<'_, T>> {
        let input = inputs[i]?;
        let raw = match (&views[i], &sources[i]) {
            (Some(view), _) => Raw::new(view),
            (None, Some(Source::Raw(raw))) => {
                // SAFETY: the axes are distinct ones of the operand, in its own lengths and strides (the plan was made for
                // this shape, which the caller has checked), and others of stride 0. Axes left out have length 1, so that
                // index 0 is what they are at.
                unsafe { raw.with_axes(&input.lens, &strides[i]) }
            }
            _ => return None,
        };
        Some(raw.conjugated(input.conj && !transpose))
    };
    match (raw(0), raw(1)) {
        (Some(a), Some(b)) => then(&[a, b]),
        (Some(a), None) => then(&[a]),
        _ => then(&[]),
    }
}

/// Computes a call into a row-major array; `add` adds to what it holds.
pub(super) fn run<T: Scalar>(
    engine: &mut Engine,
    call: &Call,
    operands: &[Raw<'_, T>],
    shape: &[usize],
    to: &mut [T],
    add: bool,
) -> Result<(), EinsumError> {
    let mut view = DynTensorViewMut::from_slice(shape, to);
    let beta = if add { T::ONE } else { T::ZERO };
    let plan = Plan::Parsed(&call.einsum);
    T::__einsum_into(
        engine,
        plan,
        operands,
        &RawMut::new(&mut view),
        T::ONE,
        beta,
    )
}
