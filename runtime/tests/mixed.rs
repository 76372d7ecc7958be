//! Real operands among complex ones.
use cteinsum::Complex;
use cteinsum::{Tensor, einsum};
#[test]
fn first() {
    let r = Tensor::from_fn([3, 4], |[i, j]| (i * 4 + j) as f64);
    let z = Tensor::from_fn([4, 5], |[i, j]| Complex::new(i as f64, j as f64 - 2.0));
    let p = Tensor::from_fn([3, 4], |[i, j]| Complex::new((i * 4 + j) as f64, 0.0));
    let want = einsum!("ij,jk->ik", p, z);
    assert_eq!(einsum!("ij,jk->ik", r, z), want);
    assert_eq!(einsum!("jk,ij->ik", z, r), want);
    let y: Complex<f64> = einsum!("i,->", [1.0, 2.0], Complex::new(0.0, 1.0));
    assert_eq!(y, Complex::new(0.0, 3.0));
    assert_eq!(
        einsum!("ij,jk,->ik", r, z, 2.0),
        einsum!("ij,jk,->ik", p, z, Complex::new(2.0, 0.0))
    );
    assert_eq!(einsum!(",ij,,jk->ik", 2.0, r, 0.5, z), want);
    let s = einsum!([i, k] = r[i, j] * r[k, j] + p[i, j] * p[k, j]);
    assert_eq!(s, einsum!([i, k] = p[i, j] * p[k, j] + p[i, j] * p[k, j]));
}
