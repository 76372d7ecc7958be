//! What the macros expand to, for subscripts that are known only here: for einsums of random subscripts.

use cteinsum::__private::*;
use cteinsum::{Differentiable, DynTensor, EinsumError, Engine};
use cteinsum_plan::Checked;

fn leaked<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into())
}

/// The constant of a call.
pub(crate) fn constant(checked: &Checked) -> &'static Spec {
    let strategy = checked.strategy(&Default::default()).expect("an order");
    let inputs = checked
        .inputs
        .iter()
        .map(|term| leaked(term.clone()))
        .collect();
    let spec = Spec::new(
        String::leak(checked.text.clone()),
        leaked(inputs),
        leaked(checked.output.clone()),
        leaked(strategy.tree.0.clone()),
    );
    let settled = strategy.is_settled();
    Box::leak(Box::new(if settled { spec } else { spec.by_sizes() }))
}

type All<T> = (DynTensor<T>, Vec<DynTensor<T>>);

/// The result, and what the pullback makes of `dy(&y)`: called, and accumulated into `into`, if that is given.
pub(crate) fn vjp<T: Differentiable>(
    engine: &mut Engine,
    request: Request,
    operands: &[DynTensor<T>],
    dy: impl FnOnce(&DynTensor<T>) -> DynTensor<T>,
    into: Option<&mut [DynTensor<T>]>,
) -> Result<All<T>, EinsumError> {
    macro_rules! call {
        ($($op:ident $bind:ident $number:literal)*; $last:ident) => {{
            let [$($op),*] = operands else { unreachable!() };
            $(let $bind = Ellipsis::<0, 0, 0>::like($op);)*
            call!(bind dots $($op)*);
            let axes = dots.between((), ());
            let (y, pullback) = try_vjp(
                Some(&mut *engine), &$last, axes, ($($bind,)*), request, &[$(raw(&$op)),*], |b, dy| pull(b, dy),
            )?;
            let dy = dy(&y);
            if let Some([$($op),*]) = into {
                pullback.accumulate_in(&mut *engine, &dy, ($($op,)*))?;
            }
            let ($($op,)*) = pullback.call_in(engine, &dy)?;
            Ok((y, vec![$($op),*]))
        }};
        (bind $dots:ident $first:ident $($op:ident)*) => {
            let ($first, _, $dots, _) = Ellipsis::<0, 0, 0>::bind($first);
            call!(more $first; $($op)*);
        };
        (more $before:ident;) => {};
        (more $before:ident; $next:ident $($op:ident)*) => {
            let ($next, ..) = Ellipsis::<0, 0, 0>::bind_as($next, &$before);
            call!(more $next; $($op)*);
        };
    }
    match operands.len() {
        1 => call!(a ga 0; a),
        2 => call!(a ga 0 b gb 1; b),
        3 => call!(a ga 0 b gb 1 c gc 2; c),
        4 => call!(a ga 0 b gb 1 c gc 2 d gd 3; d),
        5 => call!(a ga 0 b gb 1 c gc 2 d gd 3 e ge 4; e),
        6 => call!(a ga 0 b gb 1 c gc 2 d gd 3 e ge 4 f gf 5; f),
        n => unreachable!("{n} operands"),
    }
}

/// The result and its derivative.
pub(crate) fn jvp<T: Differentiable>(
    engine: &mut Engine,
    spec: &'static Spec,
    operands: &[DynTensor<T>],
    tangents: &[Option<DynTensor<T>>],
) -> Result<(DynTensor<T>, DynTensor<T>), EinsumError> {
    let (first, _, dots, _) = Ellipsis::<0, 0, 0>::bind(&operands[0]);
    let bound: Vec<_> = operands
        .iter()
        .map(|op| Ellipsis::<0, 0, 0>::bind_as(op, &first).0)
        .collect();
    let tangents: Vec<_> = tangents
        .iter()
        .map(|op| {
            op.as_ref()
                .map(|op| Ellipsis::<0, 0, 0>::bind_as(op, &first).0)
        })
        .collect();
    let operands: Vec<_> = bound.iter().map(raw).collect();
    let tangents: Vec<_> = tangents
        .iter()
        .map(|tangent| tangent.as_ref().map(raw))
        .collect();
    try_jvp(
        Some(engine),
        &first,
        dots.between((), ()),
        spec,
        &operands,
        &tangents,
    )
}

/// The result, and the gradient of operand `k` alone.
pub(crate) fn one(
    engine: &mut Engine,
    request: Request,
    operands: &[DynTensor<f64>],
    dy: impl FnOnce(&DynTensor<f64>) -> DynTensor<f64>,
    k: usize,
) -> (DynTensor<f64>, DynTensor<f64>) {
    let (first, _, dots, _) = Ellipsis::<0, 0, 0>::bind(&operands[0]);
    let bound: Vec<_> = operands
        .iter()
        .map(|op| Ellipsis::<0, 0, 0>::bind_as(op, &first).0)
        .collect();
    let raws: Vec<_> = bound.iter().map(raw).collect();
    let like = (Ellipsis::<0, 0, 0>::like(&operands[k]),);
    let axes = dots.between((), ());
    let (y, pullback) =
        cteinsum::__private::vjp(Some(engine), &first, axes, like, request, &raws, |b, dy| {
            pull(b, dy)
        });
    let (gradient,) = pullback(&dy(&y));
    (y, gradient)
}
