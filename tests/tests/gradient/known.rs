//! Stored values: the data's gradients, and JAX's for the step of the tensor renormalization group.

use cteinsum::__private::Request;
use cteinsum::{DynTensor, Engine, Plan, Tensor, einsum, einsum_plan, einsum_vjp};
use cteinsum_plan::Subscripts;
use cteinsum_tests::data::{self, rule};

use crate::calls::{constant, vjp};

#[test]
fn the_gradients_of_the_data() {
    let cases = data::gradients();
    assert_eq!(cases.len(), 2);
    for (spec, shapes, gradients) in cases {
        let checked = Subscripts::parse(&spec).unwrap().check().unwrap();
        let operands: Vec<DynTensor<f64>> = shapes
            .iter()
            .enumerate()
            .map(|(k, shape)| {
                let count: usize = shape.iter().product();
                DynTensor::from_vec(shape, (0..count).map(|n| rule(n, k) as f64).collect())
            })
            .collect();
        let wrt: &[usize] = &[0, 1][..shapes.len()];
        let request = Request {
            spec: constant(&checked),
            wrt,
            transpose: false,
        };
        let dy = |y: &DynTensor<f64>| {
            let values = (0..y.iter().count()).map(|n| ((5 * n + 2) % 7) as f64 - 3.0);
            DynTensor::from_vec(y.shape(), values.collect())
        };
        let (_, found) = vjp(&mut Engine::serial(), request, &operands, dy, None).unwrap();
        for ((found, expected), shape) in found.iter().zip(gradients).zip(shapes) {
            assert_eq!(*found, DynTensor::from_vec(shape, expected), "{spec}");
        }
    }
}

fn s(n: usize) -> Tensor<f64, 3> {
    Tensor::from_fn([4, 4, 4], |[a, b, c]| {
        (1.0 + n as f64 + 0.37 * (a + 4 * b + 16 * c) as f64).sin()
    })
}

/// L = Σ T², T of the renormalization step.
#[test]
fn the_gradient_of_the_renormalization_step() {
    let [s0, s1, s2, s3] = [s(0), s(1), s(2), s(3)];
    let (t, pullback) = einsum_vjp!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3);
    let loss = einsum!("ruld,ruld->", t, t);
    assert!((loss - 43.28075539488678).abs() < 1e-10, "{loss}");
    let dy = Tensor::from_fn(*t.shape(), |i| 2.0 * t[i]);
    let (d0, d1, _, _) = pullback(&dy);
    let sum = einsum!("abc->", d0);
    assert!((sum - 42.33930479738713).abs() < 1e-10, "{sum}");
    assert!(
        (d0[[1, 2, 3]] - 18.330572446790242).abs() < 1e-10,
        "{}",
        d0[[1, 2, 3]]
    );

    let (_, pullback) = einsum_vjp!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3, wrt = [1, 0]);
    let (e1, e0) = pullback(&dy);
    let close = |a: &Tensor<f64, 3>, b: &Tensor<f64, 3>| {
        a.iter()
            .zip(b.iter())
            .all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + a.abs()))
    };
    assert!(close(&d0, &e0) && close(&d1, &e1));
}

/// The plan of the step: what the issue of all four gradients costs, and that of one.
#[test]
fn the_plan_of_the_renormalization_step() {
    let [s0, s1, s2, s3] = [s(0), s(1), s(2), s(3)];
    let (_, all) = einsum_vjp!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3);
    let text = all.to_string();
    assert!(
        text.ends_with("multiply-adds: 6144 forward, 12288 backward"),
        "{text}"
    );
    let (_, one) = einsum_vjp!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3, wrt = [0]);
    let text = one.to_string();
    assert!(
        text.ends_with("multiply-adds: 6144 forward, 5120 backward"),
        "{text}"
    );
}

/// A plan shows the way back for `wrt`: the same steps that a pullback has.
#[test]
fn a_plan_shows_the_way_back() {
    const PLAN: Plan = einsum_plan!(
        "ij,jk,kl->il",
        wrt = [0],
        sizes = [i = 8, j = 8, k = 8, l = 8]
    );
    let text = PLAN.to_string();
    assert!(
        text.ends_with(
            "with gradients\n\n  v0 = 1·2    jk,kl->jl\n  y = 0·v0    ij,jl->il\n  d0 = dy·v0    il,jl->ij\n  \
             saved: v0\n  multiply-adds: 1024 forward, 512 backward"
        ),
        "{text}"
    );
    assert!(
        einsum_plan!("ij,ik->ik")
            .gradients(&[0])
            .contains("the same along j")
    );
}
