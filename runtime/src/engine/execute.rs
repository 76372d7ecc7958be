//! Running a prepared call.

use crate::engine::Engine;
use crate::engine::plan::Plan;
use crate::engine::prepare::{Place, Recipe};
use crate::engine::raw::Raw;
use crate::error::EinsumError;
use crate::kernel::Scale;
use crate::scalar::Scalar;
use crate::tensor::DynTensor;

/// A fresh result: its shape, and its elements in row-major order.
#[derive(Debug)]
pub struct Fresh<T> {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<T>,
}

impl<T: Scalar> Fresh<T> {
    pub(crate) fn into_dyn(self) -> DynTensor<T> {
        DynTensor::from_vec(&self.shape, self.data)
    }
}

/// Computes an einsum into new memory. Everything is checked before anything is allocated.
pub(crate) fn fresh<T: Scalar>(
    engine: &mut Engine,
    plan: Plan<'_>,
    operands: &[Raw<'_, T>],
) -> Result<Fresh<T>, EinsumError> {
    let Engine {
        team,
        cache,
        workspace,
        pack,
    } = engine;
    let threads = team.threads();
    let prepare = || Recipe::new(plan, operands, threads);
    let once;
    let recipe = match plan.key() {
        Some(key) => cache.find(key, threads, operands, prepare)?,
        None => {
            once = prepare()?;
            &once
        }
    };
    // Zeros also stand where a repeated output label leaves everything but the diagonal unwritten.
    let mut data = vec![T::ZERO; recipe.output_len];
    let block = workspace.reserve(recipe.workspace);
    let resolve = |place: Place| -> *const T {
        match place {
            Place::Operand(p) => operands[p].ptr,
            Place::Slot(offset) => block.wrapping_add(offset).cast_const().cast(),
            Place::Output => unreachable!("a result is never read"),
        }
    };
    for action in &recipe.actions {
        let a = resolve(action.left);
        let b = action.right.map_or(a, resolve);
        let c: *mut T = match action.to {
            Place::Output => data.as_mut_ptr(),
            Place::Slot(offset) => block.wrapping_add(offset).cast(),
            Place::Operand(_) => unreachable!("an operand is never written"),
        };
        let scale = Scale {
            alpha: T::ONE,
            beta: T::ZERO,
            conj_a: false,
            conj_b: false,
        };
        // SAFETY: the recipe was prepared for exactly these shapes and strides, whose views hold every index
        // in bounds; slots lie within the block that `reserve` returned and live ones are disjoint, so `c`
        // overlaps neither `a` nor `b`; `data` is new and has the length of the output's row-major shape.
        unsafe { action.kernel.run(a, b, c, scale, team, pack) };
    }
    Ok(Fresh {
        shape: recipe.output_shape.clone(),
        data,
    })
}
