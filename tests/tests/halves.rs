//! `f16` and `bf16`: sums are those of `f32`, rounded once.

use cteinsum::{DynTensorView, Einsum, Engine, Scalar, Tensor, einsum, try_einsum};
use cteinsum_tests::layout::{ANY, lay_elements};
use cteinsum_tests::oracle::{self, Dense};
use cteinsum_tests::random::Random;
use cteinsum_tests::specs;
use half::{bf16, f16};

fn whole(r: &mut Random) -> i64 {
    r.below(17) as i64 - 8
}

/// Random einsums of small whole numbers in every layout: `f32` holds all sums, so that the result is the rounded exact one.
fn against_the_loop<T: Scalar>(seed: u64, round: impl Fn(f32) -> T) {
    let r = &mut Random(seed);
    let mut engine = Engine::serial();
    let mut done = 0;
    while done < 300 {
        let case = specs::random(r);
        let most = vec![8.0; case.shapes.len()];
        if oracle::bound(&case.spec, &case.shapes, &most) >= 2f64.powi(24) {
            continue;
        }
        done += 1;
        let mut dense = Vec::new();
        let mut laid = Vec::new();
        for shape in &case.shapes {
            let values: Vec<i128> = (0..shape.iter().product())
                .map(|_| whole(r).into())
                .collect();
            let elements: Vec<T> = values.iter().map(|&x| round(x as f32)).collect();
            laid.push(lay_elements(
                shape,
                &elements,
                &ANY[r.below(ANY.len())],
                round(f32::NAN),
            ));
            dense.push(Dense {
                shape: shape.clone(),
                values,
            });
        }
        let views: Vec<_> = laid
            .iter()
            .map(|o| DynTensorView::new(&o.data, &o.shape, &o.strides, o.offset).expect("a view"))
            .collect();
        let einsum = Einsum::parse(&case.spec).expect("valid subscripts");
        let got = einsum.contract(&mut engine, &views).expect("sizes fit");
        let expected = oracle::einsum(&case.spec, &dense);
        let values: Vec<T> = expected.values.iter().map(|&x| round(x as f32)).collect();
        assert_eq!(got.shape(), expected.shape, "{case:?}");
        assert_eq!(got.as_slice(), values, "{case:?}");
    }
}

#[test]
fn random_einsums() {
    against_the_loop::<f16>(1, f16::from_f32);
    against_the_loop::<bf16>(2, bf16::from_f32);
}

/// Contract: T10
#[test]
fn long_sums_are_not_rounded_on_the_way() {
    let r = &mut Random(3);
    let n = 3001;
    let (x, y): (Vec<i64>, Vec<i64>) = (0..n).map(|_| (whole(r) + 4, whole(r) + 3)).unzip();
    let exact: i64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    // Beyond 2048 f16 holds only even numbers, beyond 256 bf16 does.
    assert!(exact > 10_000, "{exact}");
    macro_rules! check {
        ($t:ty) => {{
            let halves =
                |x: &[i64]| -> Vec<$t> { x.iter().map(|&x| <$t>::from_f32(x as f32)).collect() };
            let (a, b) = (halves(&x), halves(&y));
            let expected = <$t>::from_f32(exact as f32);
            assert_eq!(einsum!("i,i->", a, b), expected);
            assert_eq!(einsum!([] = a[i] * b[i]), expected);
            assert_eq!(try_einsum!("i,i->", a, b), Ok(expected));
            assert_eq!(einsum!("i,i->", a, b, acc = f32), exact as f32);
            assert_eq!(einsum!("i,i->", a, b, acc = f64), exact as f64);
            let narrow = a.iter().zip(&b).fold(<$t>::ZERO, |s, (a, b)| s + *a * *b);
            assert_ne!(narrow, expected);
        }};
    }
    check!(f16);
    check!(bf16);
}

/// Contract: T10
#[test]
fn outputs_and_constant_lengths() {
    let h = f16::from_f32;
    let a = [[h(1.0), h(2.0)], [h(3.0), h(-4.0)]];
    let c: [[f16; 2]; 2] = einsum!("ij,jk->ik", a, a);
    assert_eq!(c, [[h(7.0), h(-6.0)], [h(-9.0), h(22.0)]]);
    let mut out = Tensor::from_vec([2, 2], vec![f16::NAN; 4]);
    einsum!("ij,jk->ki", a, a, out = &mut out.view_mut());
    assert_eq!(out.as_slice(), [h(7.0), h(-9.0), h(-6.0), h(22.0)]);
    einsum!(
        "ij,jk->ki",
        a,
        a,
        out = &mut out.view_mut().permuted([1, 0]),
        alpha = h(2.0),
        beta = h(-1.0)
    );
    assert_eq!(out.as_slice(), [h(7.0), h(-3.0), h(-12.0), h(22.0)]);
    einsum!("ij->ii", a, out = &mut out);
    assert_eq!(out.as_slice(), [h(3.0), h(0.0), h(0.0), h(-1.0)]);
    let mut short = Tensor::from_vec([3], vec![h(5.0); 3]);
    assert!(
        try_einsum!(
            "ij->i",
            Tensor::from_vec([2, 2], a.as_flattened().to_vec()),
            out = &mut short
        )
        .is_err()
    );
    assert_eq!(short.as_slice(), [h(5.0); 3]);
}
