//! Real and complex arrays of constant lengths in one call: nothing allocated, and the numbers that complex arrays give.

#[path = "common/still.rs"]
mod still;

use cteinsum::{Complex, Real, Scalar, Tensor, conj, einsum, try_einsum};
use still::still;

/// Small whole numbers, so that every order of summation gives the same.
fn whole(i: usize, j: usize) -> i32 {
    (7 * i + 3 * j) as i32 % 5 - 2
}

fn real<R: Real + From<i8>, const M: usize, const N: usize>(from: usize) -> [[R; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| R::from(whole(i + from, j) as i8)))
}

fn complex<R: Real + From<i8>, const M: usize, const N: usize>(
    from: usize,
) -> [[Complex<R>; N]; M] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let part = |from: usize| R::from(whole(i + from, j) as i8);
            Complex::new(part(from), part(from + 1))
        })
    })
}

/// As complex numbers.
fn promoted<R: Real, const M: usize, const N: usize>(x: [[R; N]; M]) -> [[Complex<R>; N]; M] {
    x.map(|row| row.map(|x| Complex::new(x, R::ZERO)))
}

fn products<R, const I: usize, const J: usize, const K: usize, const L: usize>()
where
    R: Real + From<i8>,
    Complex<R>: Scalar,
{
    let a: [[R; J]; I] = real(0);
    let b: [[R; K]; J] = real(1);
    let c: [[R; I]; J] = real(2);
    let x: [[Complex<R>; J]; I] = complex(0);
    let y: [[Complex<R>; K]; J] = complex(1);
    let z: [[Complex<R>; L]; K] = complex(2);
    let (pa, pb, pc) = (promoted(a), promoted(b), promoted(c));

    // Either side, transposed, conjugated.
    let product: [[Complex<R>; K]; I] = still(|| einsum!("ij,jk->ik", a, y));
    assert_eq!(product, einsum!("ij,jk->ik", pa, y));
    let product: [[Complex<R>; I]; K] = still(|| einsum!("ij,jk->ki", x, b));
    assert_eq!(product, einsum!("ij,jk->ki", x, pb));
    let product = still(|| einsum!("ij,jk->ki", conj(&x), conj(&b)));
    assert_eq!(product, einsum!("ij,jk->ki", conj(&x), pb));
    let product = still(|| einsum!("ji,jk->ik", c, conj(&y)));
    assert_eq!(product, einsum!("ji,jk->ik", pc, conj(&y)));
    // Sums of one operand alone, an outer product, a number, what is in both.
    let sums = still(|| einsum!("ij,jk->i", x, b));
    assert_eq!(sums, einsum!("ij,jk->i", x, pb));
    let outer = still(|| einsum!("ij,kl->iljk", a, z));
    assert_eq!(outer, einsum!("ij,kl->iljk", pa, z));
    let scaled = still(|| einsum!(",ij->ji", R::from(3), conj(&x)));
    assert_eq!(
        scaled,
        einsum!(",ij->ji", Complex::new(R::from(3), R::ZERO), conj(&x))
    );
    let dot = still(|| einsum!("ij,ij->", conj(&x), a));
    assert_eq!(dot, einsum!("ij,ij->", conj(&x), pa));
    let both = still(|| einsum!("...j,...j->...", a, x));
    assert_eq!(both, einsum!("...j,...j->...", pa, x));
    // Real operands that meet first, and complex ones.
    let chain = still(|| einsum!("(ij,jk),kl->li", a, b, z));
    assert_eq!(chain, einsum!("(ij,jk),kl->li", pa, pb, z));
    let chain = still(|| einsum!("ij,jk,kl->il", a, conj(&y), z));
    assert_eq!(chain, einsum!("ij,jk,kl->il", pa, conj(&y), z));
    let chain = still(|| einsum!("ji,ij,jk,kl->l", c, x, b, conj(&z)));
    assert_eq!(chain, einsum!("ji,ij,jk,kl->l", pc, x, pb, conj(&z)));
    let tried = still(|| try_einsum!("ij,jk->ik", a, y)).expect("lengths fit");
    assert_eq!(tried, einsum!("ij,jk->ik", pa, y));

    // Into outputs, of real operands alone too; repeated labels.
    let (alpha, beta) = (
        Complex::new(R::from(2), R::from(-1)),
        Complex::new(R::from(1), R::from(3)),
    );
    let mut out: [[Complex<R>; K]; I] = complex(3);
    let mut other = out;
    still(|| {
        einsum!(
            "ij,jk->ik",
            a,
            y,
            out = &mut out,
            alpha = alpha,
            beta = beta
        )
    });
    einsum!(
        "ij,jk->ik",
        pa,
        y,
        out = &mut other,
        alpha = alpha,
        beta = beta
    );
    assert_eq!(out, other);
    still(|| {
        einsum!(
            "ij,jk->ik",
            a,
            b,
            out = &mut out,
            alpha = alpha,
            beta = beta
        )
    });
    einsum!(
        "ij,jk->ik",
        pa,
        pb,
        out = &mut other,
        alpha = alpha,
        beta = beta
    );
    assert_eq!(out, other);
    still(|| einsum!("ij,jk->ik", a, b, out = &mut out));
    assert_eq!(out, einsum!("ij,jk->ik", pa, pb));
    let mut diagonal: [[Complex<R>; J]; J] = complex(0);
    let mut other = diagonal;
    still(|| einsum!("ij->jj", a, out = &mut diagonal, beta = beta));
    einsum!("ij->jj", pa, out = &mut other, beta = beta);
    assert_eq!(diagonal, other);

    // Sums with real terms.
    let sum = still(|| einsum!([i, k] = alpha * (a[i, j] * y[j, k]) - a[i, j] * b[j, k]));
    let other = einsum!([i, k] = alpha * (pa[i, j] * y[j, k]) - pa[i, j] * pb[j, k]);
    assert_eq!(sum, other);
}

#[test]
fn the_numbers_of_complex_arrays_without_allocation() {
    products::<f64, 2, 2, 2, 2>();
    products::<f64, 3, 4, 5, 2>();
    products::<f64, 9, 7, 11, 1>();
    products::<f64, 1, 3, 1, 4>();
    products::<f32, 4, 4, 4, 4>();
    products::<f32, 5, 1, 9, 3>();
    products::<f32, 12, 17, 6, 2>();
}

#[test]
fn a_real_number_multiplies_each_part() {
    const INF: f64 = f64::INFINITY;
    let z = [Complex::new(INF, 1.0), Complex::new(1.0, -INF)];
    let y = still(|| einsum!("i,i->i", [2.0, 0.5], z));
    assert_eq!(y, [Complex::new(INF, 2.0), Complex::new(0.5, -INF)]);
    let y = still(|| einsum!("i,i->", [INF, 1.0], [Complex::new(1.0, 1.0); 2]));
    assert_eq!(y, Complex::new(INF, INF));
    let y = still(|| einsum!("i,ij->j", [1.0, 2.0], [[Complex::new(f64::NAN, 1.0)]; 2]));
    assert!(y[0].re.is_nan() && y[0].im == 3.0);
    // Real steps have no imaginary part that infinity could make NaN.
    let y = still(|| einsum!("(i,i),->", [INF, 1.0], [1.0, 2.0], Complex::new(1.0, 2.0)));
    assert_eq!(y, Complex::new(INF, INF));
    let mut y = Complex::new(f64::NAN, f64::NAN);
    still(|| einsum!("i,i->", [INF, 1.0], [1.0, 2.0], out = &mut y));
    assert_eq!(y, Complex::new(INF, 0.0));
}

#[test]
fn beyond_the_stack_it_is_the_engines() {
    let a = [[1.0; 70]; 70];
    let z = [[Complex::new(0.0, 1.0); 70]; 70];
    let product = einsum!("ij,jk->ik", a, z);
    assert!(
        product
            .as_flattened()
            .iter()
            .all(|x| *x == Complex::new(0.0, 70.0))
    );
}

#[test]
fn with_a_tensor_it_is_the_engines() {
    let z = Tensor::full([2, 3], Complex::new(0.0, 1.0));
    let y: Tensor<Complex<f64>, 1> = einsum!("ij,j->i", z, [1.0, 2.0, 3.0]);
    assert_eq!(y.as_slice(), [Complex::new(0.0, 6.0); 2]);
}
