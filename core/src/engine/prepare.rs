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
    Output,
}

/// One kernel and its operands. `right` is `None` for a reduction.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) kernel: Prepared,
    pub(crate) left: Place,
    pub(crate) right: Option<Place>,
    pub(crate) to: Place,
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
    /// What it was made of.
    #[cfg(feature = "report")]
    pub(crate) origin: crate::engine::explain::Origin,
}

/// An operand or intermediate: its distinct labels of length other than 1, and the stride of each.
struct Source {
    place: Place,
    strides: Vec<(Label, isize)>,
}

impl Source {
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
        element: ElementType,
        operands: &[Layout<'_>],
        target: Target<'_>,
        sharing: Sharing,
    ) -> Result<Recipe, EinsumError> {
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
            sources: operand_sources(&network, operands),
            slots: Slots::default(),
            actions: Vec::with_capacity(program.steps.len()),
            element,
        };
        let order = target.order().unwrap_or(MemoryOrder::RowMajor);
        let fresh_strides = strides_of(&output_shape, order);
        let strides = given.map_or(&*fresh_strides, |(_, strides)| strides);
        let target = Source {
            place: Place::Output,
            strides: label_strides(&network.output, &output_shape, strides),
        };
        let (last, inner) = program
            .steps
            .split_last()
            .expect("an einsum has at least one operand");
        for step in inner {
            builder.step(step, None)?;
        }
        builder.step(last, Some(target))?;
        Ok(Recipe {
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
                .map(|(shape, strides)| scaling(shape, strides, sharing.threads)),
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
    element: ElementType,
}

impl Builder<'_> {
    /// One step of the tree: sums of one-sided labels first, then the product, into a slot or into `target`.
    fn step(&mut self, step: &Step, target: Option<Source>) -> Result<(), EinsumError> {
        let Some(right) = step.right else {
            let target = match target {
                Some(target) => target,
                None => self.slot(&step.result)?,
            };
            self.reduce(step.left, &step.left_summed, &step.result, &target)?;
            self.sources.push(target);
            return Ok(());
        };
        let left = self.summed(step.left, &step.left_labels, &step.left_summed)?;
        let right = self.summed(right, &step.right_labels, &step.right_summed)?;
        let target = match target {
            Some(target) => target,
            None => self.slot(&step.result)?,
        };
        let labels = [
            &step.batch,
            &step.left_free,
            &step.right_free,
            &step.contracted,
        ];
        self.countable(labels.into_iter().flatten())?;
        let kernel = {
            let (a, b) = (&self.sources[left], &self.sources[right]);
            let axes = |labels: &[Label]| -> AxisList {
                labels
                    .iter()
                    .map(|&l| Axis {
                        len: self.sizes[usize::from(l)],
                        a: a.stride(l),
                        b: b.stride(l),
                        c: target.stride(l),
                    })
                    .collect()
            };
            Prepared::contraction_of(
                &Contraction {
                    batch: axes(&step.batch),
                    m: axes(&step.left_free),
                    n: axes(&step.right_free),
                    k: axes(&step.contracted),
                },
                self.element,
                self.sharing.threads,
            )
        };
        self.actions.push(Action {
            kernel: self.sharing.of(kernel),
            left: self.sources[left].place,
            right: Some(self.sources[right].place),
            to: target.place,
        });
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
        let target = self.slot(&kept)?;
        self.reduce(id, summed, &kept, &target)?;
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
        target: &Source,
    ) -> Result<(), EinsumError> {
        self.countable(kept.iter().chain(summed))?;
        let source = &self.sources[from];
        let axes = |labels: &[Label]| -> AxisList {
            labels
                .iter()
                .map(|&l| Axis {
                    len: self.sizes[usize::from(l)],
                    a: source.stride(l),
                    b: 0,
                    c: target.stride(l),
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
        });
        Ok(())
    }

    /// An index space that no `usize` counts is never walked to its end, nor can its scratch memory be had.
    fn countable<'l>(
        &self,
        labels: impl Iterator<Item = &'l Label> + Clone,
    ) -> Result<(), EinsumError> {
        let lens = labels.map(|&l| self.sizes[usize::from(l)]);
        if is_countable(lens.clone()) {
            return Ok(());
        }
        let shape: Vec<usize> = lens.listed();
        Err(EinsumError::too_large(self.plan, &shape))
    }

    /// A row-major slot of the workspace for these labels.
    fn slot(&mut self, labels: &[Label]) -> Result<Source, EinsumError> {
        let shape: Vec<usize> = labels.iter().map(|&l| self.sizes[usize::from(l)]).listed();
        let too_large = || EinsumError::too_large(self.plan, &shape);
        let len = checked_len_of(&shape, self.element.size).ok_or_else(too_large)?;
        let offset = self
            .slots
            .take(len * self.element.size)
            .ok_or_else(too_large)?;
        Ok(Source {
            place: Place::Slot(offset),
            strides: labels.iter().copied().zip(row_major(&shape)).listed(),
        })
    }

    fn free(&mut self, id: usize) {
        if let Place::Slot(offset) = self.sources[id].place {
            self.slots.free(offset);
        }
    }
}

fn operand_sources(network: &Network, operands: &[Layout<'_>]) -> Vec<Source> {
    network
        .inputs
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(p, (labels, operand))| Source {
            place: Place::Operand(p),
            strides: label_strides(labels, operand.shape, operand.strides),
        })
        .listed()
}

/// `C <- beta * C` for the whole of an output: a sum of nothing.
fn scaling(shape: &[usize], strides: &[isize], threads: usize) -> Prepared {
    let kept = shape
        .iter()
        .zip(strides)
        .map(|(&len, &c)| Axis { len, a: 0, b: 0, c })
        .collect();
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
fn row_major(shape: &[usize]) -> Vec<isize> {
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
