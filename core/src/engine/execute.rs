//! Running a prepared call.

use std::any::TypeId;

use cteinsum_kernels::large_pages;

use crate::engine::cache::Cache;
use crate::engine::orders::Orders;
use crate::engine::plan::Plan;
use crate::engine::prepare::{Elements, Place, Recipe, Sharing};
use crate::engine::raw::{Layout, MemoryOrder, Raw, RawMut, Target};
use crate::engine::workspace::{ALIGN, Workspace};
use crate::engine::{Engine, zeros};
use crate::error::EinsumError;
use crate::kernel::{ElementType, Operands, PackBuffer, Scale, Team};
use crate::scalar::Scalar;
use crate::tensor::DynTensor;
use crate::tensor::short::Short;

/// The lengths of a result's axes.
pub type Shape = Short<usize>;

/// A fresh result: its shape, and its elements in the order asked for.
#[derive(Debug)]
pub struct Fresh<T> {
    pub(crate) shape: Shape,
    pub(crate) data: Vec<T>,
}

impl<T: Scalar> Fresh<T> {
    pub(crate) fn into_dyn(self) -> DynTensor<T> {
        DynTensor::from_vec(&*self.shape, self.data)
    }
}

/// The recipe for a call: remembered, or prepared now. `once` holds one that is not worth remembering.
///
/// Everything is checked here, before anything is allocated or written. The element type is a value from here on.
#[inline(always)]
fn recipe<'e>(
    (cache, orders): (&'e mut Cache, &mut Orders),
    sharing: Sharing,
    once: &'e mut Option<Recipe>,
    plan: Plan<'_>,
    elements: &'static Elements,
    operands: &[Layout<'_>],
    target: Target<'_>,
) -> Result<&'e Recipe, EinsumError> {
    let known = plan.key().and_then(|key| {
        let known = (key, &elements.id, sharing.threads);
        cache.find(known, operands, target)
    });
    match known {
        Some(known) => Ok(cache.at(known)),
        None => new_recipe(
            (cache, orders),
            sharing,
            once,
            plan,
            elements,
            operands,
            target,
        ),
    }
}

#[inline(never)]
fn new_recipe<'e>(
    (cache, orders): (&'e mut Cache, &mut Orders),
    sharing: Sharing,
    once: &'e mut Option<Recipe>,
    plan: Plan<'_>,
    elements: &'static Elements,
    operands: &[Layout<'_>],
    target: Target<'_>,
) -> Result<&'e Recipe, EinsumError> {
    cache.forget_last();
    let recipe = Recipe::new(plan, orders, *elements, operands, target, sharing)?;
    let Some(key) = plan.key() else {
        return Ok(once.insert(recipe));
    };
    let key = (key, &elements.id, sharing.threads);
    let at = cache.keep(key, operands, target, recipe);
    Ok(cache.at(at))
}

/// The element type as a value.
pub(super) const fn elements<T: Scalar>() -> Elements {
    Elements {
        id: TypeId::of::<T>(),
        whole: ElementType {
            kind: T::__KIND,
            size: size_of::<T>(),
            align: align_of::<T>(),
        },
        part: match &T::__PARTS {
            Some(parts) => Some(parts.element),
            None => None,
        },
        real: T::__REAL,
    }
}

/// Computes an einsum into new memory. Everything is checked before anything is allocated.
pub(crate) fn fresh<T: Scalar>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
    order: MemoryOrder,
) -> Result<Fresh<T>, EinsumError> {
    let mut once = None;
    let layouts = Raw::layouts(operands);
    let sharing = engine.sharing();
    let Engine {
        team,
        cache,
        orders,
        workspace,
        pack,
        ..
    } = engine;
    let recipe = recipe(
        (cache, orders),
        sharing,
        &mut once,
        plan,
        const { &elements::<T>() },
        layouts,
        Target::fresh(order),
    )?;
    let tools = (team, workspace, pack);
    let len = recipe.output_len;
    let mut data = match recipe.writes_all {
        true => {
            let data = Vec::with_capacity(len);
            large_pages(data.as_ptr(), len * size_of::<T>());
            data
        }
        // Zeros also stand where a repeated output label leaves everything but the diagonal unwritten.
        false => zeros(len),
    };
    // SAFETY: the recipe was prepared for the shapes and strides of `operands`, and for an output of `output_len`
    // elements without gaps, which `data` has room for; where they are not there yet, the recipe writes all of them and
    // reads none.
    unsafe {
        run(recipe, operands, data.as_mut_ptr(), T::ONE, None, tools);
        data.set_len(len);
    };
    let shape = recipe.output_shape.clone();
    engine.keep_to_limit();
    Ok(Fresh { shape, data })
}

/// The shape of the result, all sizes checked. Remembered like a call for a row-major result.
pub(crate) fn shape<T: Scalar>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
) -> Result<Shape, EinsumError> {
    shape_of(
        engine,
        plan,
        const { &elements::<T>() },
        Raw::layouts(operands),
    )
}

fn shape_of(
    engine: &mut Engine,
    plan: Plan<'_>,
    elements: &'static Elements,
    operands: &[Layout<'_>],
) -> Result<Shape, EinsumError> {
    let target = Target::fresh(MemoryOrder::RowMajor);
    let mut once = None;
    let sharing = engine.sharing();
    let memory = (&mut engine.cache, &mut engine.orders);
    let recipe = recipe(memory, sharing, &mut once, plan, elements, operands, target)?;
    Ok(recipe.output_shape.clone())
}

/// `C <- alpha * einsum + beta * C`. Everything is checked before anything is written; where `beta` is zero, C is
/// not read.
pub(crate) fn into<T: Scalar>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
    output: &RawMut<'_, T>,
    alpha: T,
    beta: T,
) -> Result<(), EinsumError> {
    let mut once = None;
    let layouts = Raw::layouts(operands);
    let sharing = engine.sharing();
    let Engine {
        team,
        cache,
        orders,
        workspace,
        pack,
        ..
    } = engine;
    let recipe = recipe(
        (cache, orders),
        sharing,
        &mut once,
        plan,
        const { &elements::<T>() },
        layouts,
        Target::given(&output.given),
    )?;
    let tools = (team, workspace, pack);
    let mut beta = (beta != T::ZERO).then_some(beta);
    if let Some(whole) = &recipe.whole {
        let is_real = const { T::__PARTS }.expect("complex numbers").is_real;
        if !is_real(alpha) || beta.is_some_and(|beta| !is_real(beta)) {
            // Real kernels make the result, and have no complex factors: the result first, and then its way into C.
            let step = whole.clone();
            let data = fresh(engine, plan, operands, MemoryOrder::RowMajor)?.data;
            let scale = Scale {
                alpha,
                beta,
                conj_a: false,
                conj_b: false,
            };
            let (a, c) = (data.as_ptr(), output.ptr);
            // SAFETY: the step copies a row-major array of the result's shape, which `data` is, into the output, for whose
            // shape and strides it was prepared, and which is borrowed mutably.
            unsafe {
                let copy = Operands { a, b: a, c, scale };
                T::__run_step(&step, &copy, &mut engine.team, &mut engine.pack);
            }
            engine.keep_to_limit();
            return Ok(());
        }
    }
    if let Some(rest) = &recipe.off_diagonal {
        if beta != Some(T::ONE) {
            let scale = Scale {
                alpha,
                beta,
                conj_a: false,
                conj_b: false,
            };
            let unread: *const T = core::ptr::null();
            // SAFETY: an empty sum reads neither A nor B; the output is borrowed mutably, and the recipe was prepared for
            // its shape and strides.
            unsafe {
                let empty = Operands {
                    a: unread,
                    b: unread,
                    c: output.ptr,
                    scale,
                };
                T::__run_step(rest, &empty, tools.0, tools.2);
            }
        }
        if beta.is_some() {
            beta = Some(T::ONE);
        }
    }
    // SAFETY: the recipe was prepared for the shapes and strides of `operands` and `output`, and the output is
    // borrowed mutably, so that it overlaps no operand.
    unsafe { run(recipe, operands, output.ptr, alpha, beta, tools) };
    engine.keep_to_limit();
    Ok(())
}

/// Runs the kernels of a recipe.
///
/// # Safety
/// As for [`run_all`].
#[inline]
unsafe fn run<T: Scalar>(
    recipe: &Recipe,
    operands: &[Raw<'_, T>],
    output: *mut T,
    alpha: T,
    beta: Option<T>,
    tools: (&mut Team, &mut Workspace, &mut PackBuffer),
) {
    let Some((a, b)) = recipe.alone else {
        // SAFETY: the caller's promise.
        return unsafe { run_all(recipe, operands, output, alpha, beta, tools) };
    };
    let (a, b) = (&operands[a], &operands[b]);
    let scale = Scale {
        alpha,
        beta,
        conj_a: a.layout().conj,
        conj_b: b.layout().conj,
    };
    let (a, b, c) = (a.ptr(), b.ptr(), output);
    // SAFETY: the recipe's strides stay in bounds of operands and output, which C overlaps neither, and all are of
    // elements `T`: the caller's promise, and that the action is no one over parts.
    unsafe {
        T::__run_step(
            &recipe.actions[0].kernel,
            &Operands { a, b, c, scale },
            tools.0,
            tools.2,
        );
    }
}

/// Runs the kernels of a recipe, intermediates in the workspace.
///
/// # Safety
/// The recipe was prepared for the shapes and strides of `operands` and of the output that `output` points to, for
/// elements `T`. The output can be written, overlaps no operand, and is initialised.
#[inline(never)]
unsafe fn run_all<T: Scalar>(
    recipe: &Recipe,
    operands: &[Raw<'_, T>],
    output: *mut T,
    alpha: T,
    beta: Option<T>,
    (team, workspace, pack): (&mut Team, &mut Workspace, &mut PackBuffer),
) {
    const {
        assert!(
            align_of::<T>() <= ALIGN,
            "elements of an einsum are aligned to at most 64 bytes"
        )
    };
    let block = workspace.reserve(recipe.workspace);
    let source = |place: Place| -> (*const T, bool) {
        match place {
            Place::Operand(p) => (operands[p].ptr(), operands[p].layout().conj),
            Place::Slot(offset) => (block.wrapping_add(offset).cast_const().cast(), false),
            Place::Conjugate(offset) => (block.wrapping_add(offset).cast_const().cast(), true),
            Place::Output => unreachable!("a result is never read"),
        }
    };
    let imaginary = |beta: Option<T>, team: &mut Team, pack: &mut PackBuffer| {
        let (Some(imaginary), Some(parts)) = (&recipe.imaginary, const { T::__PARTS }) else {
            return;
        };
        let scale = Scale {
            alpha: T::ONE,
            beta,
            conj_a: false,
            conj_b: false,
        };
        let unread: *const T = core::ptr::null();
        let (a, b, c) = (unread, unread, output.wrapping_byte_add(parts.element.size));
        // SAFETY: an empty sum reads neither A nor B; C is the imaginary parts of the output, which lie behind the real ones,
        // and it is initialised if there is a beta.
        unsafe { (parts.run_step)(&imaginary.step, &Operands { a, b, c, scale }, team, pack) }
    };
    let negates = recipe.imaginary.as_ref().is_some_and(|i| i.negate);
    let minus_one = T::MINUS_ONE;
    if negates && beta.is_some() {
        imaginary(minus_one, team, pack);
    }
    let mut steps = |team: &mut Team<'_>| {
        for action in &recipe.actions {
            let (a, conj_a) = source(action.left);
            let (b, conj_b) = action.right.map_or((a, false), source);
            let (c, alpha, beta) = match action.to {
                Place::Output => (output, alpha, beta),
                Place::Slot(offset) => (block.wrapping_add(offset).cast(), T::ONE, None),
                Place::Operand(_) | Place::Conjugate(_) => {
                    unreachable!("neither an operand nor a conjugate is written")
                }
            };
            let scale = Scale {
                alpha,
                beta,
                conj_a,
                conj_b,
            };
            let operands = Operands { a, b, c, scale };
            // Slots lie within the `recipe.workspace` bytes of the block, and live ones are disjoint. Their bytes are
            // initialised from the start, as `faer` asks of the elements it overwrites.
            // SAFETY: the recipe's strides stay in bounds of operands and output (the caller's promise) and of the slots, so
            // that C overlaps neither A nor B; a slot is written before it is read, and read as the elements written.
            unsafe {
                match const { T::__PARTS } {
                    Some(parts) if action.parts => {
                        (parts.run_step)(&action.kernel, &operands, team, pack)
                    }
                    _ => T::__run_step(&action.kernel, &operands, team, pack),
                }
            };
        }
    };
    team.within(recipe.together, &mut steps);
    if recipe.imaginary.is_some() {
        imaginary(if negates { minus_one } else { beta }, team, pack);
    }
}
