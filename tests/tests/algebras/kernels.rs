//! Lengths at which every kernel has its turn, and which kernel that is.

use cteinsum::algebra::{Algebra, MaxPlus, MinPlus};
use cteinsum::{Einsum, Engine, Kernel, Scalar, Tensor};
use cteinsum_tests::oracle::Ring;
use cteinsum_tests::outcome::Failures;
use cteinsum_tests::random::Random;

use crate::judge::{Max, Min};
use crate::or_infinity;
use crate::run::{check, pair};

const CASES: [(&str, &[&[usize]]); 14] = [
    ("ij,jk->ik", &[&[7, 16], &[16, 13]]),
    ("ij,jk->ik", &[&[16, 16], &[16, 16]]),
    ("ij,kj->ki", &[&[5, 9], &[3, 9]]),
    ("ij,jk->ik", &[&[50, 40], &[40, 33]]),
    ("ij,kj->ik", &[&[19, 300], &[9, 300]]),
    ("ji,jk->ki", &[&[31, 65], &[31, 49]]),
    ("acb,bcd->ad", &[&[19, 5, 7], &[7, 5, 23]]),
    ("ijb,jkb->ikb", &[&[5, 4, 37], &[4, 6, 37]]),
    ("bij,bjk->bik", &[&[3, 17, 18], &[3, 18, 19]]),
    ("ij,j->i", &[&[50, 333], &[333]]),
    ("ij,j->i", &[&[333, 50], &[50]]),
    ("i,i->", &[&[5000], &[5000]]),
    ("ij->j", &[&[300, 41]]),
    ("ij->", &[&[300, 41]]),
];

fn every_case<A: Algebra<T>, T: Scalar, R: Ring>(
    seed: u64,
    judge: impl Fn(usize) -> R,
    element: impl Fn(R) -> T,
    poison: T,
) {
    let mut r = Random(seed);
    let (mut serial, mut pair) = (Engine::serial(), pair());
    let mut failures = Failures::new();
    for (spec, shapes) in CASES {
        let shapes: Vec<Vec<usize>> = shapes.iter().map(|s| s.to_vec()).collect();
        for _ in 0..2 {
            failures.check(
                || format!("{spec} of {shapes:?}"),
                || {
                    check::<A, T, R>(
                        &mut r,
                        [&mut serial, &mut pair],
                        (spec, &shapes),
                        &judge,
                        &element,
                        poison,
                    )
                },
            );
        }
    }
    failures.finish(CASES.len());
}

#[test]
fn max_plus() {
    let judge = |n| Max(or_infinity(n));
    every_case::<MaxPlus, f64, Max>(
        1,
        judge,
        |x| x.0.map_or(f64::NEG_INFINITY, |x| x as f64),
        f64::NAN,
    );
    every_case::<MaxPlus, f32, Max>(
        2,
        judge,
        |x| x.0.map_or(f32::NEG_INFINITY, |x| x as f32),
        f32::NAN,
    );
    every_case::<MaxPlus, i32, Max>(3, judge, |x| x.0.map_or(i32::MIN, |x| x as i32), 99);
}

#[test]
fn min_plus() {
    let judge = |n| Min(or_infinity(n));
    every_case::<MinPlus, f64, Min>(
        4,
        judge,
        |x| x.0.map_or(f64::INFINITY, |x| x as f64),
        f64::NAN,
    );
    every_case::<MinPlus, f32, Min>(
        5,
        judge,
        |x| x.0.map_or(f32::INFINITY, |x| x as f32),
        f32::NAN,
    );
}

/// The kernel of one product of dense arrays, all lengths `n`.
fn kernel<A: Algebra<T>, T: Scalar>(spec: &str, n: usize) -> Kernel {
    let mut engine = Engine::serial();
    let terms = spec.split("->").next().expect("terms").split(',');
    let operands: Vec<_> = terms
        .map(|term| cteinsum::DynTensor::full(vec![n; term.len()], A::ONE))
        .collect();
    let views: Vec<_> = operands.iter().map(|o| o.view()).collect();
    let einsum = Einsum::parse(spec).expect("subscripts");
    einsum
        .contract_in::<A, T>(&mut engine, &views)
        .expect("a result");
    engine.explain().expect("a call").routes()[0][0].kernel
}

/// Contract: A6
#[test]
fn kernels_are_those_of_the_element_type() {
    assert_eq!(kernel::<MaxPlus, f64>("ij,jk->ik", 12), Kernel::Tiny);
    assert_eq!(kernel::<MinPlus, f32>("ij,jk->ik", 12), Kernel::Tiny);
    assert_eq!(kernel::<MaxPlus, f64>("ij,jk->ik", 100), Kernel::Packed);
    assert_eq!(kernel::<MinPlus, f32>("ij,jk->ik", 100), Kernel::Packed);
    assert_eq!(kernel::<MinPlus, i64>("ij,jk->ik", 100), Kernel::Packed);
    assert_eq!(
        kernel::<MaxPlus, f64>("ijb,jkb->ikb", 32),
        Kernel::BatchInner
    );
    assert_eq!(kernel::<MaxPlus, f64>("ij,j->i", 100), Kernel::Gemv);
    assert_eq!(kernel::<MaxPlus, f64>("i,i->", 100), Kernel::Dot);
    assert_eq!(kernel::<MaxPlus, f64>("i,j->ij", 100), Kernel::Product);
}

/// One lane after the other, in every kernel.
/// Contract: A4
#[test]
fn nan_counts_as_zero_in_sums() {
    for n in [3, 16, 40, 300] {
        for at in [0, n / 2, n - 1] {
            let mut a = Tensor::full([n, n], 1.0);
            a[[0, at]] = f64::NAN;
            let b = Tensor::full([n, n], 2.0);
            let c = cteinsum::einsum!("ij,jk->ik", a, b, algebra = MaxPlus);
            assert!(c.as_slice().iter().all(|c| *c == 3.0), "{n} {at}");
            let c = cteinsum::einsum!("ij->i", a, algebra = MinPlus);
            assert!(c.as_slice().iter().all(|c| *c == 1.0), "{n} {at}");
        }
    }
    let all = Tensor::full([4], f64::NAN);
    assert_eq!(
        cteinsum::einsum!("i->", all, algebra = MaxPlus),
        f64::NEG_INFINITY
    );
}
