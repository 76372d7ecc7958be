//! Every valid case of the data as a literal `einsum!`, against the stored values and a naive loop, in several
//! element types, layouts and engines.

use cteinsum::{Einsum, EinsumError, Engine, einsum, try_einsum};
use cteinsum_tests::access::{dyn_view, dyn_views, dynamic, element, owned, tensor, view};
use cteinsum_tests::data::{self, Case};
use cteinsum_tests::element::Element;
use cteinsum_tests::layout::{self, Laid, Layout, lay};
use cteinsum_tests::oracle::{self, Axis, Dense};
use cteinsum_tests::outcome::{Failures, Outcome, same, same_bits};
use cteinsum_tests::random::Random;
use num_complex::Complex;

type Call<T> = fn(&[Laid<T>], &mut Engine) -> Outcome<T>;
type Try = fn(&[Laid<f64>]) -> Result<Outcome<f64>, EinsumError>;
type Plain = fn(&[Laid<f64>]) -> Outcome<f64>;

struct Row {
    case: usize,
    f64: Call<f64>,
    f32: Option<Call<f32>>,
    i32: Call<i32>,
    i64: Call<i64>,
    c64: Call<Complex<f64>>,
}

mod static_ranks {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/static_ranks.rs"));
}
mod dynamic_ranks {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/dynamic_ranks.rs"));
}
mod plain_calls {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/plain_calls.rs"));
}
#[allow(non_upper_case_globals)]
mod orders {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/orders.rs"));
}

/// A case in an element type: operands as the data means them, and the result of the naive loop.
struct Prepared<T: Element> {
    operands: Vec<Dense<T::Exact>>,
    expected: Dense<T>,
}

fn expected<T: Element>(spec: &str, operands: &[Dense<T::Exact>]) -> Dense<T> {
    let exact = oracle::einsum(spec, operands);
    Dense {
        shape: exact.shape,
        values: exact.values.into_iter().map(T::from_exact).collect(),
    }
}

fn prepare<T: Element>(
    case: &Case,
    number: impl Fn(usize, usize) -> T::Exact + Copy,
) -> Prepared<T> {
    let shapes = case.shapes.iter().enumerate();
    let operands: Vec<_> = shapes.map(|(k, s)| data::operand(k, s, number)).collect();
    let expected = expected::<T>(&case.spec, &operands);
    Prepared { operands, expected }
}

fn lay_all<T: Element>(operands: &[Dense<T::Exact>], layout: &Layout) -> Vec<Laid<T>> {
    operands.iter().map(|o| lay(o, layout)).collect()
}

fn describe<T: Element>(case: &Case, layout: &str) -> String {
    format!(
        "{} {:?} of {:?} in {} ({layout})",
        case.id,
        case.spec,
        case.shapes,
        T::NAME
    )
}

fn compare<T: Element>(got: &Outcome<T>, expected: &Dense<T>) -> Result<(), String> {
    if same(got, expected) {
        return Ok(());
    }
    if got.shape != expected.shape {
        return Err(format!("shape {:?}, not {:?}", got.shape, expected.shape));
    }
    let at = (got.values.iter().zip(&expected.values)).position(|(a, b)| a != b);
    let at = at.unwrap_or(0);
    Err(format!(
        "element {at} is {:?}, not {:?}",
        got.values.get(at),
        expected.values.get(at)
    ))
}

fn stored<T: Element>(case: &Case) -> Dense<T> {
    Dense {
        shape: case.out_shape.clone(),
        values: (case.out.iter())
            .map(|&x| T::from_exact(T::whole(x as i64)))
            .collect(),
    }
}

fn contract<T: Element>(
    einsum: &Einsum,
    engine: &mut Engine,
    laid: &[Laid<T>],
) -> Result<Outcome<T>, String> {
    let result = einsum.contract(engine, &dyn_views(laid));
    result.map(dynamic).map_err(|e| e.to_string())
}

/// Runs every case that `call` gives a function for, in the given layouts, serially and with two threads.
fn run<T: Element>(layouts: &[Layout], call: impl Fn(&Row) -> Option<Call<T>>, least: usize) {
    let cases = data::valid();
    let mut serial = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("two threads");
    // The work of a case is small: without this it would stay on one thread.
    pair.__split_everything();
    let mut failures = Failures::new();
    for row in static_ranks::TABLE {
        let case = &cases[row.case];
        let (Some(call), None) = (call(row), &case.values) else {
            continue;
        };
        // The rule's own numbers against the stored values, other numbers of the type against the loop.
        let plain = prepare::<T>(case, |n, k| T::whole(data::rule(n, k)));
        failures.check(
            || describe::<T>(case, "stored values"),
            || {
                let laid = lay_all::<T>(&plain.operands, &Layout::Row);
                compare(&call(&laid, &mut serial), &stored(case))
            },
        );
        let full = prepare::<T>(case, T::number);
        if oracle::bound(&case.spec, &case.shapes, &vec![6.0; case.shapes.len()]) >= T::EXACT_BELOW
            && case.bound * 2f64.powi(case.shapes.len() as i32) >= T::EXACT_BELOW
        {
            continue;
        }
        let parsed = Einsum::parse(&case.spec).expect("valid subscripts");
        for layout in layouts {
            failures.check(
                || describe::<T>(case, &format!("{layout:?}")),
                || {
                    let laid = lay_all::<T>(&full.operands, layout);
                    for engine in [&mut serial, &mut pair] {
                        compare(&contract(&parsed, engine, &laid)?, &full.expected)
                            .map_err(|e| format!("Einsum::parse: {e}"))?;
                    }
                    let one = call(&laid, &mut serial);
                    compare(&one, &full.expected)?;
                    let two = call(&laid, &mut pair);
                    compare(&two, &full.expected).map_err(|e| format!("two threads: {e}"))?;
                    if same_bits(&one, &two) {
                        Ok(())
                    } else {
                        Err("two threads give other bits".to_owned())
                    }
                },
            );
        }
    }
    failures.finish(least);
}

#[test]
fn f64_in_every_layout() {
    run::<f64>(&layout::ANY, |row| Some(row.f64), 1190 * 7);
}

#[test]
fn f32_where_it_is_exact() {
    run::<f32>(&[Layout::Row, Layout::Hostile], |row| row.f32, 1100 * 2);
}

#[test]
fn i32_wraps_where_it_must() {
    run::<i32>(
        &[Layout::Row, Layout::Reversed, Layout::Hostile],
        |row| Some(row.i32),
        1190 * 4,
    );
}

#[test]
fn i64_exact() {
    run::<i64>(
        &[Layout::Negative, Layout::Gapped],
        |row| Some(row.i64),
        1190 * 3,
    );
}

#[test]
fn complex_numbers() {
    run::<Complex<f64>>(
        &[Layout::Row, Layout::Rotated, Layout::Hostile],
        |row| Some(row.c64),
        1150 * 4,
    );
}

/// Numbers that are rounded at every step have the same bits by every way of calling.
///
/// Contract: D5, D6
#[test]
fn rough_numbers_have_the_same_bits_by_every_way() {
    let cases = data::valid();
    let mut serial = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("two threads");
    // The work of a case is small: without this it would stay on one thread.
    pair.__split_everything();
    let mut failures = Failures::new();
    for row in static_ranks::TABLE {
        let case = &cases[row.case];
        let mut random = Random(row.case as u64);
        let shapes = case.shapes.iter();
        let operands: Vec<Dense<f64>> = shapes
            .map(|s| Dense {
                shape: s.clone(),
                values: random.reals(s.iter().product()),
            })
            .collect();
        let einsum = Einsum::parse(&case.spec).expect("valid subscripts");
        let near = oracle::einsum(&case.spec, &operands);
        for layout in [Layout::Row, Layout::Reversed] {
            failures.check(
                || describe::<f64>(case, &format!("{layout:?}")),
                || {
                    let laid: Vec<Laid<f64>> = (operands.iter())
                        .map(|o| layout::lay_elements(&o.shape, &o.values, &layout, f64::NAN))
                        .collect();
                    let first = (row.f64)(&laid, &mut serial);
                    let same = |name: &str, other: &Outcome<f64>| {
                        if same_bits(&first, other) {
                            Ok(())
                        } else {
                            Err(format!("{name}: other bits"))
                        }
                    };
                    same("two threads", &(row.f64)(&laid, &mut pair))?;
                    same("Einsum::parse", &contract(&einsum, &mut serial, &laid)?)?;
                    same(
                        "Einsum::parse, two threads",
                        &contract(&einsum, &mut pair, &laid)?,
                    )?;
                    for &(n, call) in dynamic_ranks::TABLE.iter().filter(|(n, _)| *n == row.case) {
                        let other = call(&laid).map_err(|e| format!("{n}: {e}"))?;
                        same("try_einsum! with dynamic ranks", &other)?;
                    }
                    let far = (first.values.iter().zip(&near.values)).position(|(a, b)| {
                        (a - b).abs() > 1e-12 * (1.0 + b.abs()) * case.bound.max(1.0).sqrt()
                    });
                    match far {
                        Some(at) => Err(format!("{} is not {}", first.values[at], near.values[at])),
                        None => Ok(()),
                    }
                },
            );
        }
    }
    failures.finish(1190 * 2);
}

/// Axes of an operand that have length 1 where the label is longer elsewhere.
fn broadcast_axes(case: &Case) -> Vec<Vec<usize>> {
    let ranks: Vec<usize> = case.shapes.iter().map(Vec::len).collect();
    let terms = oracle::read(&case.spec, &ranks);
    let lengths = oracle::lengths(&terms, &case.shapes);
    (terms.inputs.iter().zip(&case.shapes))
        .map(|(axes, shape)| {
            (axes.iter().enumerate())
                .filter(|(i, axis)| shape[*i] == 1 && lengths[axis] > 1)
                .map(|(i, _)| i)
                .collect()
        })
        .collect()
}

/// An axis of length 1 that broadcasts means the same as an axis of stride 0.
#[test]
fn zero_strides_broadcast() {
    let cases = data::valid();
    let mut engine = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("two threads");
    // The work of a case is small: without this it would stay on one thread.
    pair.__split_everything();
    let mut failures = Failures::new();
    for row in static_ranks::TABLE {
        let case = &cases[row.case];
        let axes = broadcast_axes(case);
        if case.values.is_some() || axes.iter().all(Vec::is_empty) {
            continue;
        }
        let ranks: Vec<usize> = case.shapes.iter().map(Vec::len).collect();
        let terms = oracle::read(&case.spec, &ranks);
        let lengths = oracle::lengths(&terms, &case.shapes);
        let laid: Vec<Laid<f64>> = (case.shapes.iter().enumerate())
            .map(|(k, shape)| {
                let dense = data::operand(k, shape, |n, k| i128::from(data::rule(n, k)));
                let mut laid = lay::<f64>(&dense, &Layout::Hostile);
                for &axis in &axes[k] {
                    let label: Axis = terms.inputs[k][axis];
                    laid.shape[axis] = lengths[&label];
                    laid.strides[axis] = 0;
                }
                laid
            })
            .collect();
        failures.check(
            || describe::<f64>(case, "stride 0 for length 1"),
            || {
                compare(&(row.f64)(&laid, &mut engine), &stored(case))?;
                compare(&(row.f64)(&laid, &mut pair), &stored(case))
            },
        );
    }
    failures.finish(50);
}

/// Elements that repeat along an axis of stride 0, in any operand, against the naive loop.
#[test]
fn zero_strides_repeat() {
    let cases = data::valid();
    let mut engine = Engine::serial();
    let mut failures = Failures::new();
    for row in static_ranks::TABLE {
        let case = &cases[row.case];
        if case.values.is_some() {
            continue;
        }
        for turn in 0..2 {
            let mut dense = Vec::new();
            let mut laid: Vec<Laid<i64>> = Vec::new();
            for (k, shape) in case.shapes.iter().enumerate() {
                let axes: Vec<usize> = (0..shape.len()).filter(|a| a % 2 == turn).collect();
                let o = repeated(k, shape, &axes);
                laid.push(lay(&o, &Layout::Zero(axes)));
                dense.push(o);
            }
            failures.check(
                || describe::<i64>(case, &format!("stride 0 on axes {turn} modulo 2")),
                || {
                    let expected = expected::<i64>(&case.spec, &dense);
                    compare(&(row.i64)(&laid, &mut engine), &expected)
                },
            );
        }
    }
    failures.finish(1190 * 2);
}

/// The rule of the data for the shape with these axes set to 1, repeated along them.
fn repeated(k: usize, shape: &[usize], axes: &[usize]) -> Dense<i128> {
    let mut values = Vec::new();
    for n in 0..shape.iter().product() {
        let (mut rest, mut at, mut stride) = (n, 0, 1);
        for (axis, &length) in shape.iter().enumerate().rev() {
            let i = rest % length;
            rest /= length;
            if !axes.contains(&axis) {
                at += i * stride;
                stride *= length;
            }
        }
        values.push(i128::from(data::rule(at, k)));
    }
    Dense {
        shape: shape.to_vec(),
        values,
    }
}

/// The cases with their own values (infinity) or their own layout.
#[test]
fn field_cases_as_they_lie() {
    let cases = data::valid();
    let mut engine = Engine::serial();
    let mut failures = Failures::new();
    for row in static_ranks::TABLE {
        let case = &cases[row.case];
        if case.values.is_none() && case.layout.is_none() {
            continue;
        }
        let laid: Vec<Laid<f64>> = (case.shapes.iter().enumerate())
            .map(|(k, shape)| {
                let elements = match &case.values {
                    Some(values) => values[k].clone(),
                    None => data::operand(k, shape, |n, k| data::rule(n, k) as f64).values,
                };
                let layout = match case.layout.as_ref().map(|l| l[k].as_str()) {
                    Some("neg") => Layout::Negative,
                    Some("row") | None => Layout::Row,
                    Some(other) => panic!("unknown layout {other}"),
                };
                layout::lay_elements(shape, &elements, &layout, f64::NAN)
            })
            .collect();
        failures.check(
            || describe::<f64>(case, "as the data says"),
            || {
                let expected = Dense {
                    shape: case.out_shape.clone(),
                    values: case.out.clone(),
                };
                compare(&(row.f64)(&laid, &mut engine), &expected)
            },
        );
    }
    failures.finish(2);
}

fn sample(
    layout: &Layout,
    least: usize,
    calls: impl Iterator<
        Item = (
            usize,
            Box<dyn Fn(&[Laid<f64>]) -> Result<Outcome<f64>, String>>,
        ),
    >,
) {
    let cases = data::valid();
    let mut failures = Failures::new();
    for (n, call) in calls {
        let case = &cases[n];
        if case.values.is_some() {
            continue;
        }
        let plain = prepare::<f64>(case, |n, k| i128::from(data::rule(n, k)));
        failures.check(
            || describe::<f64>(case, &format!("{layout:?}")),
            || {
                let laid = lay_all::<f64>(&plain.operands, layout);
                let got = call(&laid)?;
                compare(&got, &plain.expected)?;
                compare(&got, &stored(case))
            },
        );
    }
    failures.finish(least);
}

#[test]
fn dynamic_ranks_through_try_einsum() {
    for layout in [Layout::Row, Layout::Hostile] {
        let calls = dynamic_ranks::TABLE.iter().map(|&(n, call)| {
            let run = move |laid: &[Laid<f64>]| call(laid).map_err(|e| e.to_string());
            (n, Box::new(run) as Box<_>)
        });
        sample(&layout, 250, calls);
    }
}

#[test]
fn owned_tensors_without_options() {
    let calls = plain_calls::TABLE.iter().map(|&(n, call)| {
        (
            n,
            Box::new(move |laid: &[Laid<f64>]| Ok(call(laid))) as Box<_>,
        )
    });
    sample(&Layout::Row, 290, calls);
}

/// P1: the order changes no exact result.
///
/// Contract: P1
#[test]
fn p1_any_order_gives_the_result() {
    let calls = orders::TABLE.iter().flat_map(|(n, list)| {
        list.iter().map(|&call| {
            (
                *n,
                Box::new(move |laid: &[Laid<f64>]| Ok(call(laid))) as Box<_>,
            )
        })
    });
    sample(&Layout::Rotated, 500, calls);
}
