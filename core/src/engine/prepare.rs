//! From labels and sizes to kernels: what a call does, worked out once for its shapes and strides.

mod builder;
mod source;

use cteinsum_plan::{Listed, Program};

use builder::Builder;
use source::{Source, operand_sources};

use crate::engine::orders::Orders;
use crate::engine::plan::Plan;
use crate::engine::raw::{Given, Layout, Target};
use crate::engine::strides::{label_strides, row_major, strides_of};
use crate::engine::workspace::Slots;
use crate::error::EinsumError;
use crate::kernel::{Axis, AxisList, ElementType, Kernel, Prepared, Reduction};
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

/// One kernel and its operands, in the order in which it takes them. `right` is `None` for a reduction.
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

/// What a call does for one set of shapes and strides. What is rare is in boxes, so that little is moved.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) actions: Vec<Action>,
    /// The operands of the only action, if that is all there is to do.
    pub(crate) alone: Option<(usize, usize)>,
    /// Threads of the entry that all steps share: more than 1 where several of them are shared out.
    pub(crate) together: usize,
    /// Bytes of workspace: the peak over the call.
    pub(crate) workspace: usize,
    pub(crate) output_shape: Short<usize>,
    pub(crate) output_len: usize,
    /// Every element of a fresh result is written by a kernel that asks for nothing to be there.
    pub(crate) writes_all: bool,
    /// Scales a given output in which a label stands twice: the steps then write the diagonal only.
    pub(crate) off_diagonal: Option<Box<Prepared>>,
    pub(crate) imaginary: Option<Box<Imaginary>>,
    /// If real kernels write into a given output, which have no complex factors: a copy of a row-major result into it.
    pub(crate) whole: Option<Box<Prepared>>,
    /// What it was made of.
    #[cfg(feature = "report")]
    pub(crate) origin: crate::engine::explain::Origin,
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
        let given = target.given;
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
        if let Some(given) = given
            && given.shape != output_shape
        {
            return Err(EinsumError::output(plan, &output_shape, given.shape));
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
        // Of many operands nothing is chosen by it.
        let few = operands.iter().enumerate().take(32);
        let real = few
            .filter(|(_, o)| mixed && o.real)
            .fold(0, |bits, (at, _)| bits | 1 << at);
        let program = orders
            .tree(plan, real, &network, &carried, &output, &sizes, lower)
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
        let fresh_strides = strides_of(&output_shape, target.order);
        let strides = given.map_or(&*fresh_strides, |given| given.strides);
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
        if given.is_none()
            && let Some(mut action) = builder.actions.pop()
        {
            action.kernel = action.kernel.into_untouched();
            builder.actions.push(action);
        }
        let by_parts = builder.actions.last().is_some_and(|action| action.parts);
        let mut output = network.output.iter().enumerate();
        let repeats = output.any(|(i, l)| network.output[..i].contains(l));
        let writes_all = builder.actions.last().is_some_and(|action| {
            let initialised = action.kernel.route().kernel == Kernel::Faer;
            !repeats && !action.parts && !initialised
        });
        let alone = match &builder.actions[..] {
            [action] if !action.parts && !repeats => match (action.left, action.right) {
                (Place::Operand(a), None) => Some((a, a)),
                (Place::Operand(a), Some(Place::Operand(b))) => Some((a, b)),
                _ => None,
            },
            _ => None,
        };
        Ok(Recipe {
            alone,
            together: together(builder.actions.iter().map(|action| &action.kernel)),
            imaginary: builder.imaginary.map(Box::new),
            whole: given
                .filter(|_| by_parts)
                .map(|given| copying(given, sharing.threads).into()),
            actions: builder.actions,
            workspace: builder.slots.peak(),
            off_diagonal: given
                .filter(|_| repeats)
                .map(|given| scaling(given_axes(given), sharing.threads).into()),
            output_shape: Short::from_slice(&output_shape),
            output_len,
            writes_all,
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

/// The threads of an entry that all these steps share, or 1 where they need none: it pays from two on that are shared out.
pub(crate) fn together<'a>(steps: impl Iterator<Item = &'a Prepared>) -> usize {
    let shared = steps.map(|step| step.route().threads);
    let (count, most) = shared
        .filter(|&threads| threads > 1)
        .fold((0, 1), |(count, most), threads| {
            (count + 1, threads.max(most))
        });
    if count > 1 { most } else { 1 }
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

/// The axes of a given output.
fn given_axes<'a>(given: &Given<'a>) -> impl Iterator<Item = Axis> + use<'a> {
    let axes = given.shape.iter().zip(given.strides);
    axes.map(|(&len, &c)| Axis { len, a: 0, b: 0, c })
}

/// A row-major array into a given output.
fn copying(given: &Given<'_>, threads: usize) -> Prepared {
    let axes = given_axes(given).zip(row_major(given.shape));
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
