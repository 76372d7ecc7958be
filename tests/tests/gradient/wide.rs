//! `acc = …`: values and gradients in the wider type.

use cteinsum::{Complex, Engine, Tensor, conj, einsum, einsum_jvp, einsum_vjp, try_einsum_vjp};

/// Partial sums pass 2^24, from where `f32` does not hold every whole number.
fn single(from: i32) -> Tensor<f32, 2> {
    let numbers = (0..4 * 900).map(|n| ((n * 37 + from) % 4001 - 1500) as f32);
    Tensor::from_vec([4, 900], numbers.collect())
}

fn double(x: &Tensor<f32, 2>) -> Tensor<f64, 2> {
    let numbers = x.as_slice().iter().map(|&x| x.into());
    Tensor::from_vec(*x.shape(), numbers.collect())
}

#[test]
fn gradients_have_the_type_of_the_accumulator() {
    let (a, b) = (single(1), single(5));
    let (wa, wb) = (double(&a), double(&b));
    let dy = Tensor::from_vec([4, 4], (0..16).map(|n| f64::from(n * 4001 - 7)).collect());
    let (expected, wide) = einsum_vjp!("ik,jk->ij", wa, wb);
    let (wda, wdb) = wide(&dy);

    let (y, pullback) = einsum_vjp!("ik,jk->ij", a, b, acc = f64);
    let (da, db): (Tensor<f64, 2>, Tensor<f64, 2>) = pullback(&dy);
    assert_eq!((&y, &da, &db), (&expected, &wda, &wdb));
    let narrow: Vec<f64> = einsum!("ik,jk->ij", a, b)
        .iter()
        .map(|&x| x.into())
        .collect();
    assert_ne!(y.as_slice(), narrow, "or this test shows nothing");

    let mut sum = Tensor::full([4, 900], 1.0);
    let only = einsum_vjp!([i, j] = a[i, k] * b[j, k], acc = f64, wrt = [0]).1;
    only.accumulate(&dy, (&mut sum,));
    assert!(sum.iter().zip(da.iter()).all(|(s, d)| *s == d + 1.0));

    let mut engine = Engine::with_threads(2).expect("threads");
    let (y, pullback) =
        try_einsum_vjp!("...k,jk->...j", a, b, acc = f64, engine = &mut engine).expect("sizes");
    let (_, db) = pullback(&dy).expect("sizes");
    assert_eq!((y, db), (expected.clone(), wdb));

    // Forward: values and tangents are converted.
    let (y, along) = einsum_jvp!("ik,jk->ij", (a, b), (b, _), acc = f64);
    assert_eq!((y, along), (expected, einsum!("ik,jk->ij", wb, wb)));
}

/// Whole numbers have derivatives where they are added up in floats; several types in one call; constant lengths.
#[test]
fn other_elements() {
    let (weights, x) = ([[100i8, -100], [50, 25]], [200u8, 100]);
    let (y, pullback) = einsum_vjp!("ij,j->i", weights, x, acc = f32);
    assert_eq!(y, [10_000.0, 12_500.0]);
    let (dw, dx) = pullback(&[1.0, 2.0]);
    assert_eq!(dw, [[200.0, 100.0], [400.0, 200.0]]);
    assert_eq!(dx, [200.0, -50.0]);
    let z = [Complex::new(1.0f32, 2.0)];
    let (y, pullback) = einsum_vjp!("i,i->", conj(&z), z, acc = Complex::<f64>);
    assert_eq!(y, Complex::new(5.0, 0.0));
    let one: Complex<f64> = Complex::new(1.0, 0.0);
    assert_eq!(pullback(&one).1, [Complex::new(1.0, 2.0)]);
    let (y, along) = einsum_jvp!("i,i,->", (x, [1u8, 2]), (x, _), (3.0, 1.0), acc = f64);
    assert_eq!(y, 3.0 * 50_000.0);
    assert_eq!(along, 3.0 * (200.0 + 200.0) + 50_000.0);
}
