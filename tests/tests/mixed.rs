//! Random einsums of real and complex arrays together, against the naive loop over complex numbers.

use cteinsum::{
    Complex, DynTensorViewMut, Einsum, Engine, MixedView, Real, Tensor, conj, einsum, s, try_einsum,
};
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
    R: Element<Exact = i128> + Real,
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
    R: Element + Real,
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
    R: Element<Exact = i128> + Real,
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

fn real<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<f64, N> {
    let count = shape.iter().product();
    Tensor::from_vec(
        shape,
        (0..count)
            .map(|n| ((5 * n + 3 * k) % 7) as f64 - 3.0)
            .collect(),
    )
}

fn complex<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<Complex<f64>, N> {
    let (re, im) = (real(k, shape), real(k + 1, shape));
    let pairs = re.as_slice().iter().zip(im.as_slice());
    Tensor::from_vec(
        shape,
        pairs.map(|(&re, &im)| Complex::new(re, im)).collect(),
    )
}

fn promoted<const N: usize>(a: &Tensor<f64, N>) -> Tensor<Complex<f64>, N> {
    let values = a.as_slice().iter().map(|&re| Complex::from(re));
    Tensor::from_vec(*a.shape(), values.collect())
}

/// Contract: T7
#[test]
fn every_form_of_a_call_takes_real_and_complex_operands() {
    let (a, z, b) = (real(0, [3, 4]), complex(1, [4, 5]), real(2, [5, 3]));
    let (pa, pb) = (promoted(&a), promoted(&b));
    let expected = einsum!("ij,jk->ik", pa, z);
    assert_eq!(einsum!("ij,jk->ik", a, z), expected);
    assert_eq!(einsum!("jk,ij->ik", z, a), expected);
    assert_eq!(try_einsum!("ij,jk->ik", a, z), Ok(expected.clone()));
    assert_eq!(einsum!([i, k] = a[i, j] * z[j, k]), expected);
    assert_eq!(einsum!("ij,jk->ik", a.as_dyn(), z), expected);
    assert_eq!(einsum!("...j,jk->...k", a, z), expected);
    let mut engine = Engine::serial();
    assert_eq!(einsum!("ij,jk->ik", a, z, engine = &mut engine), expected);
    assert_eq!(
        einsum!("ij,jk->ik", a, conj(&z)),
        einsum!("ij,jk->ik", pa, conj(&z))
    );
    assert_eq!(einsum!("ij,jk->ik", conj(&a), z), expected);
    // A trace, every order.
    let trace = einsum!("ij,jk,ki->", pa, z, pb);
    assert_eq!(einsum!("ij,jk,ki->", a, z, b), trace);
    assert_eq!(einsum!("(ij,jk),ki->", a, z, b), trace);
    assert_eq!(einsum!("ij,(jk,ki)->", a, z, b), trace);
    assert_eq!(einsum!("(ij,ki),jk->", a, b, z), trace);
    assert_eq!(einsum!("(ij,ki),jk->", a, b, conj(&z)), trace.conj());
    // Arrays of constant lengths, vectors, numbers.
    let (x, i) = ([1.0, 2.0], Complex::new(0.0, 1.0));
    assert_eq!(einsum!("i,i->", x, [i, i]), 3.0 * i);
    assert_eq!(
        einsum!("i,i->i", [i, i], vec![1.0, 2.0]).as_slice(),
        [i, 2.0 * i]
    );
    assert_eq!(einsum!("i,->i", x, i), [i, 2.0 * i]);
    assert_eq!(einsum!("i,->i", [i, i], 2.0), [2.0 * i, 2.0 * i]);
    assert_eq!(einsum!(",i->i", 2.0, [i, i]), [2.0 * i, 2.0 * i]);
    assert_eq!(
        einsum!("i,,,->i", [i, i], 2.0, 3.0, 0.5),
        [3.0 * i, 3.0 * i]
    );
    // Of single precision.
    let y = einsum!("i,i->i", [1.0f32, 2.0], [Complex::new(1.0f32, 2.0); 2]);
    assert_eq!(y, [Complex::new(1.0, 2.0), Complex::new(2.0, 4.0)]);
    // More operands than the types are asked about.
    let many = einsum!(
        "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a->",
        x,
        x,
        x,
        x,
        x,
        x,
        x,
        x,
        [i, i],
        x,
        x,
        x,
        x,
        x,
        x,
        x,
        x
    );
    assert_eq!(many, 65537.0 * i);
}

/// Contract: T7
#[test]
fn outputs_and_sums_of_real_and_complex_terms() {
    let (a, z, d) = (real(0, [3, 4]), complex(1, [4, 5]), real(2, [5, 3]));
    let (pa, pd) = (promoted(&a), promoted(&d));
    let before = complex(3, [3, 5]);
    let factors = [0.0, 1.0, -2.0].map(|re| [0.0, 0.5].map(|im| Complex::new(re, im)));
    for alpha in factors.as_flattened() {
        for beta in factors.as_flattened() {
            let (alpha, beta) = (*alpha, *beta);
            let (mut got, mut expected) = (before.clone(), before.clone());
            einsum!(
                "ij,jk->ik",
                a,
                z,
                out = &mut got,
                alpha = alpha,
                beta = beta
            );
            einsum!(
                "ij,jk->ik",
                pa,
                z,
                out = &mut expected,
                alpha = alpha,
                beta = beta
            );
            assert_eq!(got, expected, "{alpha} {beta}");
            let (mut got, mut expected) = (before.clone(), before.clone());
            einsum!(
                "ij,jk->ik",
                a,
                conj(&z),
                out = &mut got,
                alpha = alpha,
                beta = beta
            );
            einsum!(
                "ij,jk->ik",
                pa,
                conj(&z),
                out = &mut expected,
                alpha = alpha,
                beta = beta
            );
            assert_eq!(got, expected, "{alpha} {beta}");
            // A term of real operands alone, before and behind a complex one; also in an engine that is given.
            let (mut got, mut expected) = (before.clone(), before.clone());
            einsum!(expected[i, k] = alpha * pd[k, i] + pa[i, j] * z[j, k], beta = beta);
            einsum!(got[i, k] = alpha * d[k, i] + a[i, j] * z[j, k], beta = beta);
            assert_eq!(got, expected, "{alpha} {beta}");
            let mut got = before.clone();
            einsum!(got[i, k] = a[i, j] * z[j, k] + alpha * d[k, i], beta = beta);
            assert_eq!(got, expected, "{alpha} {beta}");
            let (mut got, mut engine) = (before.clone(), Engine::serial());
            einsum!(got[i, k] = alpha * d[k, i] + a[i, j] * z[j, k], beta = beta, engine = &mut engine);
            assert_eq!(got, expected, "{alpha} {beta}");
            // The diagonal of an output.
            let before = complex(4, [3, 3]);
            let (mut got, mut expected) = (before.clone(), before);
            einsum!(
                "ij,ji,jk->ii",
                a,
                d.slice([s(0..4), s(..)]),
                conj(&z),
                out = &mut got,
                alpha = alpha,
                beta = beta
            );
            einsum!(
                "ij,ji,jk->ii",
                pa,
                pd.slice([s(0..4), s(..)]),
                conj(&z),
                out = &mut expected,
                alpha = alpha,
                beta = beta
            );
            assert_eq!(got, expected, "{alpha} {beta}");
        }
    }
}

/// Contract: T8
#[test]
fn a_real_operand_is_not_promoted() {
    let infinite = Complex::new(f64::INFINITY, 1.0);
    let y = einsum!(
        "i,i->i",
        [2.0, 0.5],
        [infinite, Complex::new(1.0, f64::NEG_INFINITY)]
    );
    assert_eq!(
        y,
        [
            Complex::new(f64::INFINITY, 2.0),
            Complex::new(0.5, f64::NEG_INFINITY)
        ]
    );
    let y = einsum!("i,i->", [f64::INFINITY, 1.0], [Complex::new(1.0, 1.0); 2]);
    assert_eq!(y, Complex::new(f64::INFINITY, f64::INFINITY));
    // A NaN in one part stays there.
    let y = einsum!("i,ij->j", [1.0, 2.0], [[Complex::new(f64::NAN, 1.0)]; 2]);
    assert!(y[0].re.is_nan() && y[0].im == 3.0);
    // Real operands that meet first make a real array: half the workspace.
    let mut engine = Engine::serial();
    let (a, b, z) = (real(0, [40, 50]), real(1, [50, 60]), complex(2, [60, 2]));
    let bytes = |engine: &Engine| engine.explain().expect("a call").workspace_bytes();
    let _ = einsum!("(ij,jk),kl->il", a, b, z, engine = &mut engine);
    assert_eq!(bytes(&engine), 40 * 60 * 8);
    let _ = einsum!(
        "(ij,jk),kl->il",
        promoted(&a),
        promoted(&b),
        z,
        engine = &mut engine
    );
    assert_eq!(bytes(&engine), 40 * 60 * 16);
}

/// The same spec and shapes, remembered by one engine, with operands of either kind in any place.
#[test]
fn what_is_remembered_knows_which_operands_are_real_and_conjugated() {
    let product = Einsum::parse("ij,jk->ik").expect("subscripts");
    let (a, b) = (real(0, [4, 4]), real(1, [4, 4]));
    let (y, z) = (complex(2, [4, 4]), complex(3, [4, 4]));
    let (pa, pb) = (promoted(&a), promoted(&b));
    let mut engine = Engine::serial();
    type View<'a> = MixedView<'a, f64>;
    let left: [(View<'_>, &Tensor<_, 2>); 2] = [(a.as_dyn().into(), &pa), (y.as_dyn().into(), &y)];
    let right: [(View<'_>, &Tensor<_, 2>); 2] = [(b.as_dyn().into(), &pb), (z.as_dyn().into(), &z)];
    for _ in 0..2 {
        for (l, pl) in &left {
            for (r, pr) in &right {
                let got = product
                    .contract_mixed(&mut engine, &[l.clone(), r.clone()])
                    .expect("sizes fit");
                assert_eq!(got.as_slice(), einsum!("ij,jk->ik", pl, pr).as_slice());
                let got = product
                    .contract_mixed(&mut engine, &[l.clone().conj(), r.clone()])
                    .expect("sizes fit");
                assert_eq!(
                    got.as_slice(),
                    einsum!("ij,jk->ik", conj(pl), pr).as_slice()
                );
                let got = product
                    .contract_mixed(&mut engine, &[l.clone(), r.clone().conj()])
                    .expect("sizes fit");
                assert_eq!(
                    got.as_slice(),
                    einsum!("ij,jk->ik", pl, conj(pr)).as_slice()
                );
            }
        }
    }
}

#[test]
fn tangents_of_real_and_complex_operands() {
    let (a, da, z, dz) = (
        real(0, [3, 4]),
        real(1, [3, 4]),
        complex(2, [4, 5]),
        complex(3, [4, 5]),
    );
    let (y, dy) = cteinsum::einsum_jvp!("ij,jk->ik", (a, da), (z, dz));
    assert_eq!(y, einsum!("ij,jk->ik", promoted(&a), z));
    let expected = einsum!([i, k] = promoted(&da)[i, j] * z[j, k] + promoted(&a)[i, j] * dz[j, k]);
    assert_eq!(dy, expected);
    let (_, dy) = cteinsum::einsum_jvp!("ij,jk->ik", (a, da), (z, _));
    assert_eq!(dy, einsum!("ij,jk->ik", da, z));
}

/// The order is that for the work that real operands save: the bits are those of this order.
#[test]
fn the_order_knows_which_operands_are_real() {
    let r = &mut Random(9);
    let real = |r: &mut Random, n: usize, m: usize| Tensor::from_vec([n, m], r.reals(n * m));
    let (a, b) = (real(r, 100, 100), real(r, 100, 100));
    let numbers = (0..100 * 80).map(|_| Complex::new(r.real(), r.real()));
    let z = Tensor::from_vec([100, 80], numbers.collect());
    let run = |order: Option<Order>, real: bool| {
        let chain = Einsum::parse("ij,jk,kl->il").expect("subscripts");
        let chain = match order {
            Some(order) => chain.order(order),
            None => chain,
        };
        let wide = |a: &Tensor<f64, 2>| {
            let numbers = a.as_slice().iter().map(|&x| Complex::from(x));
            Tensor::from_vec([100, 100], numbers.collect())
        };
        let (wa, wb) = (wide(&a), wide(&b));
        let operands: [MixedView<'_, f64>; 3] = match real {
            true => [a.as_dyn().into(), b.as_dyn().into(), z.as_dyn().into()],
            false => [wa.as_dyn().into(), wb.as_dyn().into(), z.as_dyn().into()],
        };
        chain
            .contract_mixed(&mut Engine::serial(), &operands)
            .expect("sizes fit")
    };
    let (left, right) = ([(0, 1), (3, 2)].to_vec(), [(1, 2), (0, 3)].to_vec());
    let (left, right) = (Order::Tree(left), Order::Tree(right));
    assert_ne!(
        run(Some(left.clone()), true),
        run(Some(right.clone()), true)
    );
    assert_eq!(run(None, true), run(Some(left), true));
    assert_eq!(run(None, false), run(Some(right), false));
}

/// Real operands alone, and a complex output: the real parts are those of a real output, the imaginary ones beta's.
#[test]
fn a_complex_output_of_real_operands() {
    type C = Complex<f64>;
    const NAN: C = C::new(f64::NAN, f64::NAN);
    let r = &mut Random(10);
    let real = |r: &mut Random, n: usize, m: usize| Tensor::from_vec([n, m], r.reals(n * m));
    let (a, b, d) = (real(r, 3, 4), real(r, 4, 5), real(r, 5, 3));
    let promoted = |x: Tensor<f64, 2>| {
        let numbers = x.as_slice().iter().map(|&x| C::from(x));
        Tensor::from_vec(*x.shape(), numbers.collect())
    };
    let expected = promoted(einsum!("ij,jk->ik", a, b));
    let mut c = Tensor::full([3, 5], NAN);
    einsum!("ij,jk->ik", a, b, out = &mut c);
    assert_eq!(c, expected);
    // Strides of any kind: every second column of a transpose, backwards; what lies between stays.
    let mut wide = Tensor::full([10, 3], C::new(7.0, 7.0));
    let mut part = wide
        .view_mut()
        .permuted([1, 0])
        .slice([s(..), s(..).step(-2)]);
    part.iter_mut().for_each(|x| *x = NAN);
    try_einsum!("ij,jk->ik", a, b, out = &mut part).expect("sizes fit");
    assert_eq!(part.view(), expected.view());
    assert_eq!(wide.iter().filter(|x| **x == C::new(7.0, 7.0)).count(), 15);
    // Factors are complex.
    let mut c = Tensor::full([3, 5], C::new(1.0, 2.0));
    let (alpha, beta) = (C::new(2.0, -1.0), C::new(0.5, 1.0));
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = alpha, beta = beta);
    for (c, e) in c.iter().zip(expected.iter()) {
        assert!((c - (alpha * e + beta * C::new(1.0, 2.0))).norm() < 1e-12);
    }
    let mut c = Tensor::full([3, 5], C::new(1.0, 2.0));
    einsum!(c[i, k] += a[i, j] * b[j, k]);
    for (c, e) in c.iter().zip(expected.iter()) {
        assert!((c - (e + C::new(1.0, 2.0))).norm() < 1e-12);
    }
    // Several steps, an engine, dots, and sums of terms.
    let mut c = Tensor::full([3, 3], NAN);
    einsum!("ij,jk,kl->il", a, b, d, out = &mut c);
    assert_eq!(c, promoted(einsum!("ij,jk,kl->il", a, b, d)));
    let mut engine = Engine::with_threads(2).expect("threads");
    c.as_mut_slice().fill(NAN);
    einsum!(
        "...j,jk,kl->...l",
        a,
        b,
        d,
        out = &mut c,
        engine = &mut engine
    );
    assert_eq!(c, promoted(einsum!("ij,jk,kl->il", a, b, d)));
    c.as_mut_slice().fill(NAN);
    einsum!(c[i, l] = a[i, j] * a[l, j] + a[l, j] * a[i, j]);
    assert_eq!(
        c,
        promoted(einsum!([i, l] = a[i, j] * a[l, j] + a[l, j] * a[i, j]))
    );
    // A label twice in the output, and labels of one operand alone.
    let mut c = Tensor::full([3, 3], NAN);
    einsum!("ij->ii", a, out = &mut c);
    assert_eq!(c, promoted(einsum!("ij->ii", a)));
    let mut c = Tensor::full([3, 3], C::new(0.0, 1.0));
    einsum!("ij->ii", a, out = &mut c, beta = C::new(0.0, 1.0));
    for i in 0..3 {
        let row: f64 = (0..4).map(|j| a[[i, j]]).sum();
        for j in 0..3 {
            let sum = if i == j { row } else { 0.0 };
            assert!((c[[i, j]] - C::new(sum - 1.0, 0.0)).norm() < 1e-12);
        }
    }
    // Constant lengths, numbers, and nothing to add up.
    let mut c = [NAN; 2];
    einsum!(
        "ij,j->i",
        [[1.0, 2.0], [3.0, 4.0]],
        [1.0, -1.0],
        out = &mut c
    );
    assert_eq!(c, [C::from(-1.0), C::from(-1.0)]);
    let mut c = NAN;
    einsum!(",->", 2.0, 3.0, out = &mut c);
    assert_eq!(c, C::from(6.0));
    let mut c = [NAN; 3];
    einsum!("ij->i", Tensor::<f64, 2>::zeros([3, 0]), out = &mut c);
    assert_eq!(c, [C::from(0.0); 3]);
    // Elements of an output that are open follow the operands.
    let mut c = Tensor::zeros([3, 5]);
    einsum!("ij,jk->ik", a, b, out = &mut c);
    let _: &Tensor<f64, 2> = &c;
    let mut c = vec![Default::default(); 3];
    einsum!("ij->i", a, out = &mut c);
    let _: &Vec<f64> = &c;
    let mut c = [0.0; 3];
    einsum!("ij->i", [[1f32, 2.0]; 3], out = &mut c);
    assert_eq!(c, [3f32; 3]);
}
