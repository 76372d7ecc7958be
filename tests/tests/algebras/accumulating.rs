//! Algebras whose sums are made in another type than the elements'.

use cteinsum::algebra::{Accumulating, Algebra};
use cteinsum::{DynTensorViewMut, Einsum, Engine, Tensor, einsum, try_einsum};
use cteinsum_tests::access::dyn_views;
use cteinsum_tests::layout::{ANY, lay};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;

/// Bytes, added up exactly and clamped once at the end.
#[derive(Clone, Copy, Debug)]
struct Clamped;

impl Accumulating<i8> for Clamped {
    type Acc = i128;
    const ZERO: i8 = 0;
    const ONE: i8 = 1;
    const ACC_ZERO: i128 = 0;
    const ACC_ONE: i128 = 1;
    fn widen(element: i8) -> i128 {
        element.into()
    }
    fn add(a: i128, b: i128) -> i128 {
        a + b
    }
    fn mul(a: i128, b: i128) -> i128 {
        a * b
    }
    fn narrow(sum: i128) -> i8 {
        clamped(sum)
    }
}

fn clamped(sum: i128) -> i8 {
    sum.clamp(-128, 127) as i8
}

/// Single precision, added up in double.
#[derive(Clone, Copy, Debug)]
struct Double;

impl Accumulating<f32> for Double {
    type Acc = f64;
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const ACC_ZERO: f64 = 0.0;
    const ACC_ONE: f64 = 1.0;
    fn widen(element: f32) -> f64 {
        element.into()
    }
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }
    fn mul(a: f64, b: f64) -> f64 {
        a * b
    }
    fn narrow(sum: f64) -> f32 {
        sum as f32
    }
}

/// Random einsums in every layout: what is clamped is the result, no product, no partial sum and no intermediate.
///
/// Contract: A8
#[test]
fn against_the_loop() {
    let r = &mut Random(6);
    let mut engine = Engine::serial();
    let (mut many, mut inside) = (0, 0);
    for _ in 0..400 {
        let case = specs::random(r);
        let dense: Vec<Dense<i128>> = case
            .shapes
            .iter()
            .map(|shape| Dense {
                shape: shape.clone(),
                values: (0..shape.iter().product())
                    .map(|_| r.below(23) as i128 - 11)
                    .collect(),
            })
            .collect();
        let laid: Vec<_> = dense
            .iter()
            .map(|o| lay::<i8>(o, &ANY[r.below(ANY.len())]))
            .collect();
        let expected = oracle::einsum(&case.spec, &dense);
        let einsum = Einsum::parse(&case.spec).expect("valid subscripts");
        let got = einsum
            .contract_in::<Clamped, i8>(&mut engine, &dyn_views(&laid))
            .expect("sizes fit");
        assert_eq!(got.shape(), expected.shape, "{case:?}");
        let values: Vec<i8> = expected.values.iter().map(|&x| clamped(x)).collect();
        assert_eq!(got.as_slice(), values, "{case:?}");
        many += usize::from(dense.len() > 2);
        inside += usize::from(expected.values.iter().any(|x| x.abs() > 127));

        // Into a given output: the same accumulator, so that 3 · result - 2 · old is clamped once.
        let old: Vec<i8> = values.iter().map(|_| r.below(256) as u8 as i8).collect();
        let mut out = old.clone();
        let strides: Vec<isize> = (0..expected.shape.len())
            .map(|axis| expected.shape[axis + 1..].iter().product::<usize>() as isize)
            .collect();
        let view = DynTensorViewMut::new(&mut out, &expected.shape, strides, 0).expect("a layout");
        einsum
            .contract_into_in::<Clamped, i8>(&mut engine, &dyn_views(&laid), view, 3, -2)
            .expect("sizes fit");
        let values: Vec<i8> = expected
            .values
            .iter()
            .zip(&old)
            .map(|(&x, &old)| clamped(3 * x - 2 * i128::from(old)))
            .collect();
        assert_eq!(out, values, "{case:?}");
    }
    assert!(many > 20 && inside > 20, "{many} {inside}");
}

/// Contract: A8
#[test]
fn every_form_of_a_call() {
    let a = Tensor::from_vec([2, 2], vec![100i8, -100, 50, 1]);
    // 100 · 100 - 100 · 50 and so on, clamped.
    let expected = [127, -128, 127, -128];
    let c = einsum!("ij,jk->ik", a, a, algebra = Clamped);
    assert_eq!(c.as_slice(), expected);
    let c = einsum!([i, k] = a[i, j] * a[j, k], algebra = Clamped);
    assert_eq!(c.as_slice(), expected);
    let c = try_einsum!("...j,jk->...k", a.as_dyn(), a, algebra = Clamped).expect("sizes fit");
    assert_eq!(c.as_slice(), expected);
    let nested = [[100i8, -100], [50, 1]];
    let c = einsum!("ij,jk->ik", nested, nested, algebra = Clamped);
    assert_eq!(c.as_flattened(), expected);
    // All terms of a sum in one accumulator: 12500 - 12500 + 3.
    let (x, y, one, minus) = ([100i8, 50], [3i8], [1i8], [-1i8]);
    let sum = einsum!(
        [] = x[i] * x[i] * one[j] + x[i] * x[i] * minus[j] + y[j],
        algebra = Clamped
    );
    assert_eq!(sum, 3);
    let mut c = Tensor::full([2, 2], 100i8);
    einsum!(c[i, k] += a[k, i] + a[i, k], algebra = Clamped);
    assert_eq!(c.as_slice(), [127, 50, 50, 102]);
    let diagonal = einsum!("i->ii", x, algebra = Clamped);
    assert_eq!(diagonal, [[100, 0], [0, 50]]);
    // What holds in an algebra: elements are added in the accumulator, and rounded.
    assert_eq!(<Clamped as Algebra<i8>>::mul(100, 2), 127);
    assert_eq!(<Clamped as Algebra<i8>>::add(-100, -100), -128);
}

/// Contract: A8
#[test]
fn what_a_given_output_holds_is_read_where_beta_asks_for_it() {
    // 2^25 + 1 - 2^25 is 0 in single precision.
    let x = Tensor::from_vec([3], vec![33_554_432.0f32, 1.0, -33_554_432.0]);
    let mut c = Tensor::full([2, 2], f32::NAN);
    let ones = Tensor::full([2, 2], 1.0f32);
    einsum!(
        "i,jk->jk",
        x,
        ones,
        algebra = Double,
        out = &mut c.view_mut().permuted([1, 0])
    );
    assert_eq!(c.as_slice(), [1.0; 4]);
    einsum!(
        "i,jk->kj",
        x,
        ones,
        algebra = Double,
        out = &mut c,
        beta = 0.5,
        alpha = 2.0
    );
    assert_eq!(c.as_slice(), [2.5; 4]);
    let error = try_einsum!("i->i", x, algebra = Double, out = &mut [0.0f32; 2]);
    let error = error.expect_err("another shape").to_string();
    assert!(error.contains('3') && error.contains('2'), "{error}");
}
