//! Calls in a row, made ready together: one look-up finds the kernels of all of them.

use std::any::TypeId;

use crate::einsum::Einsum;
use crate::engine::Engine;
use crate::engine::cache::{fits, layout};
use crate::engine::execute::elements;
use crate::engine::plan::Plan;
use crate::engine::prepare::{Elements, Place, Recipe, Sharing, together};
use crate::engine::raw::{Given, Layout, MemoryOrder, Raw, Target};
use crate::error::EinsumError;
use crate::kernel::{Operands, Prepared, Scale, Team};
use crate::scalar::Scalar;

/// Where an array of a tape is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// One of the arrays that the tape is given.
    Given(usize),
    /// Elements from the start of one of the two blocks of memory.
    Block(usize, usize),
    /// Bytes from the start of the workspace.
    Workspace(usize),
}

/// One array that a call reads.
pub(crate) struct Read<'a> {
    pub(crate) spot: Spot,
    pub(crate) lens: &'a [usize],
    pub(crate) strides: &'a [isize],
    /// Conjugated, unless the tape is run for the plain transpose.
    pub(crate) conj: bool,
}

/// Kernels and their operands, for arrays of given shapes and strides.
#[derive(Debug)]
pub(crate) struct Tape {
    id: u64,
    element: TypeId,
    threads: usize,
    /// Of the given arrays.
    layout: Box<[isize]>,
    workspace: usize,
    steps: Vec<Step>,
    /// Where each part ends.
    parts: Vec<usize>,
}

#[derive(Debug)]
struct Step {
    kernel: Prepared,
    left: (Spot, bool),
    right: Option<(Spot, bool)>,
    to: Spot,
}

/// Tapes that an engine remembers, the oldest one first.
const MOST: usize = 128;

/// Makes a tape.
pub(crate) struct Recorder<'a> {
    engine: &'a mut Engine,
    elements: Elements,
    sharing: Sharing,
    workspace: usize,
    steps: Vec<Step>,
    parts: Vec<usize>,
}

impl Recorder<'_> {
    /// Ends a part: what is run at once.
    pub(crate) fn end_part(&mut self) {
        self.parts.push(self.steps.len());
    }

    /// Adds a call: its result is row-major, of this shape.
    pub(crate) fn call(
        &mut self,
        einsum: &Einsum,
        reads: &[Read<'_>],
        (to, shape, strides): (Spot, &[usize], &[isize]),
    ) -> Result<(), EinsumError> {
        let operands: Vec<Layout<'_>> = reads
            .iter()
            .map(|read| Layout::of(read.lens, read.strides, self.elements.real))
            .collect();
        let recipe = Recipe::new(
            Plan::Parsed(einsum),
            &mut self.engine.orders,
            self.elements,
            &operands,
            Target::given(&Given { shape, strides }),
            self.sharing,
        )?;
        assert!(
            recipe.off_diagonal.is_none() && recipe.imaginary.is_none(),
            "a call writes all of its result, and its operands are alike"
        );
        self.workspace = self.workspace.max(recipe.workspace);
        let spot = |place: Place| match place {
            Place::Operand(i) => (reads[i].spot, reads[i].conj),
            Place::Slot(bytes) => (Spot::Workspace(bytes), false),
            Place::Output => (to, false),
            Place::Conjugate(_) => unreachable!("the operands are alike"),
        };
        self.steps
            .extend(recipe.actions.into_iter().map(|action| Step {
                left: spot(action.left),
                right: action.right.map(spot),
                to: spot(action.to).0,
                kernel: action.kernel,
            }));
        Ok(())
    }
}

/// The tape `id` for arrays such as those given: remembered, or recorded now. Its place in the engine.
pub(crate) fn find<T: Scalar>(
    engine: &mut Engine,
    id: u64,
    given: &[Raw<'_, T>],
    record: &mut dyn FnMut(&mut Recorder<'_>) -> Result<(), EinsumError>,
) -> Result<usize, EinsumError> {
    assert!(
        given.iter().all(|raw| raw.layout().real == T::__REAL),
        "the arrays of a tape are alike"
    );
    find_of(engine, id, elements::<T>(), Raw::layouts(given), record)
}

fn find_of(
    engine: &mut Engine,
    id: u64,
    elements: Elements,
    given: &[Layout<'_>],
    record: &mut dyn FnMut(&mut Recorder<'_>) -> Result<(), EinsumError>,
) -> Result<usize, EinsumError> {
    let threads = engine.team.threads();
    let nowhere = Target::fresh(MemoryOrder::RowMajor);
    let known = engine.tapes.iter().position(|tape| {
        tape.id == id
            && tape.element == elements.id
            && tape.threads == threads
            && fits(&tape.layout, given, nowhere)
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let sharing = engine.sharing();
    let mut recorder = Recorder {
        engine,
        elements,
        sharing,
        workspace: 0,
        steps: Vec::new(),
        parts: Vec::new(),
    };
    record(&mut recorder)?;
    let Recorder {
        workspace,
        steps,
        parts,
        ..
    } = recorder;
    if engine.tapes.len() >= MOST {
        engine.tapes.remove(0);
    }
    engine.tapes.push(Tape {
        id,
        element: elements.id,
        threads,
        layout: layout(given, nowhere),
        workspace,
        steps,
        parts,
    });
    Ok(engine.tapes.len() - 1)
}

/// Runs a part of the tape at a place that [`find`] gave.
///
/// # Safety
/// `find` gave it for these arrays, no other call of `find` came between. The blocks hold initialised elements at all
/// places that were recorded, and nobody else reads or writes them; no call that was recorded writes what it reads.
pub(crate) unsafe fn run<T: Scalar>(
    engine: &mut Engine,
    (id, at, part): (u64, usize, usize),
    given: &[Raw<'_, T>],
    blocks: [*mut T; 2],
    transpose: bool,
) {
    let Engine {
        team,
        tapes,
        workspace,
        pack,
        ..
    } = engine;
    let tape = &tapes[at];
    assert!(tape.id == id, "another tape");
    let scratch = workspace.reserve(tape.workspace);
    let pointer = |spot: Spot| -> *mut T {
        match spot {
            Spot::Given(i) => given[i].ptr().cast_mut(),
            Spot::Block(block, offset) => blocks[block].wrapping_add(offset),
            Spot::Workspace(bytes) => scratch.wrapping_add(bytes).cast(),
        }
    };
    let source = |(spot, conj): (Spot, bool)| {
        let own = match spot {
            Spot::Given(i) => given[i].layout().conj,
            _ => false,
        };
        (pointer(spot).cast_const(), own ^ (conj && !transpose))
    };
    let first = if part == 0 { 0 } else { tape.parts[part - 1] };
    let steps = &tape.steps[first..tape.parts[part]];
    let mut run = |team: &mut Team<'_>| {
        for step in steps {
            let (a, conj_a) = source(step.left);
            let (b, conj_b) = step.right.map_or((a, false), source);
            let operands = Operands {
                a,
                b,
                c: pointer(step.to),
                scale: Scale {
                    alpha: T::ONE,
                    beta: None,
                    conj_a,
                    conj_b,
                },
            };
            // SAFETY: the kernel was prepared for the shapes and strides of these arrays, for elements `T`, which lie within
            // the given arrays, the blocks (the caller's promise) and the workspace, where a recipe's slots are disjoint; C
            // overlaps neither A nor B. All memory is initialised.
            unsafe { T::__run_step(&step.kernel, &operands, team, pack) };
        }
    };
    team.within(together(steps.iter().map(|step| &step.kernel)), &mut run);
    engine.keep_to_limit();
}
