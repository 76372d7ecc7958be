//! What an equation may look like, against the string form.

use cteinsum::{Engine, Tensor, einsum, try_einsum};
use num_complex::Complex;

fn tensor<const N: usize>(shape: [usize; N], seed: f64) -> Tensor<f64, N> {
    let mut n = 0.0;
    Tensor::from_fn(shape, |_| {
        n += 1.0;
        (n * seed) % 7.0 - 3.0
    })
}

#[test]
fn a_new_array() {
    let (a, b) = (tensor([2, 3], 3.0), tensor([3, 4], 5.0));
    let c: Tensor<f64, 2> = einsum!([i, k] = a[i, j] * b[j, k]);
    assert_eq!(c, einsum!("ij,jk->ik", a, b));
    let c = try_einsum!([k, i] = a[i, j] * b[j, k]).unwrap();
    assert_eq!(c, einsum!("ij,jk->ki", a, b));
    let s: f64 = einsum!([] = a[i, j] * a[i, j]);
    assert_eq!(s, einsum!("ij,ij->", a, a));
    let t = einsum!([column, row] = a[row, column]);
    assert_eq!(t, einsum!("ij->ji", a));
}

#[test]
fn an_array_that_is_there() {
    let (a, b) = (tensor([2, 3], 3.0), tensor([3, 4], 5.0));
    let product = einsum!("ij,jk->ik", a, b);
    let mut c = Tensor::zeros([2, 4]);
    einsum!(c[i, k] = a[i, j] * b[j, k]);
    assert_eq!(c, product);
    einsum!(c[i, k] += 2.0 * a[i, j] * b[j, k]);
    assert_eq!(c, einsum!("ij,->ij", product, 3.0));
    einsum!(c[i, k] -= a[i, j] * b[j, k]);
    assert_eq!(c, einsum!("ij,->ij", product, 2.0));
    let mut s = 0.0;
    einsum!(s[] = a[i, j] * a[i, j]);
    assert_eq!(s, einsum!("ij,ij->", a, a));
    fn by_reference(c: &mut Tensor<f64, 2>, a: &Tensor<f64, 2>) {
        einsum!(c[i, j] = a[i, j]);
        let half = 0.5;
        try_einsum!(c[i, j] += half * a[i, j]).unwrap();
    }
    let mut d = Tensor::zeros([2, 3]);
    by_reference(&mut d, &a);
    assert_eq!(d, einsum!(",ij->ij", 1.5, a));
}

#[test]
fn sums_and_scalars() {
    let (a, b, d) = (
        tensor([2, 3], 3.0),
        tensor([3, 4], 5.0),
        tensor([4, 2], 2.0),
    );
    let n = 4.0;
    let mut e = Tensor::full([2, 4], f64::NAN);
    einsum!(e[i, k] = a[i, j] * b[j, k] - 2.0 * d[k, i] / n);
    let product = einsum!("ij,jk->ik", a, b);
    let expected = Tensor::from_fn([2, 4], |[i, k]| product[[i, k]] - 0.5 * d[[k, i]]);
    assert_eq!(e, expected);
    let fresh = einsum!([i, k] = a[i, j] * b[j, k] - 2.0 * d[k, i] / n);
    assert_eq!(fresh, expected);
    let mut engine = Engine::serial();
    let fresh = try_einsum!([i, k] = -(0.5 * d[k, i] - a[i, j] * b[j, k]), engine = &mut engine);
    assert_eq!(fresh.unwrap(), expected);
    let whole = [[1u32, 2], [3, 4]];
    let difference: [[u32; 2]; 2] = einsum!([i, j] = whole[i, j] - whole[j, i]);
    assert_eq!(difference, [[0, u32::MAX], [1, 0]]);
}

#[test]
fn parentheses_and_conjugates() {
    let (a, b, v) = (tensor([2, 3], 3.0), tensor([3, 4], 5.0), tensor([4], 2.0));
    let y = einsum!([row] = a[row, mid] * (b[mid, col] * v[col]));
    assert_eq!(y, einsum!("ij,(jk,k)->i", a, b, v));
    let z = Tensor::from_fn([3], |[i]| Complex::new(i as f64, 1.0));
    let w = [Complex::new(0.0, 1.0); 3];
    let norm = einsum!([] = conj(z[i]) * w[i] * z[i]);
    assert_eq!(norm, einsum!("i,i,i->", cteinsum::conj(&z), w, z));
}

#[test]
fn dots() {
    let (a, b) = (tensor([5, 2, 3], 3.0), tensor([3, 4], 5.0));
    let expected = einsum!("...ij,jk->...ik", a, b);
    assert_eq!(einsum!([.., i, k] = a[.., i, j] * b[j, k]), expected);
    let mut c = Tensor::zeros([5, 2, 4]);
    einsum!(c[..., i, k] = a[..., i, j] * b[j, k]);
    assert_eq!(c, expected);
}

/// The ten contractions of `docs/notation.md`.
#[test]
fn the_page_on_the_notations() {
    include!(concat!(env!("OUT_DIR"), "/notation_page.rs"))
}
