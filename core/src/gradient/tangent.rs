//! The way forward: values and tangents together, by the product rule on the contraction tree.

use std::borrow::Cow;

use crate::engine::plan::Plan;
use crate::engine::sum::Term;
use crate::engine::{Engine, Raw};
use crate::error::{Derivative, EinsumError};
use crate::family::Pending;
use crate::gradient::plan::{Array, Call, GradientPlan};
use crate::gradient::pullback::AnyResult;
use crate::gradient::run::{Memory, Source, run, with_inputs};
use crate::scalar::Scalar;

/// Computes an einsum and its derivative in the direction of the tangents; `None` for an operand that is constant.
pub(crate) fn jvp<T: Scalar, D: AnyResult<T>>(
    engine: &mut Engine,
    spec: &'static cteinsum_plan::Spec<'static>,
    operands: &[Raw<'_, T>],
    tangents: &[Option<Raw<'_, T>>],
) -> Result<(D::Out, D::Out), EinsumError> {
    let plan = Plan::Constant(spec);
    let shapes: Vec<&[usize]> = operands.iter().map(|raw| raw.layout().shape).collect();
    let plan = GradientPlan::find(engine, plan, operands, &[])?;
    let mut varies: Vec<bool> = tangents.iter().map(Option::is_some).collect();
    for (p, tangent) in tangents.iter().enumerate() {
        if let Some(tangent) = tangent
            && *tangent.layout().shape != *shapes[p]
        {
            let (expected, found) = (shapes[p], tangent.layout().shape);
            let text = Cow::Borrowed(spec.text);
            return Err(EinsumError::derivative(
                text,
                Derivative::Tangent(p),
                expected,
                found,
            ));
        }
    }
    for step in &plan.gradient.forward.steps {
        varies.push(varies[step.left] || step.right.is_some_and(|right| varies[right]));
    }
    let (mut of_values, mut of_tangents) = (
        Memory::<T>::new(engine, &plan.values),
        Memory::<T>::new(engine, &plan.values),
    );
    let mut values = of_values.chunks(&plan.values);
    let mut directions = of_tangents.chunks(&plan.values);
    let (last, inner) = plan.forward.split_last().expect("a step");
    for step in inner {
        let shape = plan.shape(Array::Value(step.to));
        let (value, direction) = (
            core::mem::take(&mut values[step.to]),
            core::mem::take(&mut directions[step.to]),
        );
        let mut add = false;
        for which in terms(step, &varies) {
            let of = |array: Array, here: bool| {
                pick(array, here, operands, tangents, &values, &directions)
            };
            with_term(&plan, step, which, of, |operands| {
                let (to, adds) = match which {
                    None => (&mut *value, false),
                    Some(_) => (&mut *direction, core::mem::replace(&mut add, true)),
                };
                run(engine, step, operands, shape, to, adds)
            })?;
        }
        values[step.to] = value;
        directions[step.to] = direction;
    }
    let of = |array: Array, here: bool| pick(array, here, operands, tangents, &values, &directions);
    let pending = |engine: &mut Engine, terms: &[Term<'_, T>]| {
        D::compute(Pending {
            engine: Some(engine),
            terms,
            entries: None,
        })
    };
    let y = with_term(&plan, last, None, of, |operands| {
        pending(engine, &[term(last, operands)])
    })?;
    let dy = match *terms(last, &varies).get(1..).unwrap_or_default() {
        [Some(a), Some(b)] => with_term(&plan, last, Some(a), of, |first| {
            with_term(&plan, last, Some(b), of, |second| {
                // The sum checks both before it writes.
                let (first, second) = (term(last, first), term(last, second));
                D::compute(Pending {
                    engine: Some(engine),
                    terms: &[first, second],
                    entries: None,
                })
            })
        })?,
        [which] => with_term(&plan, last, which, of, |operands| {
            pending(engine, &[term(last, operands)])
        })?,
        _ => unreachable!("a call has a tangent"),
    };
    engine.keep_scratch(of_values.passing);
    Ok((y, dy))
}

fn term<'a, T: Scalar>(call: &'a Call, operands: &'a [Raw<'a, T>]) -> Term<'a, T> {
    Term {
        plan: Plan::Parsed(&call.einsum),
        operands,
        alpha: T::ONE,
    }
}

/// The value of a step, then the products of the rule: which input's tangent stands in them.
fn terms(step: &Call, varies: &[bool]) -> Vec<Option<usize>> {
    let inputs = step
        .inputs
        .iter()
        .enumerate()
        .filter(|(_, input)| match input.array {
            Array::Operand(id) | Array::Value(id) => varies[id],
            _ => false,
        });
    let products = inputs.map(|(i, _)| Some(i));
    core::iter::once(None).chain(products).collect()
}

/// The operands of a step, with the tangent in the place of input `which`.
fn with_term<'a, T: Scalar, R>(
    plan: &GradientPlan,
    step: &Call,
    which: Option<usize>,
    of: impl Fn(Array, bool) -> Source<'a, T>,
    then: impl FnOnce(&[Raw<'_, T>]) -> R,
) -> R {
    let here = which.map(|i| step.inputs[i].array);
    with_inputs(
        plan,
        step,
        false,
        |array| of(array, here == Some(array)),
        then,
    )
}

/// The value of an array, or its tangent.
fn pick<'a, T: Scalar>(
    array: Array,
    tangent: bool,
    operands: &'a [Raw<'a, T>],
    tangents: &'a [Option<Raw<'a, T>>],
    values: &'a [&mut [T]],
    directions: &'a [&mut [T]],
) -> Source<'a, T> {
    match array {
        Array::Operand(p) if tangent => Source::Raw(tangents[p].expect("it varies")),
        Array::Operand(p) => Source::Raw(operands[p]),
        Array::Value(id) if tangent => Source::Elements(&*directions[id]),
        Array::Value(id) => Source::Elements(&*values[id]),
        Array::Gradient(_) | Array::Seed => unreachable!("a step forward reads no gradient"),
    }
}
