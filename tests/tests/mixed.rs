//! Random einsums of real and complex arrays together, against the naive loop over complex numbers.

use cteinsum::{Complex, DynTensorViewMut, Einsum, Engine, MixedView};
use cteinsum_plan::Order;
use cteinsum_tests::access::{dyn_view, dynamic};
use cteinsum_tests::element::Element;
use cteinsum_tests::layout::{ANY, Laid, Layout, lay};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::outcome::{Failures, Outcome, same, same_bits};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;

const MOST: usize = 4;

/// An operand in memory, real or complex.
enum Either<R> {
    Real(Laid<R>),
    Complex(Laid<Complex<R>>, bool),
}

/// A whole number from -MOST to MOST.
fn whole(r: &mut Random) -> i128 {
    r.below(2 * MOST + 1) as i128 - MOST as i128
}

/// An operand of small whole numbers in a random layout, and what it counts as.
fn operand<R>(r: &mut Random, shape: &[usize]) -> (Dense<Complex<i128>>, Either<R>)
where
    R: Element<Exact = i128>,
    Complex<R>: Element<Exact = Complex<i128>>,
{
    let layout = ANY[r.below(ANY.len())].clone();
    let layout = if shape.iter().all(|&n| n == 1) && r.one_in(2) {
        Layout::Zero((0..shape.len()).collect())
    } else {
        layout
    };
    let count = shape.iter().product();
    let shape = shape.to_vec();
    if r.one_in(2) {
        let values: Vec<i128> = (0..count).map(|_| whole(r)).collect();
        let complex = values.iter().map(|&re| Complex::new(re, 0)).collect();
        let laid = lay(
            &Dense {
                shape: shape.clone(),
                values,
            },
            &layout,
        );
        return (
            Dense {
                shape,
                values: complex,
            },
            Either::Real(laid),
        );
    }
    let values: Vec<_> = (0..count)
        .map(|_| Complex::new(whole(r), whole(r)))
        .collect();
    let conj = r.one_in(2);
    let counts = values
        .iter()
        .map(|z| if conj { z.conj() } else { *z })
        .collect();
    let laid = lay(
        &Dense {
            shape: shape.clone(),
            values,
        },
        &layout,
    );
    (
        Dense {
            shape,
            values: counts,
        },
        Either::Complex(laid, conj),
    )
}

fn view<R>(either: &Either<R>) -> MixedView<'_, R>
where
    R: Element,
    Complex<R>: Element,
{
    match either {
        Either::Real(laid) => dyn_view(core::slice::from_ref(laid), 0).into(),
        Either::Complex(laid, conj) => {
            let view = dyn_view(core::slice::from_ref(laid), 0);
            let view = MixedView::from(view);
            if *conj { view.conj() } else { view }
        }
    }
}

/// A random order of so many operands.
fn order(r: &mut Random, count: usize) -> Order {
    let mut live: Vec<u32> = (0..count as u32).collect();
    let mut tree = Vec::new();
    for step in 1..count as u32 {
        let a = live.remove(r.below(live.len()));
        let b = live.remove(r.below(live.len()));
        tree.push((a, b));
        live.push(count as u32 + step - 1);
    }
    Order::Tree(tree)
}

/// The elements of an output in memory, row-major.
fn read<T: Element>(laid: &Laid<T>) -> Vec<T> {
    let count: usize = laid.shape.iter().product();
    let element = |n: usize| {
        let (mut rest, mut at) = (n, laid.offset as isize);
        for (&length, stride) in laid.shape.iter().zip(&laid.strides).rev() {
            at += (rest % length) as isize * stride;
            rest /= length;
        }
        laid.data[at as usize]
    };
    (0..count).map(element).collect()
}

fn run<R>(seed: u64, count: usize)
where
    R: Element<Exact = i128>,
    Complex<R>: Element<Exact = Complex<i128>>,
{
    let mut r = Random(seed);
    let mut serial = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("threads");
    pair.__split_everything();
    let mut failures = Failures::new();
    let (mut done, mut mixtures) = (0, 0);
    while done < count {
        let case = specs::random(&mut r);
        let bound = vec![1.5 * MOST as f64; case.shapes.len()];
        if oracle::bound(&case.spec, &case.shapes, &bound) * 64.0
            >= <Complex<R> as Element>::EXACT_BELOW
        {
            continue;
        }
        done += 1;
        let operands: Vec<_> = case
            .shapes
            .iter()
            .map(|shape| operand::<R>(&mut r, shape))
            .collect();
        let (dense, laid): (Vec<_>, Vec<_>) = operands.into_iter().unzip();
        let real = laid.iter().filter(|o| matches!(o, Either::Real(_))).count();
        mixtures += usize::from(real > 0 && real < laid.len());
        let exact = oracle::einsum(&case.spec, &dense);
        let rounded = |values: &[Complex<i128>]| Dense {
            shape: exact.shape.clone(),
            values: values
                .iter()
                .map(|&z| Element::from_exact(z))
                .collect::<Vec<Complex<R>>>(),
        };
        let expected = rounded(&exact.values);
        let order = order(&mut r, laid.len());
        // The way into a given output, which has factors that are 0, 1, real or complex.
        let factor = |r: &mut Random| {
            let im = if r.one_in(2) { 0 } else { whole(r) };
            Complex::new(whole(r), im)
        };
        let (alpha, beta) = (factor(&mut r), factor(&mut r));
        let layout = &ANY[r.below(ANY.len())];
        let values = exact
            .values
            .iter()
            .map(|_| Complex::new(whole(&mut r), whole(&mut r)));
        let before = Dense {
            shape: exact.shape.clone(),
            values: values.collect::<Vec<_>>(),
        };
        let mut out: Laid<Complex<R>> = if beta == Complex::new(0, 0) {
            // Nothing is read.
            let laid: Laid<Complex<R>> = lay(&before, layout);
            Laid {
                data: vec![Element::POISON; laid.data.len()],
                ..laid
            }
        } else {
            lay(&before, layout)
        };
        let scaled: Vec<_> = exact
            .values
            .iter()
            .zip(&before.values)
            .map(|(x, c)| alpha * x + beta * c)
            .collect();
        let name = || {
            let kinds: String = laid
                .iter()
                .map(|o| match o {
                    Either::Real(_) => 'r',
                    Either::Complex(_, false) => 'z',
                    Either::Complex(_, true) => 'c',
                })
                .collect();
            format!(
                "{:?} of {:?} {kinds}, {order:?}, {alpha} {beta}",
                case.spec, case.shapes
            )
        };
        failures.check(name, || {
            let mut einsum = Einsum::parse(&case.spec).map_err(|e| e.to_string())?;
            if !case.parentheses {
                einsum = einsum.order(order.clone());
            }
            let views: Vec<_> = laid.iter().map(view).collect();
            let contract = |engine: &mut Engine| einsum.contract_mixed(engine, &views).map(dynamic);
            let got: Outcome<Complex<R>> = contract(&mut serial).map_err(|e| e.to_string())?;
            if !same(&got, &expected) {
                return Err(format!("gave {got:?}, not {expected:?}")
                    .chars()
                    .take(600)
                    .collect());
            }
            let two = contract(&mut pair).map_err(|e| e.to_string())?;
            if !same_bits(&got, &two) {
                return Err("other bits with two threads".to_owned());
            }
            let (alpha, beta) = (Element::from_exact(alpha), Element::from_exact(beta));
            let to = DynTensorViewMut::new(&mut out.data, &out.shape, &out.strides, out.offset);
            einsum
                .contract_mixed_into(&mut serial, &views, to.expect("a view"), alpha, beta)
                .map_err(|e| e.to_string())?;
            let got = Dense {
                shape: out.shape.clone(),
                values: read(&out),
            };
            let expected = rounded(&scaled);
            if !same(&got, &expected) {
                return Err(format!("into: {got:?}, not {expected:?}")
                    .chars()
                    .take(600)
                    .collect());
            }
            Ok(())
        });
    }
    failures.finish(count);
    assert!(mixtures > count / 2, "{mixtures} mixtures");
}

#[test]
fn f64_with_complex_against_the_loop() {
    run::<f64>(1, 800);
}

#[test]
fn f32_with_complex_against_the_loop() {
    run::<f32>(2, 300);
}
