//! The last steps backward: from what intermediates have to the gradients of operands.

use std::borrow::Cow;

use crate::engine::plan::Plan;
use crate::engine::sum::Term;
use crate::engine::{Engine, Raw, RawMut};
use crate::error::{Derivative, EinsumError};
use crate::family::{Pending, ResultOf};
use crate::gradient::plan::{Array, Call, GradientPlan};
use crate::gradient::pullback::Request;
use crate::gradient::run::{Source, in_block, with_inputs};
use crate::scalar::Scalar;

/// The way to the gradients of operands, once those of the intermediates are there.
#[derive(Debug)]
pub struct Last<'a, T> {
    pub(super) engine: &'a mut Engine,
    pub(super) plan: &'a GradientPlan,
    pub(super) request: Request,
    pub(super) seed: Raw<'a, T>,
    pub(super) saved: &'a [T],
    pub(super) passing: &'a mut [T],
}

impl<T: Scalar> Last<'_, T> {
    /// Runs the steps that gradient `k` waits for, then gives `then` the operands of its last one, and the engine.
    ///
    /// The gradients are made in order: `k` counts up from 0.
    fn with_inputs<R>(
        &mut self,
        k: usize,
        then: impl FnOnce(&mut Engine, &Call, &[Raw<'_, T>]) -> Result<R, EinsumError>,
    ) -> Result<R, EinsumError> {
        let (plan, saved, seed) = (self.plan, self.saved, self.seed);
        let transpose = self.request.transpose;
        plan.gradients(self.engine, k, (seed, transpose), saved, self.passing)?;
        let passing = &*self.passing;
        let call = plan.last[self.request.wrt[k]]
            .as_ref()
            .expect("it is wanted");
        let source = |array: Array| match array {
            Array::Operand(id) | Array::Value(id) => in_block(saved, &plan.values[id]),
            Array::Gradient(id) => in_block(passing, &plan.gradients[id]),
            Array::Seed => Source::Raw(seed),
        };
        let engine = &mut *self.engine;
        with_inputs(plan, call, transpose, source, |operands| {
            then(engine, call, operands)
        })
    }

    /// Gradient `k` of those asked for, as an array of the axes `D` in the family `F`.
    pub(crate) fn compute<D: ResultOf<T, F>, F>(
        &mut self,
        k: usize,
    ) -> Result<D::Out, EinsumError> {
        self.with_inputs(k, |engine, call, operands| {
            let term = Term {
                plan: Plan::Parsed(&call.einsum),
                operands,
                alpha: T::ONE,
            };
            D::compute(Pending {
                engine: Some(engine),
                terms: &[term],
                entries: None,
            })
        })
    }

    /// Whether gradient `k` can be added to an array of this shape.
    pub(crate) fn check(&self, k: usize, shape: &[usize]) -> Result<(), EinsumError> {
        let p = self.request.wrt[k];
        if *self.plan.shapes[p] == *shape {
            return Ok(());
        }
        let text = Cow::Borrowed(self.request.spec.text);
        Err(EinsumError::derivative(
            text,
            Derivative::Gradient(p),
            &self.plan.shapes[p],
            shape,
        ))
    }

    /// The number of axes of gradient `k`.
    pub(crate) fn rank(&self, k: usize) -> usize {
        self.plan.shapes[self.request.wrt[k]].len()
    }

    /// Adds gradient `k` to an array of its shape.
    pub(crate) fn add(&mut self, k: usize, to: &RawMut<'_, T>) -> Result<(), EinsumError> {
        self.with_inputs(k, |engine, call, operands| {
            let plan = Plan::Parsed(&call.einsum);
            T::__einsum_into(engine, plan, operands, to, T::ONE, T::ONE)
        })
    }
}
