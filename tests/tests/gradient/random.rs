//! Random einsums of one to six operands, with every corner: whole numbers, so that all must be exact.

use cteinsum::__private::Request;
use cteinsum::{Complex, Differentiable, DynTensor, Engine};
use cteinsum_plan::Subscripts;
use cteinsum_tests::element::Element;
use cteinsum_tests::gradient::transposes;
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs::{self, Einsum};

use crate::calls::{constant, jvp, vjp};

fn operands(einsum: &Einsum, r: &mut Random, most: usize) -> Vec<Vec<i64>> {
    let whole = |r: &mut Random| r.below(2 * most + 1) as i64 - most as i64;
    let count = |shape: &Vec<usize>| shape.iter().product::<usize>();
    let shapes = einsum.shapes.iter();
    shapes
        .map(|shape| (0..count(shape)).map(|_| whole(r)).collect())
        .collect()
}

fn numbers(shape: &[usize], r: &mut Random) -> Vec<i64> {
    (0..shape.iter().product())
        .map(|_| r.below(7) as i64 - 3)
        .collect()
}

fn tensor<T: Element>(shape: &[usize], values: &[T::Exact]) -> DynTensor<T> {
    DynTensor::from_vec(shape, values.iter().map(|&v| T::from_exact(v)).collect())
}

/// The seeded einsums with one to six operands.
fn some(count: usize, seed: u64) -> Vec<(Einsum, Random)> {
    let mut r = Random(seed);
    let mut list = Vec::new();
    while list.len() < count {
        let einsum = specs::random(&mut r);
        if einsum.shapes.len() <= 6 {
            list.push((einsum, Random(r.bits())));
        }
    }
    list
}

/// Vectors of real numbers or of complex ones: the loop of the oracle, with what the pullback conjugates.
fn check<T>(
    exact: impl Fn(i64, i64) -> T::Exact,
    conj: impl Fn(T::Exact) -> T::Exact,
    count: usize,
    seed: u64,
) where
    T: Element + Differentiable,
{
    let mut threads = Engine::with_threads(2).unwrap();
    threads.__split_everything();
    for (n, (einsum, mut r)) in some(count, seed).into_iter().enumerate() {
        let Einsum { spec, shapes, .. } = &einsum;
        let checked = Subscripts::parse(spec).unwrap().check().unwrap();
        let wrt: &'static [usize] = &[0, 1, 2, 3, 4, 5][..shapes.len()];
        let transpose = n % 3 == 0;
        let request = Request {
            spec: constant(&checked),
            wrt,
            transpose,
        };
        let most = if shapes.len() > 4 { 2 } else { 3 };
        let (re, im) = (
            operands(&einsum, &mut r, most),
            operands(&einsum, &mut r, most),
        );
        let dense: Vec<Dense<T::Exact>> = shapes
            .iter()
            .zip(re.iter().zip(&im))
            .map(|(shape, (re, im))| Dense {
                shape: shape.clone(),
                values: re.iter().zip(im).map(|(&re, &im)| exact(re, im)).collect(),
            })
            .collect();
        let tensors: Vec<DynTensor<T>> =
            dense.iter().map(|d| tensor(&d.shape, &d.values)).collect();
        let expected = oracle::einsum(spec, &dense);
        let seed: Vec<T::Exact> = numbers(&expected.shape, &mut r)
            .into_iter()
            .zip(numbers(&expected.shape, &mut r))
            .map(|(re, im)| exact(re, im))
            .collect();
        let dy = Dense {
            shape: expected.shape.clone(),
            values: seed,
        };
        let others: Vec<Dense<T::Exact>> = dense
            .iter()
            .map(|d| Dense {
                shape: d.shape.clone(),
                values: d
                    .values
                    .iter()
                    .map(|&v| if transpose { v } else { conj(v) })
                    .collect(),
            })
            .collect();
        let gradients = transposes(spec, &others, &dy);

        let given = |_: &DynTensor<T>| tensor::<T>(&dy.shape, &dy.values);
        let mut sums: Vec<DynTensor<T>> = tensors.clone();
        let (y, found) = vjp(
            &mut Engine::serial(),
            request,
            &tensors,
            given,
            Some(&mut sums),
        )
        .unwrap();
        assert_eq!(
            y,
            tensor(&expected.shape, &expected.values),
            "{spec} {shapes:?}"
        );
        for (k, (found, gradient)) in found.iter().zip(&gradients).enumerate() {
            let context = format!("gradient {k} of {spec} {shapes:?}");
            assert_eq!(found.shape(), &*gradient.shape, "{context}");
            assert_eq!(
                *found,
                tensor(&gradient.shape, &gradient.values),
                "{context}"
            );
            let sum: Vec<T> = found
                .iter()
                .zip(tensors[k].iter())
                .map(|(&a, &b)| T::add(a, b))
                .collect();
            assert_eq!(
                sums[k],
                DynTensor::from_vec(found.shape(), sum),
                "{context}, accumulated"
            );
        }
        let (again, shared) = vjp(&mut threads, request, &tensors, given, None).unwrap();
        assert_eq!(again, y, "{spec} {shapes:?}");
        assert_eq!(shared, found, "{spec} {shapes:?} on two threads");

        // ⟨dy, J v⟩ = ⟨Jᵀ dy, v⟩, without conjugates: J v by `jvp`, Jᵀ dy by the oracle.
        let tangents: Vec<Option<Dense<T::Exact>>> = shapes
            .iter()
            .enumerate()
            .map(|(k, shape)| {
                let constant = r.one_in(3) && k > 0;
                (!constant).then(|| Dense {
                    shape: shape.clone(),
                    values: numbers(shape, &mut r)
                        .into_iter()
                        .map(|n| exact(n, 1 - n))
                        .collect(),
                })
            })
            .collect();
        let directions: Vec<Option<DynTensor<T>>> = tangents
            .iter()
            .map(|t| t.as_ref().map(|t| tensor(&t.shape, &t.values)))
            .collect();
        let (y, jv) = jvp(&mut Engine::serial(), request.spec, &tensors, &directions).unwrap();
        assert_eq!(
            y,
            tensor(&expected.shape, &expected.values),
            "{spec} {shapes:?}"
        );
        let zero = || tensor::<T>(&expected.shape, &vec![exact(0, 0); expected.values.len()]);
        let sum = |a: DynTensor<T>, b: DynTensor<T>| {
            let values = a
                .iter()
                .zip(b.iter())
                .map(|(&a, &b)| T::add(a, b))
                .collect();
            DynTensor::from_vec(a.shape(), values)
        };
        let by_parts = (0..shapes.len()).filter_map(|k| {
            let mut parts = dense.clone();
            parts[k] = tangents[k].clone()?;
            let part = oracle::einsum(spec, &parts);
            Some(tensor::<T>(&part.shape, &part.values))
        });
        assert_eq!(
            jv,
            by_parts.fold(zero(), sum),
            "tangent of {spec} {shapes:?}"
        );
        let product = |a: &DynTensor<T>, b: &DynTensor<T>| {
            a.iter()
                .zip(b.iter())
                .fold(T::ZERO, |s, (&a, &b)| T::add(s, T::mul(a, b)))
        };
        let plain = Request {
            transpose: true,
            ..request
        };
        let (_, transposed) = vjp(&mut Engine::serial(), plain, &tensors, given, None).unwrap();
        let right = transposed
            .iter()
            .zip(&directions)
            .filter_map(|(g, v)| Some(product(g, v.as_ref()?)));
        assert_eq!(
            product(&given(&y), &jv),
            right.fold(T::ZERO, T::add),
            "<dy, J v> = <Jt dy, v> of {spec} {shapes:?}"
        );
    }
}

#[test]
fn gradients_of_real_numbers_are_exact() {
    check::<f64>(|re, _| re.into(), |v| v, 500, 7);
}

#[test]
fn gradients_of_complex_numbers_are_exact() {
    check::<Complex<f64>>(
        |re, im| Complex::new(re.into(), im.into()),
        |v| Complex::new(v.re, -v.im),
        200,
        8,
    );
}

/// Some of the operands, in any order: the same gradients, bit by bit, where the order of contraction is fixed.
#[test]
fn what_is_wanted_is_what_comes() {
    for (einsum, mut r) in some(300, 9) {
        let Einsum { spec, shapes, .. } = &einsum;
        let checked = Subscripts::parse(spec).unwrap().check().unwrap();
        let all = operands(&einsum, &mut r, 2);
        let tensors: Vec<DynTensor<f64>> = shapes
            .iter()
            .zip(&all)
            .map(|(shape, values)| {
                DynTensor::from_vec(shape, values.iter().map(|&v| v as f64).collect::<Vec<_>>())
            })
            .collect();
        let spec = constant(&checked);
        let wrt: &'static [usize] = &[0, 1, 2, 3, 4, 5][..shapes.len()];
        let engine = &mut Engine::serial();
        let dy = |y: &DynTensor<f64>| y.clone();
        let request = Request {
            spec,
            wrt,
            transpose: false,
        };
        let (y, gradients) = vjp(engine, request, &tensors, dy, None).unwrap();
        for (k, expected) in gradients.iter().enumerate() {
            let only: &'static [usize] = Box::leak(Box::new([k]));
            let request = Request {
                spec,
                wrt: only,
                transpose: false,
            };
            let (same, gradient) = crate::calls::one(engine, request, &tensors, dy, k);
            assert_eq!(same, y, "{}", spec.text);
            assert_eq!(gradient, *expected, "{k} of {}", spec.text);
        }
    }
}

/// Central differences: an einsum is a polynomial in each number of its operands, of degree one in each operand.
#[test]
fn tangents_agree_with_central_differences() {
    for (einsum, mut r) in some(200, 10) {
        let Einsum { spec, shapes, .. } = &einsum;
        let checked = Subscripts::parse(spec).unwrap().check().unwrap();
        let real = |shape: &Vec<usize>, r: &mut Random| {
            DynTensor::from_vec(shape, r.reals(shape.iter().product()))
        };
        let at: Vec<DynTensor<f64>> = shapes.iter().map(|s| real(s, &mut r)).collect();
        let along: Vec<DynTensor<f64>> = shapes.iter().map(|s| real(s, &mut r)).collect();
        let h = 1e-4;
        let moved = |h: f64| -> Vec<DynTensor<f64>> {
            let pairs = at.iter().zip(&along);
            let moved = pairs.map(|(a, v)| {
                let values = a
                    .iter()
                    .zip(v.iter())
                    .map(|(a, v)| a + h * v)
                    .collect::<Vec<_>>();
                DynTensor::from_vec(a.shape(), values)
            });
            moved.collect()
        };
        let engine = &mut Engine::serial();
        let e = cteinsum::Einsum::parse(spec).unwrap();
        let mut value = |h: f64| {
            let operands = moved(h);
            let views: Vec<_> = operands.iter().map(|t| t.view()).collect();
            e.contract(engine, &views).unwrap()
        };
        let (plus, minus) = (value(h), value(-h));
        let directions: Vec<_> = along.into_iter().map(Some).collect();
        let (_, dy) = jvp(engine, constant(&checked), &at, &directions).unwrap();
        for ((plus, minus), dy) in plus.iter().zip(minus.iter()).zip(dy.iter()) {
            let difference = (plus - minus) / (2.0 * h);
            let scale = 1.0 + dy.abs() + plus.abs();
            assert!(
                (difference - dy).abs() < 1e-5 * scale,
                "{spec}: {difference} {dy}"
            );
        }
    }
}
