//! Random einsums against the naive loop: every element type, every layout, any order.

use cteinsum::{Einsum, Engine};
use cteinsum_plan::Order;
use cteinsum_tests::access::{dyn_views, dynamic};
use cteinsum_tests::element::Element;
use cteinsum_tests::layout::{ANY, Laid, Layout, lay};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::outcome::{Failures, Outcome, same, same_bits};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;
use num_complex::Complex;

const MOST: usize = 4;

/// Operands of small whole numbers in a random layout; some repeat along axes of stride 0.
fn operands<T: Element>(
    r: &mut Random,
    shapes: &[Vec<usize>],
) -> (Vec<Dense<T::Exact>>, Vec<Laid<T>>) {
    let mut dense = Vec::new();
    let mut laid = Vec::new();
    for (k, shape) in shapes.iter().enumerate() {
        let layout = match r.below(ANY.len() + 1) {
            n if n < ANY.len() => ANY[n].clone(),
            _ => Layout::Zero((0..shape.len()).filter(|_| r.one_in(2)).collect()),
        };
        let seed = r.below(1000);
        let count = shape.iter().product();
        let values = (0..count)
            .map(|n| {
                let n = match &layout {
                    Layout::Zero(axes) => without(n, shape, axes),
                    _ => n,
                };
                let mut random = Random((n * 7919 + seed * 31 + k) as u64);
                T::whole(random.below(2 * MOST + 1) as i64 - MOST as i64)
            })
            .collect();
        let operand = Dense {
            shape: shape.clone(),
            values,
        };
        laid.push(lay(&operand, &layout));
        dense.push(operand);
    }
    (dense, laid)
}

/// The row-major number of the element with index 0 on these axes.
fn without(n: usize, shape: &[usize], axes: &[usize]) -> usize {
    let (mut rest, mut at, mut stride) = (n, 0, 1);
    for (axis, &length) in shape.iter().enumerate().rev() {
        if !axes.contains(&axis) {
            at += rest % length * stride;
        }
        rest /= length;
        stride *= length;
    }
    at
}

/// Random orders of so many operands.
fn orders(r: &mut Random, count: usize) -> Vec<Order> {
    let mut live: Vec<u32> = (0..count as u32).collect();
    let mut tree = Vec::new();
    let mut path = Vec::new();
    for s in 1..count as u32 {
        let i = r.below(live.len());
        let a = live.remove(i);
        let j = r.below(live.len());
        let b = live.remove(j);
        tree.push((a, b));
        let j = if j >= i { j + 1 } else { j };
        path.push(vec![i as u32, j as u32]);
        live.push(count as u32 + s - 1);
    }
    vec![
        Order::Greedy,
        Order::LeftToRight,
        Order::Tree(tree),
        Order::Path(path),
    ]
}

fn run<T: Element>(seed: u64, count: usize) {
    let mut r = Random(seed);
    let mut serial = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("threads");
    // The work of a case is small: without this it would stay on one thread.
    pair.__split_everything();
    let mut failures = Failures::new();
    let mut done = 0;
    while done < count {
        let case = specs::random(&mut r);
        let (dense, laid) = operands::<T>(&mut r, &case.shapes);
        if oracle::bound(&case.spec, &case.shapes, &vec![MOST as f64; dense.len()])
            >= T::EXACT_BELOW
        {
            continue;
        }
        done += 1;
        let exact = oracle::einsum(&case.spec, &dense);
        let expected = Dense {
            shape: exact.shape,
            values: exact.values.into_iter().map(T::from_exact).collect(),
        };
        let list = if case.parentheses {
            vec![Order::Greedy]
        } else {
            orders(&mut r, dense.len())
        };
        for order in list {
            let name = || {
                let strides: Vec<_> = laid.iter().map(|o| &o.strides).collect();
                format!(
                    "{:?} of {:?}, strides {strides:?}, {order:?} in {}",
                    case.spec,
                    case.shapes,
                    T::NAME
                )
            };
            failures.check(name, || {
                let mut einsum = Einsum::parse(&case.spec).map_err(|e| e.to_string())?;
                if !case.parentheses {
                    einsum = einsum.order(order.clone());
                }
                let views = dyn_views(&laid);
                let contract = |engine: &mut Engine| einsum.contract(engine, &views).map(dynamic);
                let got: Outcome<T> = contract(&mut serial).map_err(|e| e.to_string())?;
                if !same(&got, &expected) {
                    return Err(format!("gave {got:?}, not {expected:?}")
                        .chars()
                        .take(600)
                        .collect());
                }
                let two: Outcome<T> = contract(&mut pair).map_err(|e| e.to_string())?;
                if !same_bits(&got, &two) {
                    return Err("other bits with two threads".to_owned());
                }
                Ok(())
            });
        }
    }
    failures.finish(count);
}

#[test]
fn f64_against_the_loop() {
    run::<f64>(1, 1500);
}

#[test]
fn f32_against_the_loop() {
    run::<f32>(2, 700);
}

#[test]
fn complex_against_the_loop() {
    run::<Complex<f64>>(3, 500);
    run::<Complex<f32>>(4, 200);
}

#[test]
fn wide_integers_against_the_loop() {
    run::<i64>(5, 500);
    run::<u128>(6, 200);
}

#[test]
fn narrow_integers_wrap_like_the_loop() {
    run::<i8>(7, 500);
    run::<u16>(8, 200);
}
