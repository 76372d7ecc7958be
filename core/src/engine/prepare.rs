//! From labels and sizes to kernels: what a call does, worked out once for its shapes and strides.

use cteinsum_plan::{Label, Listed, Network, Program, Step};

use crate::engine::orders::Orders;
use crate::engine::plan::Plan;
use crate::engine::raw::{Layout, MemoryOrder, Target};
use crate::engine::workspace::Slots;
use crate::error::EinsumError;
use crate::kernel::{Axis, AxisList, Contraction, ElementType, Prepared, Reduction};
use crate::tensor::check::checked_len_of;
use crate::tensor::short::Short;

/// Where a kernel reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Operand(usize),
    /// Bytes from the start of the workspace.
    Slot(usize),
    /// The same, of elements that count as their conjugates.
    Conjugate(usize),
    Output,
}

/// One kernel and its operands. `right` is `None` for a reduction.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) kernel: Prepared,
    pub(crate) left: Place,
    pub(crate) right: Option<Place>,
    pub(crate) to: Place,
    /// The kernel is one of real numbers, which sees complex ones as pairs of them.
    pub(crate) parts: bool,
}

/// The element type of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) id: core::any::TypeId,
    pub(crate) whole: ElementType,
    /// The real and imaginary parts of complex numbers.
    pub(crate) part: Option<ElementType>,
    /// Not complex.
    pub(crate) real: bool,
}

/// What real kernels leave to do with the imaginary parts of an output.
#[derive(Debug)]
pub(crate) struct Imaginary {
    /// Multiplies all of them by a beta.
    pub(crate) step: Prepared,
    /// By -1, before the output is added to and at the end. Else the result is real.
    pub(crate) negate: bool,
}

/// The threads that a call may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    pub(crate) threads: usize,
    /// Every step takes all of them, even where that does not pay.
    pub(crate) always: bool,
}

impl Sharing {
    fn of(self, kernel: Prepared) -> Prepared {
        if self.always {
            kernel.with_threads(self.threads)
        } else {
            kernel
        }
    }
}

/// What a call does for one set of shapes and strides.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) actions: Vec<Action>,
    /// Bytes of workspace: the peak over the call.
    pub(crate) workspace: usize,
    pub(crate) output_shape: Short<usize>,
    pub(crate) output_len: usize,
    /// Scales a given output in which a label stands twice: the steps then write the diagonal only.
    pub(crate) off_diagonal: Option<Prepared>,
    pub(crate) imaginary: Option<Imaginary>,
    /// If real kernels write into a given output, which have no complex factors: a copy of a row-major result into it.
    pub(crate) whole: Option<Prepared>,
    /// What it was made of.
    #[cfg(feature = "report")]
    pub(crate) origin: crate::engine::explain::Origin,
}

/// An operand or intermediate: its distinct labels of length other than 1, and the stride of each.
struct Source {
    place: Place,
    strides: Vec<(Label, isize)>,
    /// Real numbers among complex ones.
    real: bool,
    conj: bool,
}

impl Source {
    /// As [`stride`](Source::stride), in parts of complex numbers if asked for.
    fn stride_in(&self, label: Label, parts: bool) -> isize {
        let stride = self.stride(label);
        match parts && !self.real {
            true => stride.wrapping_mul(2),
            false => stride,
        }
    }

    /// 0 where the label is not carried: the same element serves for every index.
    fn stride(&self, label: Label) -> isize {
        self.strides
            .iter()
            .find(|&&(l, _)| l == label)
            .map_or(0, |&(_, stride)| stride)
    }
}

impl Recipe {
    /// Checks the sizes and chooses the kernels, for a given output or a fresh one, which has no gaps.
    pub(crate) fn new(
        plan: Plan<'_>,
        orders: &mut Orders,
        elements: Elements,
        operands: &[Layout<'_>],
        target: Target<'_>,
        sharing: Sharing,
    ) -> Result<Recipe, EinsumError> {
        let element = elements.whole;
        let mixed = operands.iter().any(|o| o.real != elements.real);
        assert!(
            !mixed || elements.part.is_some(),
            "real operands among others that are not complex numbers"
        );
        let given = target.given();
        let ranks: Vec<usize> = operands.iter().map(|o| o.shape.len()).listed();
        let shapes: Vec<&[usize]> = operands.iter().map(|o| o.shape).listed();
        let network = plan
            .network(&ranks)
            .map_err(|error| EinsumError::rank(plan, error))?;
        let sizes = network
            .bind(&shapes)
            .map_err(|error| EinsumError::size(plan, &network, error))?;
        let output_shape: Vec<usize> = network
            .output
            .iter()
            .map(|&l| sizes[usize::from(l)])
            .listed();
        if let Some((shape, _)) = given
            && shape != output_shape
        {
            return Err(EinsumError::output(plan, &output_shape, shape));
        }
        let output_len = checked_len_of(&output_shape, element.size)
            .ok_or_else(|| EinsumError::too_large(plan, &output_shape))?;

        let carried = network.carried(&shapes);
        let output = network.carried_output(&sizes);
        let lower = |tree: &[(u32, u32)]| {
            assert!(
                is_tree(tree, operands.len()),
                "a contraction tree that does not contract {} operands",
                operands.len()
            );
            Program::lower(&carried, &output, tree)
        };
        let program = orders
            .tree(plan, &network, &carried, &output, &sizes, lower)
            .map_err(|error| EinsumError::intermediate(plan, error))?;

        let mut builder = Builder {
            plan,
            sizes: &sizes,
            sharing,
            sources: operand_sources(&network, operands, mixed),
            imaginary: None,
            slots: Slots::default(),
            actions: Vec::with_capacity(program.steps.len()),
            elements,
        };
        let order = target.order().unwrap_or(MemoryOrder::RowMajor);
        let fresh_strides = strides_of(&output_shape, order);
        let strides = given.map_or(&*fresh_strides, |(_, strides)| strides);
        let target = Source {
            place: Place::Output,
            strides: label_strides(&network.output, &output_shape, strides),
            real: false,
            conj: false,
        };
        let (last, inner) = program
            .steps
            .split_last()
            .expect("an einsum has at least one operand");
        for step in inner {
            builder.step(step, None)?;
        }
        builder.step(last, Some(target))?;
        let by_parts = builder.actions.last().is_some_and(|action| action.parts);
        Ok(Recipe {
            imaginary: builder.imaginary,
            whole: given
                .filter(|_| by_parts)
                .map(|(shape, strides)| copying(shape, strides, sharing.threads)),
            actions: builder.actions,
            workspace: builder.slots.peak(),
            off_diagonal: given
                .filter(|_| {
                    network
                        .output
                        .iter()
                        .enumerate()
                        .any(|(i, l)| network.output[..i].contains(l))
                })
                .map(|(shape, strides)| scaling(given_axes(shape, strides), sharing.threads)),
            output_shape: Short::from_slice(&output_shape),
            output_len,
            #[cfg(feature = "report")]
            origin: crate::engine::explain::Origin {
                text: plan.text(),
                network,
                sizes,
                program,
                element_bytes: element.size,
            },
        })
    }
}

struct Builder<'a> {
    plan: Plan<'a>,
    sizes: &'a [usize],
    sharing: Sharing,
    /// By SSA number.
    sources: Vec<Source>,
    slots: Slots,
    actions: Vec<Action>,
    imaginary: Option<Imaginary>,
    elements: Elements,
}

impl Builder<'_> {
    /// One step of the tree: sums of one-sided labels first, then the product, into a slot or into `target`.
    fn step(&mut self, step: &Step, target: Option<Source>) -> Result<(), EinsumError> {
        let Some(right) = step.right else {
            let mut target = match target {
                Some(target) => target,
                None => self.slot(&step.result, self.sources[step.left].real)?,
            };
            self.reduce(step.left, &step.left_summed, &step.result, &mut target)?;
            self.sources.push(target);
            return Ok(());
        };
        let left = self.summed(step.left, &step.left_labels, &step.left_summed)?;
        let right = self.summed(right, &step.right_labels, &step.right_summed)?;
        let (a, b) = (&self.sources[left], &self.sources[right]);
        // A complex array is a real one with one more axis, of length 2 and stride 1: where a factor is real, that axis is
        // free, and the product takes half the work.
        let parts = a.real || b.real;
        let conj = parts && (a.conj || b.conj);
        let mut target = match target {
            Some(target) => target,
            None => self.slot(&step.result, a.real && b.real)?,
        };
        let labels = [
            &step.batch,
            &step.left_free,
            &step.right_free,
            &step.contracted,
        ];
        self.countable(labels.into_iter().flatten(), parts)?;
        let kernel = {
            let (a, b) = (&self.sources[left], &self.sources[right]);
            let axes = |labels: &[Label]| -> AxisList {
                labels
                    .iter()
                    .map(|&l| Axis {
                        len: self.sizes[usize::from(l)],
                        a: a.stride_in(l, parts),
                        b: b.stride_in(l, parts),
                        c: target.stride_in(l, parts),
                    })
                    .collect()
            };
            let mut contraction = Contraction {
                batch: axes(&step.batch),
                m: axes(&step.left_free),
                n: axes(&step.right_free),
                k: axes(&step.contracted),
            };
            if a.real != b.real {
                let (free, a, b) = match a.real {
                    true => (&mut contraction.n, 0, 1),
                    false => (&mut contraction.m, 1, 0),
                };
                let (len, c) = (2, 1);
                free.push(Axis { len, a, b, c });
            }
            let element = self.elements.part.filter(|_| parts);
            Prepared::contraction_of(
                &contraction,
                element.unwrap_or(self.elements.whole),
                self.sharing.threads,
            )
        };
        let both = self.sources[left].real && self.sources[right].real;
        self.actions.push(Action {
            kernel: self.sharing.of(kernel),
            left: self.sources[left].place,
            right: Some(self.sources[right].place),
            to: target.place,
            parts,
        });
        self.finish(&mut target, &step.result, both, conj);
        self.free(left);
        self.free(right);
        self.sources.push(target);
        Ok(())
    }

    /// The number of a source without the labels in `summed`: `id` itself if there are none.
    fn summed(
        &mut self,
        id: usize,
        labels: &[Label],
        summed: &[Label],
    ) -> Result<usize, EinsumError> {
        if summed.is_empty() {
            return Ok(id);
        }
        let kept: Vec<Label> = labels
            .iter()
            .copied()
            .filter(|l| !summed.contains(l))
            .listed();
        let mut target = self.slot(&kept, self.sources[id].real)?;
        self.reduce(id, summed, &kept, &mut target)?;
        // Not an SSA value of the tree: it stands in for `id` from here on, and `id` is freed.
        self.free(id);
        self.sources[id] = target;
        Ok(id)
    }

    fn reduce(
        &mut self,
        from: usize,
        summed: &[Label],
        kept: &[Label],
        target: &mut Source,
    ) -> Result<(), EinsumError> {
        self.countable(kept.iter().chain(summed), false)?;
        let source = &self.sources[from];
        let parts = source.real;
        let axes = |labels: &[Label]| -> AxisList {
            labels
                .iter()
                .map(|&l| Axis {
                    len: self.sizes[usize::from(l)],
                    a: source.stride_in(l, parts),
                    b: 0,
                    c: target.stride_in(l, parts),
                })
                .collect()
        };
        let kernel = Prepared::reduction_of(
            &Reduction {
                kept: axes(kept),
                summed: axes(summed),
            },
            self.sharing.threads,
        );
        self.actions.push(Action {
            kernel: self.sharing.of(kernel),
            left: source.place,
            right: None,
            to: target.place,
            parts,
        });
        self.finish(target, kept, parts, false);
        Ok(())
    }

    /// What real kernels leave undone: the result that they wrote is real, or the conjugate of what it should be.
    fn finish(&mut self, target: &mut Source, labels: &[Label], real: bool, conj: bool) {
        match target.place {
            Place::Slot(offset) if conj => {
                target.place = Place::Conjugate(offset);
                target.conj = true;
            }
            Place::Output if real || conj => {
                let axis = |&l: &Label| Axis {
                    len: self.sizes[usize::from(l)],
                    a: 0,
                    b: 0,
                    c: target.stride_in(l, true),
                };
                self.imaginary = Some(Imaginary {
                    step: scaling(labels.iter().map(axis), self.sharing.threads),
                    negate: conj,
                });
            }
            _ => {}
        }
    }

    /// An index space that no `usize` counts is never walked to its end, nor can its scratch memory be had.
    fn countable<'l>(
        &self,
        labels: impl Iterator<Item = &'l Label> + Clone,
        parts: bool,
    ) -> Result<(), EinsumError> {
        let lens = labels.map(|&l| self.sizes[usize::from(l)]);
        if is_countable(lens.clone().chain(parts.then_some(2))) {
            return Ok(());
        }
        let shape: Vec<usize> = lens.listed();
        Err(EinsumError::too_large(self.plan, &shape))
    }

    /// A row-major slot of the workspace for these labels.
    fn slot(&mut self, labels: &[Label], real: bool) -> Result<Source, EinsumError> {
        let part = self.elements.part.filter(|_| real);
        let size = part.unwrap_or(self.elements.whole).size;
        let shape: Vec<usize> = labels.iter().map(|&l| self.sizes[usize::from(l)]).listed();
        let too_large = || EinsumError::too_large(self.plan, &shape);
        let len = checked_len_of(&shape, size).ok_or_else(too_large)?;
        let offset = self.slots.take(len * size).ok_or_else(too_large)?;
        Ok(Source {
            place: Place::Slot(offset),
            strides: labels.iter().copied().zip(row_major(&shape)).listed(),
            real,
            conj: false,
        })
    }

    fn free(&mut self, id: usize) {
        if let Place::Slot(offset) | Place::Conjugate(offset) = self.sources[id].place {
            self.slots.free(offset);
        }
    }
}

fn operand_sources(network: &Network, operands: &[Layout<'_>], mixed: bool) -> Vec<Source> {
    network
        .inputs
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(p, (labels, operand))| Source {
            place: Place::Operand(p),
            strides: label_strides(labels, operand.shape, operand.strides),
            real: mixed && operand.real,
            conj: operand.conj && !operand.real,
        })
        .listed()
}

/// The axes of a given output.
fn given_axes<'a>(shape: &'a [usize], strides: &'a [isize]) -> impl Iterator<Item = Axis> {
    let axes = shape.iter().zip(strides);
    axes.map(|(&len, &c)| Axis { len, a: 0, b: 0, c })
}

/// A row-major array into a given output.
fn copying(shape: &[usize], strides: &[isize], threads: usize) -> Prepared {
    let axes = given_axes(shape, strides).zip(row_major(shape));
    let kept = axes.map(|(axis, a)| Axis { a, ..axis }).collect();
    let summed = AxisList::default();
    Prepared::reduction_of(&Reduction { kept, summed }, threads)
}

/// `C <- beta * C`: a sum of nothing.
fn scaling(axes: impl Iterator<Item = Axis>, threads: usize) -> Prepared {
    let kept = axes.collect();
    let summed = core::iter::once(Axis {
        len: 0,
        a: 0,
        b: 0,
        c: 0,
    })
    .collect();
    Prepared::reduction_of(&Reduction { kept, summed }, threads)
}

/// Whether every tensor but the last is used once, after it is made. The macro's constants and the planner's trees
/// are; slots of the workspace are disjoint only if so.
fn is_tree(tree: &[(u32, u32)], operands: usize) -> bool {
    let mut used = vec![false; operands + tree.len()];
    tree.len() + 1 == operands.max(1)
        && tree.iter().enumerate().all(|(step, &(left, right))| {
            [left, right].into_iter().all(|id| {
                let id = id as usize;
                id < operands + step && !core::mem::replace(&mut used[id], true)
            })
        })
}

/// Whether `usize` counts the points of an index space.
fn is_countable(mut lens: impl Iterator<Item = usize> + Clone) -> bool {
    lens.clone().any(|len| len == 0) || lens.try_fold(1usize, |n, len| n.checked_mul(len)).is_some()
}

/// One stride a label. A label that stands twice walks the diagonal: its strides add up. Axes of length 1 repeat
/// their element, so they have no stride.
fn label_strides(labels: &[Label], shape: &[usize], strides: &[isize]) -> Vec<(Label, isize)> {
    let mut sums: Vec<(Label, isize)> = Vec::with_capacity(labels.len());
    for ((&label, &len), &stride) in labels.iter().zip(shape).zip(strides) {
        if len == 1 {
            continue;
        }
        match sums.iter_mut().find(|(l, _)| *l == label) {
            Some((_, sum)) => *sum = sum.wrapping_add(stride),
            None => sums.push((label, stride)),
        }
    }
    sums
}

/// The strides of a row-major tensor.
pub(crate) fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut stride: isize = 1;
    for (s, &len) in strides.iter_mut().zip(shape).rev() {
        *s = stride;
        // Wraps only where another length is 0: the number of elements was checked.
        stride = stride.wrapping_mul(len as isize);
    }
    strides
}

/// The strides of a result without gaps.
pub(super) fn strides_of(shape: &[usize], order: MemoryOrder) -> Vec<isize> {
    match order {
        MemoryOrder::RowMajor => row_major(shape),
        MemoryOrder::ColumnMajor => column_major(shape),
    }
}

/// The strides of a column-major tensor.
fn column_major(shape: &[usize]) -> Vec<isize> {
    let reversed: Vec<usize> = shape.iter().rev().copied().collect();
    let mut strides = row_major(&reversed);
    strides.reverse();
    strides
}
