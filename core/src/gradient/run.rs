//! Running the calls of a [`GradientPlan`].

use crate::engine::plan::Plan;
use crate::engine::{Engine, Raw, RawMut};
use crate::error::EinsumError;
use crate::gradient::plan::{Array, Call, GradientPlan, Input, Slot};
use crate::gradient::saved::{Passing, Saved};
use crate::scalar::Scalar;
use crate::tensor::DynTensorViewMut;
use crate::tensor::short::Short;

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
    pub(super) passing: Passing<T>,
}

impl<T: Scalar> Memory<T> {
    /// Memory that the engine has from the last derivative.
    pub(super) fn new(engine: &mut Engine, slots: &[Option<Slot>]) -> Memory<T> {
        let saved = engine.take_saved(spaced::<T>(elements(slots, true)));
        let passing = engine.take_scratch(spaced::<T>(elements(slots, false)));
        Memory { saved, passing }
    }

    /// Memory for so many elements that are not saved.
    pub(super) fn passing(engine: &mut Engine, elements: usize) -> Passing<T> {
        engine.take_scratch(spaced::<T>(elements))
    }

    /// The elements of a slot.
    pub(super) fn elements(&self, slot: &Option<Slot>) -> Source<'_, T> {
        let saved = slot.as_ref().is_some_and(|slot| slot.saved);
        in_block(if saved { &self.saved } else { &self.passing }, slot)
    }

    /// By tensor: its elements; none where nothing is written down.
    pub(super) fn chunks(&mut self, slots: &[Option<Slot>]) -> Vec<&mut [T]> {
        chunks([&mut self.saved, &mut self.passing], slots)
    }
}

/// By tensor: its elements in the blocks of what is saved and of what is not.
pub(super) fn chunks<'a, T>(
    [mut saved, mut passing]: [&'a mut [T]; 2],
    slots: &[Option<Slot>],
) -> Vec<&'a mut [T]> {
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

/// The elements of a slot in its block.
pub(super) fn in_block<'a, T>(block: &'a [T], slot: &Option<Slot>) -> Source<'a, T> {
    let slot = slot.as_ref().expect("it is written down");
    Source::Elements(&block[aligned(block)..][slot.range()])
}

/// So many elements, and those before the first one that starts a cache line.
fn spaced<T>(elements: usize) -> usize {
    match elements {
        0 => 0,
        _ => elements + LINE / size_of::<T>().clamp(1, LINE),
    }
}

/// Bytes of a cache line, and of the widest register.
const LINE: usize = 64;

/// A block from the first element on that starts a cache line, if there is one among the first few.
pub(super) fn aligned<T>(block: &[T]) -> usize {
    let first = block.as_ptr().align_offset(LINE);
    if first < LINE / size_of::<T>().clamp(1, LINE) && first <= block.len() {
        first
    } else {
        0
    }
}

/// Elements of the slots that are saved, or of the others.
pub(super) fn elements(slots: &[Option<Slot>], saved: bool) -> usize {
    let slots = slots.iter().flatten().filter(|slot| slot.saved == saved);
    slots.map(Slot::padded).sum()
}

/// Gives `then` the operands of a call.
pub(super) fn with_inputs<'a, T: Scalar, R>(
    plan: &GradientPlan,
    call: &Call,
    transpose: bool,
    source: impl Fn(Array) -> Source<'a, T>,
    then: impl FnOnce(&[Raw<'_, T>]) -> R,
) -> R {
    let (mut first, mut second) = (Short::zeroed(0), Short::zeroed(0));
    let raw = |input, source, strides| raw_of(plan, input, source, strides, transpose);
    match call.inputs.as_slice() {
        [a] => then(&[raw(a, source(a.array), &mut first)]),
        [a, b] => then(&[
            raw(a, source(a.array), &mut first),
            raw(b, source(b.array), &mut second),
        ]),
        _ => unreachable!("a call has one operand or two"),
    }
}

/// An operand of a call; `strides` is room for those that are not in the plan.
#[inline]
fn raw_of<'s, T: Scalar>(
    plan: &GradientPlan,
    input: &'s Input,
    source: Source<'s, T>,
    strides: &'s mut Short<isize>,
    transpose: bool,
) -> Raw<'s, T> {
    let raw = match source {
        Source::Raw(raw) => {
            *strides = axes_of(input, &raw);
            // SAFETY: the axes are distinct ones of the operand, in its own lengths and strides (the plan was made for
            // this shape, which the caller has checked), and others of stride 0. Axes left out have length 1, so that
            // index 0 is what they are at.
            unsafe { raw.with_axes(&input.lens, strides) }
        }
        Source::Elements(elements) => {
            assert!(
                elements.len() >= plan.slot(input.array).len,
                "the memory of an array"
            );
            // SAFETY: as above: axes of a row-major array of this shape, of which all elements are there.
            unsafe { Raw::of_elements(elements, &input.lens, &input.strides) }
        }
    };
    raw.conjugated(input.conj && !transpose)
}

/// The strides of the axes of an array of the caller's that a call reads.
pub(super) fn axes_of<T>(input: &Input, raw: &Raw<'_, T>) -> Short<isize> {
    let mut own = Short::zeroed(input.axes.len());
    for (stride, axis) in own.iter_mut().zip(&input.axes) {
        *stride = axis.map_or(0, |axis| raw.layout().strides[axis]);
    }
    own
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
