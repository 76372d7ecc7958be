//! W: outputs that the caller gives.

use cteinsum::{
    DynTensor, DynTensorViewMut, Einsum, EinsumError, Engine, Scalar, Tensor, TensorViewMut,
    einsum, try_einsum,
};
use cteinsum_tests::access::{dyn_views, dynamic};
use cteinsum_tests::data;
use cteinsum_tests::element::Element;
use cteinsum_tests::layout::{ANY, Laid, Layout, lay, lay_elements};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::outcome::{Failures, Outcome, same, same_bits};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;
use num_complex::Complex;

fn numbers<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<f64, N> {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|n| data::rule(n, k) as f64).collect())
}

/// The elements of an output in memory, row-major.
fn read<T: Element>(laid: &Laid<T>) -> Outcome<T> {
    let count: usize = laid.shape.iter().product();
    let values = (0..count)
        .map(|n| {
            let (mut rest, mut at) = (n, laid.offset as isize);
            for (&length, stride) in laid.shape.iter().zip(&laid.strides).rev() {
                at += (rest % length) as isize * stride;
                rest /= length;
            }
            laid.data[at as usize]
        })
        .collect();
    Dense {
        shape: laid.shape.clone(),
        values,
    }
}

/// How many elements of the memory are poison.
fn poisoned<T: Element>(laid: &Laid<T>) -> usize {
    laid.data
        .iter()
        .filter(|x| x.bits() == T::POISON.bits())
        .count()
}

fn output<T: Element>(laid: &mut Laid<T>) -> DynTensorViewMut<'_, T> {
    DynTensorViewMut::new(&mut laid.data, &laid.shape, &laid.strides, laid.offset)
        .expect("a mutable view")
}

/// Random einsums into random outputs, against the naive loop.
fn run<T: Element>(seed: u64, count: usize) {
    let mut r = Random(seed);
    let mut serial = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("threads");
    // The work of a case is small: without this it would stay on one thread.
    pair.__split_everything();
    let mut failures = Failures::new();
    let small = |r: &mut Random| r.below(7) as i64 - 3;
    let mut done = 0;
    while done < count {
        let case = specs::random(&mut r);
        let most = vec![4.0; case.shapes.len()];
        if oracle::bound(&case.spec, &case.shapes, &most) * 8.0 >= T::EXACT_BELOW {
            continue;
        }
        done += 1;
        let operands: Vec<Dense<T::Exact>> = (case.shapes.iter())
            .map(|s| Dense {
                shape: s.clone(),
                values: (0..s.iter().product())
                    .map(|_| T::whole(small(&mut r)))
                    .collect(),
            })
            .collect();
        let laid: Vec<Laid<T>> = operands
            .iter()
            .map(|o| lay(o, &ANY[r.below(ANY.len())]))
            .collect();
        let result = oracle::einsum(&case.spec, &operands);
        let before = Dense {
            shape: result.shape.clone(),
            values: result
                .values
                .iter()
                .map(|_| T::whole(small(&mut r)))
                .collect(),
        };
        let layout = ANY[r.below(ANY.len())].clone();
        let (alpha, beta) = (r.below(4) as i64 - 1, r.below(4) as i64 - 1);
        let scaled = |&x: &T::Exact, &c: &T::Exact| {
            use oracle::Ring;
            T::from_exact(T::whole(alpha).times(x).plus(T::whole(beta).times(c)))
        };
        let expected = Dense {
            shape: result.shape.clone(),
            values: (result.values.iter().zip(&before.values))
                .map(|(x, c)| scaled(x, c))
                .collect(),
        };
        let name = || {
            let strides: Vec<_> = laid.iter().map(|o| &o.strides).collect();
            format!(
                "{:?} of {:?}, strides {strides:?}, out {layout:?}, alpha {alpha}, beta {beta} in {}",
                case.spec,
                case.shapes,
                T::NAME
            )
        };
        failures.check(name, || {
            let einsum = Einsum::parse(&case.spec).map_err(|e| e.to_string())?;
            let number = |n: i64| T::from_exact(T::whole(n));
            for engine in [&mut serial, &mut pair] {
                // What is never read may hold anything.
                let mut out: Laid<T> = lay(&before, &layout);
                if beta == 0 {
                    let poison = vec![T::POISON; before.values.len()];
                    out = lay_elements(&before.shape, &poison, &layout, T::POISON);
                }
                let gaps = poisoned(&lay::<T>(&before, &layout));
                einsum
                    .contract_into(
                        engine,
                        &dyn_views(&laid),
                        output(&mut out),
                        number(alpha),
                        number(beta),
                    )
                    .map_err(|e| e.to_string())?;
                let got = read(&out);
                if !same(&got, &expected) {
                    return Err(format!("gave {got:?}, not {expected:?}")
                        .chars()
                        .take(600)
                        .collect());
                }
                if T::NAME.contains('f') && poisoned(&out) != gaps {
                    return Err("wrote between the elements of the output".to_owned());
                }
            }
            Ok(())
        });
    }
    failures.finish(count);
}

/// Contract: W1, W2, W3, W4
#[test]
fn into_any_output_f64() {
    run::<f64>(21, 1200);
}

/// Contract: W1, W2, W3, W4
#[test]
fn into_any_output_of_other_elements() {
    run::<f32>(22, 400);
    run::<Complex<f64>>(23, 400);
    run::<i32>(24, 400);
    run::<u8>(25, 200);
}

/// Contract: W1, W2
#[test]
fn out_alpha_and_beta() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let fresh = einsum!("ij,jk->ik", a, b);
    let mut c = Tensor::from_vec([2, 4], vec![f64::NAN; 8]);
    let () = einsum!("ij,jk->ik", a, b, out = &mut c);
    assert_eq!(c, fresh);
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 2.0, beta = -1.0);
    assert_eq!(c, fresh);
    einsum!("ij,jk->ik", a, b, out = &mut c, beta = 1.0);
    assert_eq!(c, fresh.map(|x| 2.0 * x));
    einsum!("ij,jk->ik", a, b, out = &mut c, alpha = 3.0);
    assert_eq!(c, fresh.map(|x| 3.0 * x));
    c.fill(f64::NAN);
    einsum!(
        "ij,jk->ik",
        a,
        b,
        out = &mut c,
        beta = 0.0,
        engine = &mut Engine::serial()
    );
    assert_eq!(c, fresh);
    let done: Result<(), EinsumError> = try_einsum!("ij,jk->ik", a, b, out = &mut c, beta = 1.0);
    assert_eq!(done, Ok(()));
    let mut sum = 1.0;
    einsum!("ij,ij->", a, a, out = &mut sum, beta = 10.0);
    assert_eq!(sum, 10.0 + einsum!("ij,ij->", a, a));
    let mut d = DynTensor::from_vec([4, 2], vec![0.0; 8]);
    einsum!("ij,jk->ki", a, b, out = &mut d);
    assert_eq!(d.as_slice(), einsum!("ij,jk->ki", a, b).as_slice());
    // Two columns of a larger array.
    let mut e = Tensor::from_vec([2, 8], vec![7.0; 16]);
    einsum!(
        "ij,jk->ik",
        a,
        b,
        out = &mut e.view_mut().slice_axis(1, 2..6)
    );
    for ([i, k], x) in e.indexed_iter() {
        let inside = (2..6).contains(&k);
        assert_eq!(*x, if inside { fresh[[i, k - 2]] } else { 7.0 });
    }
}

/// Contract: W3
#[test]
fn strided_outputs() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let fresh = einsum!("ij,jk->ik", a, b);
    // Every third element, backwards.
    let mut memory = [f64::NAN; 30];
    let mut out = TensorViewMut::new(&mut memory, [2, 4], [-12, -3], 29).expect("a view");
    einsum!("ij,jk->ik", a, b, out = &mut out);
    for (n, x) in memory.iter().rev().enumerate() {
        match n % 3 {
            0 if n < 24 => assert_eq!(*x, fresh.as_slice()[n / 3]),
            _ => assert!(x.is_nan(), "{n}"),
        }
    }
}

/// Contract: W4
#[test]
fn the_diagonal_of_an_output() {
    let v = numbers(0, [3]);
    let mut c = Tensor::from_vec([3, 3], vec![f64::NAN; 9]);
    einsum!("i->ii", v, out = &mut c);
    assert_eq!(c, einsum!("i->ii", v));
    let mut c = Tensor::from_vec([3, 3], vec![5.0; 9]);
    einsum!("i->ii", v, out = &mut c, alpha = 2.0, beta = 10.0);
    assert_eq!(
        c,
        Tensor::from_fn([3, 3], |[i, j]| 50.0
            + if i == j { 2.0 * v[[i]] } else { 0.0 })
    );
}

/// Contract: W5
#[test]
fn a_refused_output_is_unchanged() {
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    for shape in [[2, 5], [1, 4], [4, 2], [2, 1], [0, 4]] {
        let mut c = Tensor::full(shape, 3.5);
        assert!(
            try_einsum!("ij,jk->ik", a, b, out = &mut c).is_err(),
            "{shape:?}"
        );
        assert_eq!(c, Tensor::full(shape, 3.5));
    }
    let mut c = Tensor::full([2, 4], 3.5);
    assert!(try_einsum!("ij,jk->ik", a, a, out = &mut c, beta = 2.0).is_err());
    assert!(try_einsum!("ij,jk,kl->il", a, b, a, out = &mut c, order = left_to_right).is_err());
    assert_eq!(c, Tensor::full([2, 4], 3.5));
    let mut d = DynTensor::from_vec([8], vec![3.5; 8]);
    assert!(try_einsum!("ij,jk->ik", a, b, out = &mut d).is_err());
    assert_eq!(d.as_slice(), [3.5; 8]);
    // An output of length 1 does not broadcast, nor is a broadcast result cut to it.
    let mut one = Tensor::full([1], 3.5);
    assert!(try_einsum!("i,i->i", numbers(0, [1]), numbers(1, [3]), out = &mut one).is_err());
    assert_eq!(one[[0]], 3.5);
}

fn rough<T: Scalar, const N: usize>(
    shape: [usize; N],
    seed: u64,
    to: fn(f64) -> T,
) -> Tensor<T, N> {
    let mut random = Random(seed);
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|_| to(random.real())).collect())
}

/// Contract: W6
#[test]
fn a_given_output_has_the_bits_of_a_fresh_one() {
    fn check<T: Element>(to: fn(f64) -> T) {
        let (a, b, c) = (
            rough([37, 50], 1, to),
            rough([50, 41], 2, to),
            rough([41, 37], 3, to),
        );
        for spec in [
            "ij,jk->ik",
            "ij,jk->ki",
            "ij,jk,kl->il",
            "ij,jk,ki->",
            "ij,jk->j",
            "ij,jk->iik",
        ] {
            let einsum = Einsum::parse(spec).expect("subscripts");
            let mut operands = vec![a.as_dyn(), b.as_dyn(), c.as_dyn()];
            operands.truncate(spec.split("->").next().map_or(0, |s| s.split(',').count()));
            for mut engine in [Engine::serial(), Engine::with_threads(3).expect("threads")] {
                let fresh = dynamic(einsum.contract(&mut engine, &operands).expect("shapes"));
                let poison = vec![T::POISON; fresh.values.len()];
                let mut out = lay_elements(&fresh.shape, &poison, &Layout::Row, T::POISON);
                einsum
                    .contract_into(&mut engine, &operands, output(&mut out), T::ONE, T::ZERO)
                    .expect("shapes");
                assert!(same_bits(&read(&out), &fresh), "{spec} in {}", T::NAME);
            }
        }
    }
    check::<f64>(|x| x);
    check::<f32>(|x| x as f32);
    check::<Complex<f64>>(|x| Complex::new(x, x * x - 0.3));
}

/// Without labels the axes say nothing of an output whose rank is known only at run time.
#[test]
fn an_output_of_dynamic_rank_for_a_number() {
    let x = [1.0, 2.0];
    let mut scalar = DynTensor::<f64>::zeros([]);
    einsum!("i,i->", x, x, out = &mut scalar);
    assert_eq!(scalar.as_slice(), [5.0]);
    let mut vector = DynTensor::<f64>::zeros([1]);
    let error = try_einsum!("i,i->", x, x, out = &mut vector).unwrap_err();
    assert!(matches!(error, EinsumError::Output { .. }), "{error}");
}
