//! `acc = …`: elements are multiplied and added up in a wider type.

use cteinsum::algebra::Algebra;
use cteinsum::{Complex, Einsum, Engine, Tensor, conj, einsum, try_einsum, widened};
use cteinsum_tests::access::dyn_views;
use cteinsum_tests::layout::{ANY, Layout, lay};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;

/// Whole numbers that are neither equal nor of one sign, the largest ones among them.
fn numbers(r: &mut Random, count: usize, low: i64, high: i64) -> Vec<i64> {
    (0..count)
        .map(|_| match r.below(8) {
            0 => low,
            1 => high,
            _ => low + r.below((high - low + 1) as usize) as i64,
        })
        .collect()
}

/// Contract: T9
#[test]
fn long_sums_of_bytes_are_exact() {
    let r = &mut Random(1);
    for n in [1, 3, 127, 1000, 40_000] {
        let x = numbers(r, 2 * n, -128, 127);
        let y = numbers(r, n, -128, 127);
        let z = numbers(r, n, 0, 255);
        let a = Tensor::from_vec([2, n], x.iter().map(|&x| x as i8).collect());
        let b = Tensor::from_vec([n], y.iter().map(|&x| x as i8).collect());
        let u = Tensor::from_vec([n], z.iter().map(|&x| x as u8).collect());
        let sum = |row: usize, other: &[i64]| -> i64 {
            let row = &x[row * n..][..n];
            row.iter().zip(other).map(|(a, b)| a * b).sum()
        };
        let expected = [sum(0, &y), sum(1, &y)].map(|s| i32::try_from(s).expect("it fits"));
        assert_eq!(einsum!("ij,j->i", a, b, acc = i32).as_slice(), expected);
        let expected = [sum(0, &z), sum(1, &z)].map(|s| i32::try_from(s).expect("it fits"));
        assert_eq!(einsum!("ij,j->i", a, u, acc = i32).as_slice(), expected);
        assert_eq!(einsum!("j,ij->i", u, a, acc = i32).as_slice(), expected);
        assert_eq!(
            einsum!([i] = u[j] * a[i, j], acc = i32).as_slice(),
            expected
        );
        let wide = expected.map(i64::from);
        assert_eq!(einsum!("j,ij->i", u, a, acc = i64).as_slice(), wide);
        // The narrow sum is another one, or this test shows nothing.
        if n >= 127 {
            let narrow: Vec<i64> = einsum!("ij,j->i", a, b).iter().map(|&x| x.into()).collect();
            assert_ne!(narrow, [sum(0, &y), sum(1, &y)]);
        }
    }
}

/// Contract: T9
#[test]
fn whole_numbers_beyond_single_precision() {
    // Partial sums pass 2^24, from where f32 does not hold every whole number.
    let r = &mut Random(2);
    let n = 30_000;
    let x = numbers(r, n, -3000, 4000);
    let y = numbers(r, n, -3000, 4000);
    let single = |x: &[i64]| Tensor::from_vec([n], x.iter().map(|&x| x as f32).collect());
    let exact: i64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    let (x, y) = (single(&x), single(&y));
    assert_eq!(einsum!("i,i->", x, y, acc = f64), exact as f64);
    assert_ne!(f64::from(einsum!("i,i->", x, y)), exact as f64);
    // 32-bit numbers in 64 bits, and their sum of squares in 128.
    let big = Tensor::from_vec([3], vec![i32::MAX, i32::MIN, 12_345]);
    let square = |x: i32| i128::from(x) * i128::from(x);
    let exact: i128 = big.iter().map(|&x| square(x)).sum();
    assert_eq!(einsum!("i,i->", big, big, acc = i128), exact);
    assert_eq!(einsum!("i->", big, acc = i64), -1 + 12_345);
    let z = Tensor::from_vec(
        [2],
        vec![Complex::new(1e30f32, 1e30), Complex::new(1.0, -1e30)],
    );
    let norm = einsum!("i,i->", conj(&z), z, acc = Complex::<f64>);
    assert!((norm.re - 3e60).abs() < 1e54 && norm.im == 0.0, "{norm}");
}

/// Contract: T9
#[test]
fn every_form_of_a_call() {
    let a = Tensor::from_vec([2, 2], vec![100i8, -100, 50, 25]);
    let expected = [5000i32, -12_500, 6250, -4375];
    assert_eq!(einsum!("ij,jk->ik", a, a, acc = i32).as_slice(), expected);
    assert_eq!(
        einsum!("ij,jk->ik", a.view(), &a, acc = i32).as_slice(),
        expected
    );
    assert_eq!(
        einsum!("...j,jk->...k", a.as_dyn(), a, acc = i32).as_slice(),
        expected
    );
    assert_eq!(
        try_einsum!("ij,jk->ik", a, a, acc = i32)
            .expect("sizes fit")
            .as_slice(),
        expected
    );
    let mut engine = Engine::with_threads(2).expect("threads");
    assert_eq!(
        einsum!("ij,jk->ik", a, a, acc = i32, engine = &mut engine).as_slice(),
        expected
    );
    let mut out = Tensor::<i32, 2>::full([2, 2], 1_000_000);
    einsum!(
        "ij,jk->ik",
        a,
        a,
        out = &mut out,
        alpha = 2,
        beta = -1,
        acc = i32
    );
    assert_eq!(out.as_slice(), expected.map(|x| 2 * x - 1_000_000));
    einsum!(out[i, k] = a[i, j] * a[j, k] - 3 * a[k, i], acc = i32);
    assert_eq!(out[[0, 1]], -12_500 - 150);
    let nested: [[i32; 2]; 2] = einsum!(
        "ij,jk->ik",
        [[100i8, -100], [50, 25]],
        [[100i8, -100], [50, 25]],
        acc = i32
    );
    assert_eq!(nested.as_flattened(), expected);
    let x = vec![200u8, 100];
    assert_eq!(einsum!("i,i,->", x, x, 2, acc = u32), 100_000);
    assert_eq!(
        einsum!("i,i->", widened::<i32, _>(&x), [1000, -1000]),
        100_000
    );
    // The type that the elements have: nothing is converted.
    assert_eq!(einsum!("i->", x, acc = u8), 44);
    let road = [[0i8, 100], [100, 100]];
    let way = einsum!("ij,jk->ik", road, road, acc = i64, algebra = Longest);
    assert_eq!(way, [[200, 200], [200, 200]]);
    let z = Complex::new(0.0f32, 1.0);
    let y: [Complex<f64>; 1] = einsum!("i,i->i", widened::<Complex<f64>, _>(&[z]), [1.5]);
    assert_eq!(y, [Complex::new(0.0, 1.5)]);
}

/// max, +, of whole numbers.
#[derive(Clone, Copy, Debug)]
struct Longest;
impl Algebra<i64> for Longest {
    const ZERO: i64 = i64::MIN / 4;
    const ONE: i64 = 0;
    fn add(a: i64, b: i64) -> i64 {
        a.max(b)
    }
    fn mul(a: i64, b: i64) -> i64 {
        a + b
    }
}

/// Random einsums in every layout, windows that overlap and axes of stride 0.
#[test]
fn against_the_loop() {
    let r = &mut Random(3);
    let mut engine = Engine::serial();
    for _ in 0..400 {
        let case = specs::random(r);
        if oracle::bound(&case.spec, &case.shapes, &vec![128.0; case.shapes.len()]) >= 2f64.powi(62)
        {
            continue;
        }
        let dense: Vec<Dense<i128>> = case
            .shapes
            .iter()
            .map(|shape| {
                let values = numbers(r, shape.iter().product(), -128, 127);
                let values = values.into_iter().map(i128::from).collect();
                Dense {
                    shape: shape.clone(),
                    values,
                }
            })
            .collect();
        let laid: Vec<_> = dense
            .iter()
            .map(|o| lay::<i8>(o, &ANY[r.below(ANY.len())]))
            .collect();
        let expected = oracle::einsum(&case.spec, &dense);
        let einsum = Einsum::parse(&case.spec).expect("valid subscripts");
        let got = einsum
            .contract_acc::<i64, i8>(&mut engine, &dyn_views(&laid))
            .expect("sizes fit");
        assert_eq!(got.shape(), expected.shape, "{case:?}");
        let values: Vec<i128> = got.as_slice().iter().map(|&x| x.into()).collect();
        assert_eq!(values, expected.values, "{case:?}");
    }
    let repeated = Dense {
        shape: vec![1000, 1000, 2],
        values: (0..2_000_000).map(|n| i128::from(n % 2 == 0)).collect(),
    };
    let laid = [lay::<i8>(&repeated, &Layout::Zero(vec![0, 1]))];
    let all = Einsum::parse("abc->c").expect("subscripts");
    let got = all
        .contract_acc::<i64, i8>(&mut engine, &dyn_views(&laid))
        .expect("sizes fit");
    assert_eq!(got.as_slice(), [1_000_000, 0]);
    // Windows that overlap.
    let x: Vec<i8> = (0..20).map(|n| n * 5).collect();
    let windows = cteinsum::TensorView::new(&x, [16, 5], [1, 1], 0).expect("a view");
    let got = einsum!("wk->w", windows, acc = i32);
    assert_eq!(got[[15]], 5 * (15 + 16 + 17 + 18 + 19));
}
