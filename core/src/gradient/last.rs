//! The last steps backward: from what intermediates have to the gradients of operands.

use std::borrow::Cow;

use num_complex::Complex;

use crate::engine::plan::Plan;
use crate::engine::sum::{self, Term};
use crate::engine::{Engine, Raw, RawMut};
use crate::error::{Derivative, EinsumError};
use crate::family::{Pending, ResultOf};
use crate::fixed::Written;
use crate::gradient::plan::{Array, Call, GradientPlan};
use crate::gradient::pullback::Request;
use crate::gradient::run::{Source, in_block, with_inputs};
use crate::scalar::{Real, Scalar};

/// The way to the gradients of operands, once those of the intermediates are there.
#[derive(Debug)]
pub struct Last<'a, T> {
    pub(super) engine: &'a mut Engine,
    pub(super) plan: &'a GradientPlan,
    pub(super) request: Request,
    pub(super) seed: Raw<'a, T>,
    pub(super) saved: &'a [T],
    pub(super) passing: &'a mut [T],
    /// The steps backward that gradients wait for, if there are any.
    pub(super) tape: Option<usize>,
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
        if let Some(tape) = self.tape {
            let given = (seed, transpose);
            plan.gradients(self.engine, (tape, k), given, saved, self.passing);
        }
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

impl<R: Real> Last<'_, Complex<R>>
where
    Complex<R>: Scalar,
{
    /// Gives `then` the real part of gradient `k`, as a sum over real numbers: re · re and, where there is a second factor,
    /// im · im, with the sign that conjugates leave it.
    fn real_part<X>(
        &mut self,
        k: usize,
        then: impl FnOnce(&mut Engine, &[Term<'_, R>]) -> Result<X, EinsumError>,
    ) -> Result<X, EinsumError> {
        self.with_inputs(k, |engine, call, operands| {
            let strides: Vec<Vec<isize>> = operands.iter().map(Raw::strides_of_parts).collect();
            let parts = |imaginary: bool| -> Vec<Raw<'_, R>> {
                let operands = operands.iter().zip(&strides);
                operands
                    .map(|(raw, strides)| raw.part_of(strides, imaginary))
                    .collect()
            };
            let (re, im) = (parts(false), parts(true));
            let conjugates = operands.iter().filter(|raw| raw.layout().conj).count();
            let minus_one = R::MINUS_ONE.expect("real numbers have one");
            let term = |operands, alpha| Term {
                plan: Plan::Parsed(&call.einsum),
                operands,
                alpha,
            };
            let sign = if conjugates == 1 { R::ONE } else { minus_one };
            let terms = [term(&re[..], R::ONE), term(&im[..], sign)];
            then(engine, &terms[..operands.len()])
        })
    }
}

/// The elements of a gradient, in a call whose elements are `T`: these, or real numbers among complex ones. The gradient of
/// a real operand is the real part of what a complex one would have.
pub trait PartOf<T>: Scalar {
    /// Gradient `k`, as an array of the axes `D` in the family `F`.
    #[doc(hidden)]
    fn compute<D: ResultOf<Self, F>, F>(
        last: &mut Last<'_, T>,
        k: usize,
    ) -> Result<D::Out, EinsumError>;
    /// Adds gradient `k` to an array of its shape.
    #[doc(hidden)]
    fn add_to(last: &mut Last<'_, T>, k: usize, to: &RawMut<'_, Self>) -> Result<(), EinsumError>;
    /// The identity, where it is one.
    #[doc(hidden)]
    fn whole(written: Written<'_, T>) -> Written<'_, Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> PartOf<T> for T {
    fn compute<D: ResultOf<T, F>, F>(
        last: &mut Last<'_, T>,
        k: usize,
    ) -> Result<D::Out, EinsumError> {
        last.compute::<D, F>(k)
    }
    fn add_to(last: &mut Last<'_, T>, k: usize, to: &RawMut<'_, T>) -> Result<(), EinsumError> {
        last.add(k, to)
    }
    #[inline(always)]
    fn whole(written: Written<'_, T>) -> Written<'_, T> {
        written
    }
}

#[diagnostic::do_not_recommend]
impl<R: Real> PartOf<Complex<R>> for R
where
    Complex<R>: Scalar,
{
    fn compute<D: ResultOf<R, F>, F>(
        last: &mut Last<'_, Complex<R>>,
        k: usize,
    ) -> Result<D::Out, EinsumError> {
        last.real_part(k, |engine, terms| {
            D::compute(Pending {
                engine: Some(engine),
                terms,
                entries: None,
            })
        })
    }
    fn add_to(
        last: &mut Last<'_, Complex<R>>,
        k: usize,
        to: &RawMut<'_, R>,
    ) -> Result<(), EinsumError> {
        last.real_part(k, |engine, terms| sum::into(engine, terms, to, R::ONE))
    }
    fn whole(_: Written<'_, Complex<R>>) -> Written<'_, R> {
        unreachable!("gradients of mixed elements are the engine's")
    }
}
