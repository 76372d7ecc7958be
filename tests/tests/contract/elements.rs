//! T: element types and their arithmetic.

use cteinsum::{Scalar, Tensor, conj, einsum};
use cteinsum_tests::element::Element;
use cteinsum_tests::oracle::{self, Dense};
use num_complex::Complex;

use crate::numbers;

fn matrix_product<T: Element>() {
    let operand = |k: usize, shape: [usize; 2]| {
        let count = shape.iter().product();
        let exact: Vec<T::Exact> = (0..count).map(|n| T::number(n, k)).collect();
        let values = exact.iter().map(|&x| T::from_exact(x)).collect();
        (
            Dense {
                shape: shape.to_vec(),
                values: exact,
            },
            Tensor::<T, 2>::from_vec(shape, values),
        )
    };
    // Small enough for exact products in all types, large enough to wrap in 8 bits.
    let (ea, a) = operand(0, [5, 17]);
    let (eb, b) = operand(1, [17, 9]);
    let c = einsum!("ij,jk->ik", a, b);
    let expected = oracle::einsum("ij,jk->ik", &[ea, eb]);
    let expected: Vec<T> = expected.values.into_iter().map(T::from_exact).collect();
    assert_eq!(c.as_slice(), expected, "{}", T::NAME);
}

/// A user's type: integers modulo 7.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Modulo7(u8);
cteinsum::scalar_operand!(Modulo7);
impl Scalar for Modulo7 {
    const ZERO: Self = Modulo7(0);
    const ONE: Self = Modulo7(1);
    fn add(a: Self, b: Self) -> Self {
        Modulo7((a.0 + b.0) % 7)
    }
    fn mul(a: Self, b: Self) -> Self {
        Modulo7((a.0 * b.0) % 7)
    }
}

/// Contract: T1
#[test]
fn every_element_type() {
    matrix_product::<f32>();
    matrix_product::<f64>();
    matrix_product::<Complex<f32>>();
    matrix_product::<Complex<f64>>();
    matrix_product::<i8>();
    matrix_product::<i16>();
    matrix_product::<i32>();
    matrix_product::<i64>();
    matrix_product::<i128>();
    matrix_product::<isize>();
    matrix_product::<u8>();
    matrix_product::<u16>();
    matrix_product::<u32>();
    matrix_product::<u64>();
    matrix_product::<u128>();
    matrix_product::<usize>();
    let whole = [numbers(0, [4, 3]), numbers(1, [3, 5])];
    let [a, b] = whole.clone().map(|t| {
        let values = t
            .as_slice()
            .iter()
            .map(|x| Modulo7(x.rem_euclid(7) as u8))
            .collect();
        Tensor::from_vec(*t.shape(), values)
    });
    let c = einsum!("ij,jk->ki", a, b);
    let [a, b] = whole;
    let expected = einsum!("ij,jk->ki", a, b);
    let expected: Vec<_> = expected
        .as_slice()
        .iter()
        .map(|x| Modulo7(x.rem_euclid(7) as u8))
        .collect();
    assert_eq!(c.as_slice(), expected);
}

/// Contract: T2
#[test]
fn integers_wrap() {
    let a = Tensor::from_vec([2], vec![i32::MAX, i32::MAX]);
    assert_eq!(einsum!("i->", a), -2);
    assert_eq!(einsum!("i,i->i", a, a).as_slice(), [1, 1]);
    assert_eq!(
        einsum!("i,i->", a, Tensor::from_vec([2], vec![1, 2])),
        i32::MAX.wrapping_mul(3)
    );
    let b = Tensor::from_vec([2], vec![200u8, 100]);
    assert_eq!(einsum!("i->", b), 44);
    assert_eq!(einsum!("i,i->", b, b), (200u32 * 200 + 100 * 100) as u8);
    let c = Tensor::from_vec([2], vec![i8::MIN, -1]);
    assert_eq!(
        einsum!("i,j->ij", c, c).as_slice(),
        [0, i8::MIN, i8::MIN, 1]
    );
    let d = Tensor::from_vec([3], vec![i128::MAX, 1, 1]);
    assert_eq!(einsum!("i->", d), i128::MIN + 1);
    let e = Tensor::from_vec([40, 40], vec![u64::MAX; 1600]);
    assert!(
        einsum!("ij,jk->ik", e, e)
            .as_slice()
            .iter()
            .all(|&x| x == 40)
    );
}

/// Contract: T3
#[test]
fn nan_and_infinity_propagate() {
    let zeros = Tensor::from_vec([2], vec![0.0, 0.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let x = Tensor::from_vec([2], vec![bad, 1.0]);
        assert!(einsum!("i,i->", x, zeros).is_nan());
        assert!(einsum!("i,i->", zeros, x).is_nan());
        assert!(einsum!("i,j->ij", zeros, x)[[0, 0]].is_nan());
        assert!(einsum!("i,->i", x, 0.0)[[0]].is_nan());
        assert_eq!(einsum!("i,->i", x, 0.0)[[1]], 0.0);
    }
    let inf = Tensor::from_vec([2], vec![f64::INFINITY, 1.0]);
    assert_eq!(einsum!("i->", inf), f64::INFINITY);
    // A matrix product in every size of kernel: one NaN spoils its row and no other.
    for n in [1, 2, 5, 8, 17, 33, 70] {
        let mut a = vec![1.0f64; n * n];
        a[(n / 2) * n + n - 1] = f64::NAN;
        let a = Tensor::from_vec([n, n], a);
        let b = Tensor::<f64, 2>::zeros([n, n]);
        let c = einsum!("ij,jk->ik", a, b);
        for i in 0..n {
            for k in 0..n {
                assert_eq!(c[[i, k]].is_nan(), i == n / 2, "{n}: {i} {k}");
            }
        }
    }
}

fn complex<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<Complex<f64>, N> {
    let count = shape.iter().product();
    let number = |n| <Complex<f64> as Element>::from_exact(<Complex<f64> as Element>::number(n, k));
    Tensor::from_vec(shape, (0..count).map(number).collect())
}

/// Contract: T5
#[test]
fn conjugated_operands() {
    let (a, b, c) = (complex(0, [2, 3]), complex(1, [3, 4]), complex(2, [4, 2]));
    let [ac, bc, cc] = [&a, &b, &c].map(|t| t.map(Complex::conj));
    assert_eq!(einsum!("ij->ji", conj(&a)), einsum!("ij->ji", ac));
    assert_eq!(einsum!("ij->", conj(&a)), einsum!("ij->", ac));
    assert_eq!(
        einsum!("ij,jk->ik", conj(&a), b),
        einsum!("ij,jk->ik", ac, b)
    );
    assert_eq!(
        einsum!("ij,jk->ki", a, conj(&b)),
        einsum!("ij,jk->ki", a, bc)
    );
    assert_eq!(
        einsum!("ij,jk->ik", conj(&a), conj(&b)),
        einsum!("ij,jk->ik", ac, bc)
    );
    assert_eq!(
        einsum!("ij,jk->ik", conj(conj(&a)), b),
        einsum!("ij,jk->ik", a, b)
    );
    macro_rules! masks {
        ($($x:expr, $y:expr, $z:expr, $p:expr, $q:expr, $r:expr;)*) => {$(
            assert_eq!(einsum!("ij,jk,kl->il", $x, $y, $z), einsum!("ij,jk,kl->il", $p, $q, $r));
            assert_eq!(einsum!("ij,(jk,ki)->", $x, $y, $z), einsum!("ij,(jk,ki)->", $p, $q, $r));
            assert_eq!(einsum!("ij,jk,kl->il", $x, $y, $z, order = left_to_right), einsum!("ij,jk,kl->il", $p, $q, $r, order = left_to_right));
        )*};
    }
    masks! {
        conj(&a), b, c, ac, b, c;
        a, conj(&b), c, a, bc, c;
        a, b, conj(&c), a, b, cc;
        conj(&a), conj(&b), c, ac, bc, c;
        conj(&a), b, conj(&c), ac, b, cc;
        a, conj(&b), conj(&c), a, bc, cc;
        conj(&a), conj(&b), conj(&c), ac, bc, cc;
    }
    // Elements without a conjugate are themselves.
    let x = numbers(0, [3]);
    assert_eq!(einsum!("i,i->i", conj(&x), x), einsum!("i,i->i", x, x));
}

/// Contract: T5
#[test]
fn nothing_else_is_conjugated() {
    let i = Complex::new(0.0, 1.0);
    let a = Tensor::from_vec([2], vec![i, Complex::new(2.0, 3.0)]);
    assert_eq!(
        einsum!("i,i->", a, a),
        i * i + Complex::new(2.0, 3.0) * Complex::new(2.0, 3.0)
    );
    let b = Tensor::from_vec([2, 2], vec![i, i, i, -i]);
    assert_eq!(einsum!("ij->ji", b).as_slice(), [i, i, i, -i]);
}

/// Contract: T6
#[test]
fn a_diagonal_is_picked() {
    for bad in [f64::NAN, f64::INFINITY] {
        let a = Tensor::from_vec([2, 2], vec![1.0, bad, bad, 2.0]);
        assert_eq!(einsum!("ii->i", a).as_slice(), [1.0, 2.0]);
        assert_eq!(einsum!("ii->", a), 3.0);
        let x = Tensor::from_vec([2], vec![1.0, 10.0]);
        assert_eq!(einsum!("ii,i->", a, x), 21.0);
        assert_eq!(
            einsum!("ii,ij->j", a, Tensor::from_vec([2, 1], vec![1.0, 1.0])).as_slice(),
            [3.0]
        );
        // Off the diagonal of an output stand zeros, not products.
        let y = Tensor::from_vec([2], vec![bad, 1.0]);
        let d = einsum!("i->ii", y);
        assert_eq!((d[[0, 1]], d[[1, 0]], d[[1, 1]]), (0.0, 0.0, 1.0));
        let d = einsum!("i,i->ii", y, x);
        assert_eq!((d[[0, 1]], d[[1, 0]], d[[1, 1]]), (0.0, 0.0, 10.0));
    }
}

/// Contract: T4
#[test]
fn a_bare_number_takes_the_type_of_the_others() {
    let a = Tensor::from_vec([2], vec![1.0f32, 2.0]);
    let b = Tensor::from_vec([2], vec![1u8, 2]);
    assert_eq!(einsum!("i,->i", a, 2.0).as_slice(), [2.0f32, 4.0]);
    assert_eq!(einsum!(",i->i", -0.5f32, a).as_slice(), [-0.5f32, -1.0]);
    assert_eq!(einsum!("i,->i", b, 200).as_slice(), [200u8, 144]);
    assert_eq!(einsum!("i,->i", b, 0xf3).as_slice(), [0xf3u8, 0xe6]);
    assert_eq!(einsum!("i,,->i", b, 3u8, 2).as_slice(), [6u8, 12]);
}
