//! What the derivatives of a call compute, worked out once for its shapes: einsums over one or two arrays.

use std::sync::Arc;

use cteinsum_plan::{Backward, Gradient, Label, Network, Rule, gradient_tree};

use crate::einsum::{Einsum, next_id};
use crate::engine::plan::{Plan, PlanKey};
use crate::engine::row_major;
use crate::engine::{Engine, Raw};
use crate::error::EinsumError;
use crate::gradient::schedule::Schedule;
use crate::scalar::Scalar;
use crate::tensor::check::checked_len_of;

/// The array that an input of a [`Call`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    /// An operand of the einsum.
    Operand(usize),
    /// The value of a tensor that a step makes, in SSA form.
    Value(usize),
    /// The gradient of a tensor, in SSA form.
    Gradient(usize),
    /// The gradient of the result: what the pullback is given.
    Seed,
}

/// One or two operands of a [`Call`].
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) array: Array,
    /// The axes of the array that are read; `None` for an axis along which it is constant.
    pub(crate) axes: Vec<Option<usize>>,
    /// Their lengths.
    pub(crate) lens: Vec<usize>,
    /// Their strides where the array is row-major.
    pub(crate) strides: Vec<isize>,
    /// Conjugated, unless the transpose is asked for.
    pub(crate) conj: bool,
}

/// An einsum of arrays that are known by their places. The engine remembers how it is computed.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) einsum: Einsum,
    pub(crate) inputs: Vec<Input>,
    /// The tensor that is made, or whose gradient is.
    pub(crate) to: usize,
}

/// The memory of a tensor.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Kept for the steps backward.
    pub(crate) saved: bool,
    pub(crate) shape: Vec<usize>,
    pub(crate) len: usize,
    /// Elements before it in its block.
    pub(crate) offset: usize,
}

impl Slot {
    /// Elements to the next slot: each begins on a cache line of its own, seen from the first.
    pub(crate) fn padded(&self) -> usize {
        self.len.next_multiple_of(16)
    }

    /// Its elements in its block.
    pub(crate) fn range(&self) -> core::ops::Range<usize> {
        self.offset..self.offset + self.len
    }
}

/// Puts slots behind one another, in two blocks. Whether the address space has room for them.
fn place(slots: &mut [Option<Slot>]) -> bool {
    let mut ends = [0usize; 2];
    for slot in slots.iter_mut().flatten() {
        let end = &mut ends[usize::from(!slot.saved)];
        slot.offset = *end;
        let Some(next) = end.checked_add(slot.padded()) else {
            return false;
        };
        *end = next;
    }
    ends[0].checked_add(ends[1]).is_some()
}

/// The derivatives of an einsum for operands of given shapes.
#[derive(Debug)]
pub(crate) struct GradientPlan {
    /// Of the tapes forward and backward.
    pub(crate) id: [u64; 2],
    key: Option<PlanKey>,
    element: usize,
    /// The shapes of the operands.
    pub(crate) shapes: Vec<Box<[usize]>>,
    /// The operands whose gradients are asked for, in order.
    wrt: Vec<usize>,
    pub(crate) gradient: Gradient,
    pub(crate) network: Network,
    pub(crate) sizes: Vec<usize>,
    pub(crate) output_shape: Vec<usize>,
    /// By tensor in SSA form: its value, if it has to be written down.
    pub(crate) values: Vec<Option<Slot>>,
    /// By tensor in SSA form: its gradient, if it is more than a result.
    pub(crate) gradients: Vec<Option<Slot>>,
    /// The steps forward; the last one makes the result.
    pub(crate) forward: Vec<Call>,
    /// Copies of the operands that are saved.
    pub(crate) copies: Vec<Call>,
    /// The gradients that others are made of.
    pub(crate) inner: Schedule,
    /// By operand: its gradient, if it is wanted.
    pub(crate) last: Vec<Option<Call>>,
}

/// An axis of an input before the labels are put into an einsum: label, length, axis of the array.
type Axis = (usize, usize, Option<usize>);

impl GradientPlan {
    /// The plan of a call: remembered by the engine, or worked out now. All sizes are checked.
    pub(crate) fn find<T: Scalar>(
        engine: &mut Engine,
        plan: Plan<'_>,
        operands: &[Raw<'_, T>],
        wrt: &[usize],
    ) -> Result<Arc<GradientPlan>, EinsumError> {
        let (key, element) = (plan.key(), size_of::<T>());
        let known = engine.gradients.iter().find(|known| {
            known.key == key
                && key.is_some()
                && known.element == element
                && known.wrt == wrt
                && known.shapes.len() == operands.len()
                && (known.shapes.iter().zip(operands)).all(|(a, b)| **a == *b.layout().shape)
        });
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let shapes: Vec<&[usize]> = operands.iter().map(|raw| raw.layout().shape).collect();
        let made = Arc::new(GradientPlan::new(engine, plan, &shapes, element, wrt)?);
        // The oldest one goes first.
        if engine.gradients.len() >= 128 {
            engine.gradients.remove(0);
        }
        engine.gradients.push(made.clone());
        Ok(made)
    }

    fn new(
        engine: &mut Engine,
        plan: Plan<'_>,
        shapes: &[&[usize]],
        element: usize,
        wrt: &[usize],
    ) -> Result<GradientPlan, EinsumError> {
        let mut wanted = vec![false; shapes.len()];
        for &p in wrt {
            wanted[p] = true;
        }
        let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
        let network = plan
            .network(&ranks)
            .map_err(|error| EinsumError::rank(plan, error))?;
        let sizes = network
            .bind(shapes)
            .map_err(|error| EinsumError::size(plan, &network, error))?;
        let lens = |labels: &[Label]| -> Vec<usize> {
            labels.iter().map(|&l| sizes[usize::from(l)]).collect()
        };
        let output_shape = lens(&network.output);
        let fits = |shape: &[usize]| {
            checked_len_of(shape, element).ok_or_else(|| EinsumError::too_large(plan, shape))
        };
        fits(&output_shape)?;
        let carried = network.carried(shapes);
        let output = network.carried_output(&sizes);

        let strategy = plan.strategy();
        let free = strategy.rule == Rule::Exact
            && strategy.groups.is_none()
            && strategy.max_intermediate.is_none();
        let best = match free {
            true => gradient_tree(&carried, &output, &sizes, &wanted, strategy.cost),
            false => None,
        };
        let tree = match best {
            Some(tree) => tree.0,
            None => engine
                .orders
                .tree(plan, 0, &network, &carried, &output, &sizes, <[_]>::to_vec)
                .map_err(|error| EinsumError::intermediate(plan, error))?,
        };
        let gradient = Gradient::new(&carried, &output, &tree, &wanted);
        let operands = shapes.len();
        let tensors = operands + gradient.forward.steps.len();

        let slot = |shape: Vec<usize>, saved: bool| -> Result<Option<Slot>, EinsumError> {
            let len = fits(&shape)?;
            let offset = 0;
            Ok(Some(Slot {
                saved,
                shape,
                len,
                offset,
            }))
        };
        let mut values = Vec::with_capacity(tensors);
        for (p, shape) in shapes.iter().enumerate() {
            values.push(if gradient.saved[p] {
                slot(shape.to_vec(), true)?
            } else {
                None
            });
        }
        let (_, inner) = gradient.forward.steps.split_last().expect("a step");
        for (s, step) in inner.iter().enumerate() {
            values.push(slot(lens(&step.result), gradient.saved[operands + s])?);
        }
        values.push(None);

        let maker = Maker {
            network: &network,
            shapes,
            sizes: &sizes,
            gradient: &gradient,
            output_shape: &output_shape,
        };
        let mut gradients: Vec<Option<Slot>> = Vec::with_capacity(tensors);
        gradients.resize_with(tensors, || None);
        let mut last: Vec<Option<Call>> = Vec::with_capacity(operands);
        last.resize_with(operands, || None);
        let mut inner: Vec<Option<Call>> = Vec::with_capacity(tensors);
        inner.resize_with(tensors, || None);
        for backward in &gradient.backward {
            let of = backward.of;
            if of >= operands || !backward.spread.is_empty() && backward.step.right.is_some() {
                gradients[of] = slot(lens(&backward.step.result), false)?;
                inner[of] = Some(maker.inner(backward));
            }
            if of < operands {
                last[of] = Some(maker.last(backward));
            }
        }
        let copies = (0..operands)
            .filter(|&p| gradient.saved[p])
            .map(|p| maker.copy(p))
            .collect();
        let forward = (0..gradient.forward.steps.len())
            .map(|s| maker.forward(s))
            .collect();
        let too_large = || EinsumError::too_large(plan, &output_shape);
        let in_order: Vec<&Call> = wrt.iter().flat_map(|&p| &last[p]).collect();
        let inner = Schedule::new(inner, &in_order, &mut gradients).ok_or_else(too_large)?;
        if !place(&mut values) {
            return Err(too_large());
        }
        let mut plan = GradientPlan {
            id: [next_id(), next_id()],
            key: plan.key(),
            element,
            shapes: shapes.iter().map(|&shape| shape.into()).collect(),
            wrt: wrt.to_vec(),
            values,
            gradients,
            forward,
            copies,
            inner,
            last,
            gradient,
            network,
            sizes,
            output_shape,
        };
        plan.lay_out();
        Ok(plan)
    }

    /// Writes down the strides of what is read from memory of ours.
    fn lay_out(&mut self) {
        let lists = [&self.forward, &self.copies, &self.inner.calls];
        let calls = lists
            .into_iter()
            .flatten()
            .chain(self.last.iter().flatten());
        let all: Vec<Vec<isize>> = calls
            .flat_map(|call| &call.inputs)
            .map(|input| {
                let strides = row_major(self.shape(input.array));
                let of = |axis: &Option<usize>| axis.map_or(0, |axis| strides[axis]);
                input.axes.iter().map(of).collect()
            })
            .collect();
        let lists = [&mut self.forward, &mut self.copies, &mut self.inner.calls];
        let calls = lists.into_iter().flatten();
        let calls = calls.chain(self.last.iter_mut().flatten());
        for (input, strides) in calls.flat_map(|call| &mut call.inputs).zip(all) {
            input.strides = strides;
        }
    }

    /// The shape of an array, as it lies in memory.
    pub(crate) fn shape(&self, array: Array) -> &[usize] {
        match array {
            Array::Operand(p) => &self.shapes[p],
            Array::Value(_) | Array::Gradient(_) => &self.slot(array).shape,
            Array::Seed => &self.output_shape,
        }
    }

    /// The memory of an array in a block of ours.
    ///
    /// # Panics
    /// If it has none.
    pub(crate) fn slot(&self, array: Array) -> &Slot {
        let slot = match array {
            Array::Operand(id) | Array::Value(id) => self.values[id].as_ref(),
            Array::Gradient(id) => self.gradients[id].as_ref(),
            Array::Seed => None,
        };
        slot.expect("it is written down")
    }
}

/// Writes down the calls.
struct Maker<'a> {
    network: &'a Network,
    shapes: &'a [&'a [usize]],
    sizes: &'a [usize],
    gradient: &'a Gradient,
    output_shape: &'a [usize],
}

impl Maker<'_> {
    /// A tensor and its axes, those of length 1 left out.
    fn value(&self, id: usize) -> (Array, Vec<Axis>) {
        match self.shapes.get(id) {
            Some(shape) => {
                let labels = &self.network.inputs[id];
                (Array::Operand(id), longer_than_one(labels, shape))
            }
            None => {
                let labels = &self.gradient.forward.steps[id - self.shapes.len()].result;
                (Array::Value(id), self.axes(labels))
            }
        }
    }

    /// The axes of a tensor that a step makes.
    fn axes(&self, labels: &[Label]) -> Vec<Axis> {
        let axes = labels.iter().enumerate();
        axes.map(|(axis, &l)| (usize::from(l), self.sizes[usize::from(l)], Some(axis)))
            .collect()
    }

    /// The gradient of what a step backward comes from.
    fn gradient(&self, backward: &Backward) -> (Array, Vec<Axis>) {
        let steps = &self.gradient.forward.steps;
        match backward.step.left - self.shapes.len() {
            root if root + 1 == steps.len() => {
                let output = &self.network.output;
                (Array::Seed, longer_than_one(output, self.output_shape))
            }
            step => (
                Array::Gradient(backward.step.left),
                self.axes(&steps[step].result),
            ),
        }
    }

    fn forward(&self, step: usize) -> Call {
        let steps = &self.gradient.forward.steps;
        let (left, right) = (steps[step].left, steps[step].right);
        let mut inputs = vec![self.value(left)];
        inputs.extend(right.map(|right| self.value(right)));
        let mut output: Vec<usize> = labels(&steps[step].result);
        if step + 1 == steps.len() {
            output = labels(&self.network.output);
            // Nobody carries what has length 1.
            for &label in &output {
                let axes = &mut inputs[0].1;
                if self.sizes[label] == 1 && !axes.iter().any(|axis| axis.0 == label) {
                    axes.push((label, 1, None));
                }
            }
        }
        call(inputs, None, &output, self.shapes.len() + step)
    }

    /// An operand as it is.
    fn copy(&self, p: usize) -> Call {
        let axes = self.shapes[p].iter().enumerate();
        let axes = axes.map(|(axis, &len)| (axis, len, Some(axis))).collect();
        let output: Vec<usize> = (0..self.shapes[p].len()).collect();
        call(vec![(Array::Operand(p), axes)], None, &output, p)
    }

    fn product(&self, backward: &Backward, ones: &[Axis], output: &[usize]) -> Call {
        let (array, mut axes) = self.gradient(backward);
        axes.extend_from_slice(ones);
        let mut inputs = vec![(array, axes)];
        let beside = backward.step.right;
        inputs.extend(beside.map(|beside| self.value(beside)));
        call(inputs, beside.map(|_| 1), output, backward.of)
    }

    /// A gradient that others are made of.
    fn inner(&self, backward: &Backward) -> Call {
        self.product(backward, &[], &labels(&backward.step.result))
    }

    /// The gradient of an operand, with its own axes.
    fn last(&self, backward: &Backward) -> Call {
        let p = backward.of;
        let spread = backward.spread.iter().map(|&l| usize::from(l));
        let mut ones: Vec<Axis> = spread.map(|l| (l, self.sizes[l], None)).collect();
        let mut output = Vec::with_capacity(self.shapes[p].len());
        for (axis, (&label, &len)) in self.network.inputs[p]
            .iter()
            .zip(self.shapes[p])
            .enumerate()
        {
            if len == 1 {
                // A label of its own: what broadcasts has been summed over.
                let own = self.network.labels + axis;
                ones.push((own, 1, None));
                output.push(own);
            } else {
                output.push(usize::from(label));
            }
        }
        if backward.spread.is_empty() || backward.step.right.is_none() {
            return self.product(backward, &ones, &output);
        }
        let mut axes = self.axes(&backward.step.result);
        axes.extend(ones);
        call(vec![(Array::Gradient(p), axes)], None, &output, p)
    }
}

fn labels(labels: &[Label]) -> Vec<usize> {
    labels.iter().map(|&label| usize::from(label)).collect()
}

fn longer_than_one(labels: &[Label], shape: &[usize]) -> Vec<Axis> {
    let axes = labels
        .iter()
        .zip(shape)
        .enumerate()
        .filter(|(_, (_, len))| **len != 1);
    axes.map(|(axis, (&label, &len))| (usize::from(label), len, Some(axis)))
        .collect()
}

fn call(inputs: Vec<(Array, Vec<Axis>)>, conj: Option<usize>, output: &[usize], to: usize) -> Call {
    let terms: Vec<Vec<usize>> = inputs
        .iter()
        .map(|(_, axes)| axes.iter().map(|axis| axis.0).collect())
        .collect();
    let terms: Vec<&[usize]> = terms.iter().map(Vec::as_slice).collect();
    let einsum = Einsum::new(&terms, output).expect("the output's labels are those of the inputs");
    let inputs = inputs
        .into_iter()
        .enumerate()
        .map(|(i, (array, axes))| Input {
            array,
            axes: axes.iter().map(|axis| axis.2).collect(),
            lens: axes.iter().map(|axis| axis.1).collect(),
            strides: Vec::new(),
            conj: conj == Some(i),
        });
    Call {
        einsum,
        inputs: inputs.collect(),
        to,
    }
}
