//! The steps of a plan that write intermediates: one tape in each direction.

use crate::engine::tape::{self, Read, Recorder, Spot};
use crate::engine::{Engine, Raw, row_major};
use crate::error::EinsumError;
use crate::gradient::plan::{Array, Call, GradientPlan, Slot};
use crate::gradient::run::{Source, aligned, axes_of, chunks, run, with_inputs};
use crate::scalar::Scalar;

/// The blocks of what is saved and of what is not.
const SAVED: usize = 0;
const PASSING: usize = 1;

fn spot_of(slot: &Option<Slot>) -> Spot {
    let slot = slot.as_ref().expect("it is written down");
    let block = if slot.saved { SAVED } else { PASSING };
    Spot::Block(block, slot.offset)
}

impl GradientPlan {
    /// Copies the operands that are saved and computes all values but the result.
    pub(super) fn values<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[Raw<'_, T>],
        saved: &mut [T],
        passing: &mut [T],
    ) -> Result<(), EinsumError> {
        let (_, inner) = self.forward.split_last().expect("a step");
        if self.copies.is_empty() && inner.is_empty() {
            return Ok(());
        }
        if operands.iter().any(|raw| raw.layout().real != T::__REAL) {
            return self.values_in_turn(engine, operands, saved, passing);
        }
        let at = tape::find(engine, self.id[0], operands, &mut |recorder| {
            let spot = |array: Array| match array {
                Array::Operand(p) => Spot::Given(p),
                Array::Value(id) => spot_of(&self.values[id]),
                Array::Gradient(_) | Array::Seed => unreachable!("no step forward reads it"),
            };
            for call in self.in_turn(inner) {
                self.record(recorder, call, spot, operands, &self.values[call.to])?;
            }
            recorder.end_part();
            Ok(())
        })?;
        let blocks = [start(saved), start(passing)];
        // SAFETY: the tape has just been found for these operands. The blocks are borrowed mutably, and hold the slots of
        // the values (`Memory::new` has made room for them); a call reads operands and the slots of others.
        unsafe { tape::run(engine, (self.id[0], at, 0), operands, blocks, false) };
        Ok(())
    }

    /// The steps forward, each behind the copies of the operands that it reads: a cache holds them then. Other copies last.
    fn in_turn<'a>(&'a self, steps: &'a [Call]) -> Vec<&'a Call> {
        let mut copies: Vec<&Call> = self.copies.iter().collect();
        let mut calls = Vec::with_capacity(copies.len() + steps.len());
        for step in steps {
            let read = |p| {
                step.inputs
                    .iter()
                    .any(|input| input.array == Array::Operand(p))
            };
            calls.extend(copies.extract_if(.., |copy| read(copy.to)));
            calls.push(step);
        }
        calls.extend(copies);
        calls
    }

    /// The same of real operands among complex ones, which a tape does not know: call by call.
    fn values_in_turn<T: Scalar>(
        &self,
        engine: &mut Engine,
        operands: &[Raw<'_, T>],
        saved: &mut [T],
        passing: &mut [T],
    ) -> Result<(), EinsumError> {
        let (_, inner) = self.forward.split_last().expect("a step");
        let first = [aligned(saved), aligned(passing)];
        let blocks = [&mut saved[first[0]..], &mut passing[first[1]..]];
        let mut chunks = chunks(blocks, &self.values);
        for call in self.copies.iter().chain(inner) {
            let to = core::mem::take(&mut chunks[call.to]);
            let slot = self.values[call.to].as_ref().expect("it is written down");
            let source = |array| match array {
                Array::Operand(p) => Source::Raw(operands[p]),
                Array::Value(id) => Source::Elements(&*chunks[id]),
                Array::Gradient(_) | Array::Seed => unreachable!("no step forward reads it"),
            };
            with_inputs(self, call, false, source, |operands| {
                run(engine, call, operands, &slot.shape, to, false)
            })?;
            chunks[call.to] = to;
        }
        Ok(())
    }

    /// Makes the steps backward ready that gradients wait for. Their place among the tapes of the engine.
    pub(super) fn backward<T: Scalar>(
        &self,
        engine: &mut Engine,
        seed: Raw<'_, T>,
    ) -> Result<Option<usize>, EinsumError> {
        if self.inner.calls.is_empty() {
            return Ok(None);
        }
        let given = [seed];
        let at = tape::find(engine, self.id[1], &given, &mut |recorder| {
            let spot = |array: Array| match array {
                Array::Operand(id) | Array::Value(id) => spot_of(&self.values[id]),
                Array::Gradient(id) => spot_of(&self.gradients[id]),
                Array::Seed => Spot::Given(0),
            };
            for part in &self.inner.parts {
                for call in &self.inner.calls[part.clone()] {
                    self.record(recorder, call, spot, &given, &self.gradients[call.to])?;
                }
                recorder.end_part();
            }
            Ok(())
        })?;
        Ok(Some(at))
    }

    /// Computes the gradients of intermediates that gradient `k` of those asked for waits for, once those of the gradients
    /// before it are computed. The tape is the one that `backward` has just given for this seed.
    pub(super) fn gradients<T: Scalar>(
        &self,
        engine: &mut Engine,
        (at, k): (usize, usize),
        (seed, transpose): (Raw<'_, T>, bool),
        saved: &[T],
        passing: &mut [T],
    ) {
        if self.inner.parts[k].is_empty() {
            return;
        }
        let saved = saved.as_ptr().wrapping_add(aligned(saved)).cast_mut();
        // SAFETY: as in `values`; what is saved is only read here, because no slot of a gradient is.
        unsafe {
            tape::run(
                engine,
                (self.id[1], at, k),
                &[seed],
                [saved, start(passing)],
                transpose,
            )
        };
    }

    fn record<T: Scalar>(
        &self,
        recorder: &mut Recorder<'_>,
        call: &Call,
        spot: impl Fn(Array) -> Spot,
        given: &[Raw<'_, T>],
        to: &Option<Slot>,
    ) -> Result<(), EinsumError> {
        let spots: Vec<Spot> = call.inputs.iter().map(|input| spot(input.array)).collect();
        let strides: Vec<_> = call
            .inputs
            .iter()
            .zip(&spots)
            .map(|(input, spot)| match spot {
                Spot::Given(i) => axes_of(input, &given[*i]).to_vec(),
                _ => input.strides.clone(),
            })
            .collect();
        let reads: Vec<Read<'_>> = call
            .inputs
            .iter()
            .zip(spots)
            .zip(&strides)
            .map(|((input, spot), strides)| Read {
                spot,
                lens: &input.lens,
                strides,
                conj: input.conj,
            })
            .collect();
        let shape = &to.as_ref().expect("it is written down").shape;
        recorder.call(
            &call.einsum,
            &reads,
            (spot_of(to), shape, &row_major(shape)),
        )
    }
}

fn start<T>(block: &mut [T]) -> *mut T {
    let first = aligned(block);
    block.as_mut_ptr().wrapping_add(first)
}
