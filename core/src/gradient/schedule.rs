//! When the steps backward run that others wait for, and where what they write lies.

use core::ops::Range;

use crate::engine::Slots;
use crate::gradient::plan::{Array, Call, Slot};

/// Steps backward in the order in which they run: those that the first gradient asked for waits for, then those that the
/// second one waits for, and so on.
///
/// A gradient of an intermediate is thus read soon after it is written, while a cache still holds it, and its memory
/// serves the next one.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) calls: Vec<Call>,
    /// Of each gradient asked for: the calls that run before it.
    pub(crate) parts: Vec<Range<usize>>,
    /// Elements that the slots take together.
    pub(crate) elements: usize,
}

impl Schedule {
    /// Orders the calls and places their slots, both by tensor; `last` are the calls of the gradients asked for, in order.
    /// `None` if no memory has room for the slots.
    pub(crate) fn new(
        mut calls: Vec<Option<Call>>,
        last: &[&Call],
        slots: &mut [Option<Slot>],
    ) -> Option<Schedule> {
        let mut order = Vec::new();
        let mut parts = Vec::with_capacity(last.len());
        for call in last {
            let first = order.len();
            before(call, &mut calls, &mut order);
            parts.push(first..order.len());
        }
        // The time at which a gradient is read last.
        let mut until = vec![0; slots.len()];
        let mut time = 0;
        for (part, last) in parts.iter().zip(last) {
            for call in order[part.clone()].iter().chain([*last]) {
                gradients(call).for_each(|read| until[read] = time);
                time += 1;
            }
        }
        let mut memory = Slots::default();
        let mut live: Vec<(usize, usize)> = Vec::new();
        let mut time = 0;
        for part in &parts {
            for call in &order[part.clone()] {
                let slot = slots[call.to].as_mut().expect("it is written down");
                slot.offset = memory.take(slot.padded())?;
                free(&mut live, &until, time, &mut memory);
                live.push((call.to, slot.offset));
                time += 1;
            }
            free(&mut live, &until, time, &mut memory);
            time += 1;
        }
        Some(Schedule {
            calls: order,
            parts,
            elements: memory.peak(),
        })
    }
}

/// The gradients of intermediates that a call reads.
fn gradients(call: &Call) -> impl Iterator<Item = usize> {
    call.inputs.iter().filter_map(|input| match input.array {
        Array::Gradient(tensor) => Some(tensor),
        _ => None,
    })
}

/// Moves what a call waits for from `calls` to `order`.
fn before(call: &Call, calls: &mut [Option<Call>], order: &mut Vec<Call>) {
    for read in gradients(call) {
        if let Some(wanted) = calls[read].take() {
            before(&wanted, calls, order);
            order.push(wanted);
        }
    }
}

/// Frees the slots of what is read for the last time at this one.
fn free(live: &mut Vec<(usize, usize)>, until: &[usize], time: usize, memory: &mut Slots) {
    live.retain(|&(tensor, offset)| {
        if until[tensor] == time {
            memory.free(offset);
        }
        until[tensor] != time
    });
}
