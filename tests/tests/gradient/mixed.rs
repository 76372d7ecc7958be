//! Real operands among complex ones: their gradients are the real parts of those that they would have as complex ones.

use cteinsum::{
    Complex, DynTensor, Engine, Real, Tensor, conj, einsum, einsum_vjp, try_einsum_vjp,
};
use cteinsum_tests::random::Random;

type C = Complex<f64>;

fn real<const N: usize>(r: &mut Random, shape: [usize; N]) -> Tensor<f64, N> {
    Tensor::from_vec(shape, r.reals(shape.iter().product()))
}

fn complex<const N: usize>(r: &mut Random, shape: [usize; N]) -> Tensor<C, N> {
    let count = shape.iter().product();
    let pairs = (0..count).map(|_| Complex::new(r.real(), r.real()));
    Tensor::from_vec(shape, pairs.collect())
}

fn promoted<const N: usize>(a: &Tensor<f64, N>) -> Tensor<C, N> {
    let values = a.as_slice().iter().map(|&re| Complex::from(re));
    Tensor::from_vec(*a.shape(), values.collect())
}

#[track_caller]
fn close(a: &[f64], b: &[C]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b.re).abs() < 1e-12, "{a} is not the real part of {b}");
    }
}

#[track_caller]
fn close_complex(a: &[C], b: &[C]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).norm() < 1e-12, "{a} is not {b}");
    }
}

/// Every place of the real operand, conjugates and the transpose, new and added to.
#[test]
fn gradients_are_real_parts() {
    let r = &mut Random(1);
    let (a, z, b) = (real(r, [3, 4]), complex(r, [4, 5]), real(r, [5, 2]));
    let (pa, pb) = (promoted(&a), promoted(&b));
    let dy = complex(r, [3, 2]);
    macro_rules! check {
        ($subscripts:literal, $z:expr $(, $option:ident = $value:expr)*) => {{
            let (y, pullback) = einsum_vjp!($subscripts, a, $z, b $(, $option = $value)*);
            let (py, expected) = einsum_vjp!($subscripts, pa, $z, pb $(, $option = $value)*);
            close_complex(y.as_slice(), py.as_slice());
            let (da, dz, db): (Tensor<f64, 2>, Tensor<C, 2>, Tensor<f64, 2>) = pullback(&dy);
            let (pda, pdz, pdb) = expected(&dy);
            close(da.as_slice(), pda.as_slice());
            close_complex(dz.as_slice(), pdz.as_slice());
            close(db.as_slice(), pdb.as_slice());
            let (mut sa, mut sz, mut sb) = (a.clone(), z.clone(), b.clone());
            pullback.accumulate(&dy, (&mut sa, &mut sz, &mut sb));
            close(sa.as_slice(), einsum!([i, j] = pa[i, j] + pda[i, j]).as_slice());
            close_complex(sz.as_slice(), einsum!([i, j] = z[i, j] + pdz[i, j]).as_slice());
            close(sb.as_slice(), einsum!([i, j] = pb[i, j] + pdb[i, j]).as_slice());
        }};
    }
    check!("ij,jk,kl->il", z);
    check!("ij,jk,kl->il", conj(&z));
    check!("(ij,jk),kl->il", z);
    check!("ij,(jk,kl)->il", conj(&z));
    check!("ij,jk,kl->il", z, transpose = true);
    check!("ij,jk,kl->il", conj(&z), transpose = true);
    let mut engine = Engine::with_threads(2).expect("threads");
    check!("ij,jk,kl->il", z, engine = &mut engine);
}

/// By differences of a real loss: L = Re(conj(w) y).
#[test]
fn gradients_against_differences() {
    let r = &mut Random(2);
    let (a, z, w) = (real(r, [3, 4]), complex(r, [4, 4]), complex(r, [3]));
    let loss = |a: &Tensor<f64, 2>| einsum!("ij,jk,ik,i->", a, z, a, conj(&w)).re;
    let (_, pullback) = einsum_vjp!("ij,jk,ik->i", a, z, a);
    let (left, _, right) = pullback(&w);
    for n in 0..12 {
        let at = |step: f64| {
            let mut a = a.clone();
            a.as_mut_slice()[n] += step;
            loss(&a)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        let gradient = left.as_slice()[n] + right.as_slice()[n];
        assert!(
            (difference - gradient).abs() < 1e-8,
            "{difference} {gradient}"
        );
    }
}

/// Broadcasts, diagonals, sums in one operand, dynamic ranks, vectors, numbers, many operands.
#[test]
fn other_forms() {
    let r = &mut Random(3);
    let (a, z) = (real(r, [4, 4]), complex(r, [4, 1]));
    let dy = complex(r, [4]);
    let pa = promoted(&a);
    let (_, pullback) = einsum_vjp!("ii,ij->i", a, z);
    let (_, expected) = einsum_vjp!("ii,ij->i", pa, z);
    close(pullback(&dy).0.as_slice(), expected(&dy).0.as_slice());
    let (_, pullback) = einsum_vjp!("jk,ji->i", a, z, wrt = [0]);
    let (_, expected) = einsum_vjp!("jk,ji->i", pa, z, wrt = [0]);
    let seed = Tensor::from_vec([1], vec![Complex::new(0.5, -2.0)]);
    close(pullback(&seed).0.as_slice(), expected(&seed).0.as_slice());
    let dynamic: DynTensor<f64> = a.clone().into_dyn();
    let (_, pullback) = try_einsum_vjp!("...i,ij->...j", dynamic, z).expect("sizes fit");
    let (_, expected) = einsum_vjp!("...i,ij->...j", pa, z);
    let seed = complex(r, [4, 1]);
    let da: DynTensor<f64> = pullback(&seed.clone().into_dyn())
        .expect("a shape that fits")
        .0;
    close(da.as_slice(), expected(&seed).0.as_slice());
    // Constant lengths and numbers.
    let i = Complex::new(0.0, 1.0);
    let (y, pullback) = einsum_vjp!("i,i,->", [1.0, 2.0], [i, 1.0 + i], 3.0);
    assert_eq!(y, 6.0 + 9.0 * i);
    let (dx, dz, ds): ([f64; 2], [C; 2], f64) = pullback(&(2.0 + i));
    assert_eq!(
        (dx, dz, ds),
        ([3.0, 9.0], [6.0 + 3.0 * i, 12.0 + 6.0 * i], 7.0)
    );
    let mut sum = [1.0, 1.0];
    let (_, pullback) = einsum_vjp!([] = [1.0, 2.0][i] * [i, 1.0 + i][i], wrt = [0]);
    pullback.accumulate(&(2.0 + i), (&mut sum,));
    assert_eq!(sum, [2.0, 4.0]);
    let (_, pullback) = einsum_vjp!("i,i->i", [i, i], [2.0, 3.0], wrt = [0]);
    assert_eq!(pullback(&[i, i]).0, [2.0 * i, 3.0 * i]);
    let x = vec![2.0, 1.0];
    let (_, pullback) = einsum_vjp!(
        "i,i,i,i,i,i,i,i,i->",
        x,
        x,
        x,
        x,
        [i, i],
        x,
        x,
        x,
        x,
        wrt = [8]
    );
    assert_eq!(pullback(&i).0.as_slice(), [128.0, 1.0]);
}

/// A function that is generic in the elements.
#[test]
fn generic_functions() {
    fn of<R: Real + cteinsum::Differentiable>(a: &Tensor<R, 1>, b: &Tensor<R, 1>) -> Tensor<R, 1> {
        einsum_vjp!("i,i->", a, b).1(&R::ONE).0
    }
    let b = Tensor::from_vec([2], vec![1.0, 5.0]);
    assert_eq!(of(&b, &b), b);
}
