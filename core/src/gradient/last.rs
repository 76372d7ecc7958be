//! The last steps backward: from what intermediates have to the gradients of operands.

use std::borrow::Cow;

use crate::engine::plan::Plan;
use crate::engine::sum::Term;
use crate::engine::{Engine, Raw, RawMut};
use crate::error::{Derivative, EinsumError};
use crate::family::{Pending, ResultOf};
use crate::gradient::plan::{Array, GradientPlan};
use crate::gradient::pullback::Request;
use crate::gradient::run::{Source, with_inputs};
use crate::scalar::Scalar;

pub(super) fn backward_source<'a, T: Scalar>(
    seed: Raw<'a, T>,
    saved: &'a [&'a [T]],
    chunks: &'a [&mut [T]],
) -> impl Fn(Array) -> Source<'a, T> {
    move |array| match array {
        Array::Operand(id) | Array::Value(id) => Source::Elements(saved[id]),
        Array::Gradient(id) => Source::Elements(&*chunks[id]),
        Array::Seed => Source::Raw(seed),
    }
}

/// The way to the gradients of operands, once those of the intermediates are there.
#[derive(Debug)]
pub struct Last<'a, T> {
    pub(super) engine: &'a mut Engine,
    pub(super) plan: &'a GradientPlan,
    pub(super) request: Request,
    pub(super) seed: Raw<'a, T>,
    pub(super) saved: &'a [&'a [T]],
    pub(super) chunks: &'a [&'a mut [T]],
}

impl<T: Scalar> Last<'_, T> {
    /// Gradient `k` of those asked for, as an array of the axes `D` in the family `F`.
    pub(crate) fn compute<D: ResultOf<T, F>, F>(
        &mut self,
        k: usize,
    ) -> Result<D::Out, EinsumError> {
        let call = self.plan.last[self.request.wrt[k]]
            .as_ref()
            .expect("it is wanted");
        let source = backward_source(self.seed, self.saved, self.chunks);
        let engine = &mut *self.engine;
        with_inputs(
            self.plan,
            call,
            self.request.transpose,
            source,
            |operands| {
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
            },
        )
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
        let call = self.plan.last[self.request.wrt[k]]
            .as_ref()
            .expect("it is wanted");
        let source = backward_source(self.seed, self.saved, self.chunks);
        let engine = &mut *self.engine;
        with_inputs(
            self.plan,
            call,
            self.request.transpose,
            source,
            |operands| {
                T::__einsum_into(
                    engine,
                    Plan::Parsed(&call.einsum),
                    operands,
                    to,
                    T::ONE,
                    T::ONE,
                )
            },
        )
    }
}
