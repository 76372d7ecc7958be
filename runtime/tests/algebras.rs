//! `algebra = …` in short.
#![cfg(feature = "algebras")]

use cteinsum::algebra::{Algebra, Counted};
use cteinsum::{Tensor, einsum, try_einsum};

#[derive(Clone, Copy, Debug)]
struct Bottleneck;
impl Algebra<f64> for Bottleneck {
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = f64::INFINITY;
    fn add(a: f64, b: f64) -> f64 {
        a.max(b)
    }
    fn mul(a: f64, b: f64) -> f64 {
        a.min(b)
    }
}

fn a() -> Tensor<f64, 2> {
    Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 5.0])
}

#[test]
fn both_notations() {
    let a = a();
    let expected = [5.0, 7.0, 8.0, 10.0];
    assert_eq!(
        einsum!("ij,jk->ik", a, a, algebra = MaxPlus).as_slice(),
        expected
    );
    let c = einsum!([i, k] = a[i, j] * a[j, k], algebra = MaxPlus);
    assert_eq!(c.as_slice(), expected);
    let c = try_einsum!("ij,jk->ik", a, a, algebra = cteinsum::algebra::MaxPlus).unwrap();
    assert_eq!(c.as_slice(), expected);
    let c = einsum!("ij,jk->ik", a, a, algebra = Bottleneck);
    assert_eq!(c.as_slice(), [2.0, 2.0, 3.0, 5.0]);
}

#[test]
fn factors_act_in_the_algebra() {
    let a = a();
    let mut c = Tensor::full([2, 2], 6.0);
    einsum!(
        "ij,jk->ik",
        a,
        a,
        algebra = MaxPlus,
        out = &mut c,
        alpha = 1.0,
        beta = 1.0
    );
    assert_eq!(c.as_slice(), [7.0, 8.0, 9.0, 11.0]);
    let mut c = Tensor::full([2, 2], f64::NAN);
    einsum!("ij,jk->ik", a, a, algebra = MinPlus, out = &mut c);
    assert_eq!(c.as_slice(), [2.0, 3.0, 4.0, 5.0]);
    let mut c = Tensor::full([2, 2], 8.0);
    einsum!(c[i, k] += 2.0 * a[i, j] * a[j, k] * 0.5, algebra = MaxPlus);
    assert_eq!(c.as_slice(), [8.0, 9.5, 10.5, 12.5]);
    let c = einsum!([i, k] = a[i, j] * a[j, k] + 1.0 * a[k, i], algebra = MinPlus);
    assert_eq!(c.as_slice(), [2.0, 3.0, 3.0, 5.0]);
}

#[test]
fn counts() {
    let j = Tensor::from_vec([2, 2], [1, -1, -1, 1].map(Counted::once).to_vec());
    let ring = einsum!("ab,bc,ca->", j, j, j, algebra = Count);
    assert_eq!(ring, Counted { value: 3, count: 2 });
    let reach = Tensor::from_vec([2, 2], vec![false, true, false, true]);
    let two = einsum!("ij,jk->ik", reach, reach, algebra = BoolOr);
    assert_eq!(two.as_slice(), [false, true, false, true]);
    assert!(einsum!("ii->", reach, algebra = BoolOr));
}
