//! Calls whose lengths are all constants: the same numbers as in tensors, and nothing allocated.

#[path = "common/still.rs"]
mod still;

use std::fmt::Debug;

use cteinsum::{Complex, DynTensor, Einsum, Engine, Scalar, Tensor, conj, einsum, try_einsum};
use still::still;

/// Small whole numbers, so that every order of summation gives the same.
fn array<T: Scalar, const M: usize, const N: usize>(number: impl Fn(i32) -> T) -> [[T; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| number((7 * i + 3 * j) as i32 % 5 - 2)))
}

fn tensor<T: Scalar, const M: usize, const N: usize>(x: &[[T; N]; M]) -> DynTensor<T> {
    Tensor::from_vec([M, N], x.as_flattened().to_vec()).into_dyn()
}

/// What the engine makes of it.
fn engine<T: Scalar>(subscripts: &str, operands: &[DynTensor<T>]) -> Vec<T> {
    let views: Vec<_> = operands.iter().map(DynTensor::view).collect();
    let einsum = Einsum::parse(subscripts).expect("subscripts");
    let result = einsum.contract(&mut Engine::serial(), &views);
    result.expect("sizes").into_vec()
}

fn products<T: Scalar + Debug, const I: usize, const J: usize, const K: usize, const L: usize>(
    number: impl Fn(i32) -> T,
) {
    let a: [[T; J]; I] = array(&number);
    let b: [[T; K]; J] = array(&number);
    let c: [[T; L]; K] = array(&number);
    let tensors = [tensor(&a), tensor(&b), tensor(&c)];

    let product: [[T; K]; I] = still(|| einsum!("ij,jk->ik", a, b));
    assert_eq!(product.as_flattened(), engine("ij,jk->ik", &tensors[..2]));
    let chain: [[T; I]; L] = still(|| einsum!("ij,jk,kl->li", a, b, c));
    assert_eq!(chain.as_flattened(), engine("ij,jk,kl->li", &tensors));
    let ordered: [[T; L]; I] = still(|| einsum!("ij,(jk,kl)->il", a, &b, &&c));
    assert_eq!(ordered.as_flattened(), engine("ij,jk,kl->il", &tensors));
    let traced: T = still(|| einsum!("ij,ij->", a, conj(&a)));
    let conjugate: [[T; J]; I] = a.map(|row| row.map(T::conj));
    let by_engine = engine("ij,ij->", &[tensor(&a), tensor(&conjugate)]);
    assert_eq!([traced], *by_engine);
    let tried: [T; J] = still(|| try_einsum!("ij->j", a)).expect("lengths fit");
    assert_eq!(tried.as_slice(), engine("ij->j", &tensors[..1]));

    let (two, three) = (number(2), number(3));
    let scaled: [[T; J]; I] = still(|| einsum!(",ij->ij", two, a));
    assert_eq!(scaled, a.map(|row| row.map(|x| T::mul(two, x))));

    let mut out = [[number(1); I]; K];
    still(|| einsum!("ij,jk->ki", a, b, out = &mut out));
    let transposed = engine("ij,jk->ki", &tensors[..2]);
    assert_eq!(out.as_flattened(), transposed);
    still(|| einsum!("ij,jk->ki", a, b, out = &mut out, alpha = two, beta = three));
    let five = number(5);
    let fivefold: Vec<T> = transposed.iter().map(|x| T::mul(five, *x)).collect();
    assert_eq!(out.as_flattened(), fivefold);
    let mut diagonal = [[number(1); J]; J];
    still(|| try_einsum!("ij->jj", a, out = &mut diagonal, beta = two)).expect("lengths fit");
    for (i, row) in diagonal.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let sum = if i == j { tried[i] } else { T::ZERO };
            assert_eq!(*x, T::add(T::mul(two, number(1)), sum));
        }
    }
}

/// Sums of products and products with factors, in both notations: against tensors, which the engine computes.
fn sums<T: Scalar + Debug, const I: usize, const J: usize, const K: usize>(
    number: impl Fn(i32) -> T,
) {
    let a: [[T; J]; I] = array(&number);
    let b: [[T; K]; J] = array(|x| number(x + 1));
    let d: [[T; I]; K] = array(|x| number(2 * x));
    let (ta, tb, td) = (
        Tensor::from_vec([I, J], a.as_flattened().to_vec()),
        Tensor::from_vec([J, K], b.as_flattened().to_vec()),
        Tensor::from_vec([K, I], d.as_flattened().to_vec()),
    );
    let (two, three) = (number(2), number(3));

    let e: [[T; K]; I] = still(|| einsum!([i, k] = a[i, j] * b[j, k] + two * d[k, i]));
    let te = einsum!([i, k] = ta[i, j] * tb[j, k] + two * td[k, i]);
    assert_eq!(e.as_flattened(), te.as_slice());
    let f: [[T; K]; I] = still(|| einsum!([row, col] = two * a[row, mid] * b[mid, col]));
    let tf = einsum!([row, col] = two * ta[row, mid] * tb[mid, col]);
    assert_eq!(f.as_flattened(), tf.as_slice());

    let (mut out, mut tout) = (e, te.clone());
    still(|| einsum!(out[i, k] += a[i, j] * b[j, k] + three * d[k, i] + conj(&f)[i, k]));
    einsum!(tout[i, k] += ta[i, j] * tb[j, k] + three * td[k, i] + conj(&tf)[i, k]);
    assert_eq!(out.as_flattened(), tout.as_slice());
    let tried = still(
        || try_einsum!(out[i, k] = d[k, i] + a[i, j] * b[j, l] * d[l, m] * f[m, k] + e[i, k]),
    );
    tried.expect("lengths fit");
    einsum!(tout[i, k] = td[k, i] + ta[i, j] * tb[j, l] * td[l, m] * tf[m, k] + te[i, k]);
    assert_eq!(out.as_flattened(), tout.as_slice());

    let mut diagonal = [[number(1); I]; I];
    let mut tdiagonal = Tensor::from_vec([I, I], vec![number(1); I * I]);
    still(|| einsum!(diagonal[i, i] += a[i, j] * a[i, j] + three * f[i, k] * d[k, i]));
    einsum!(tdiagonal[i, i] += ta[i, j] * ta[i, j] + three * tf[i, k] * td[k, i]);
    assert_eq!(diagonal.as_flattened(), tdiagonal.as_slice());
    let trace: T = still(|| einsum!([] = a[i, j] * a[i, j] + three * f[i, k] * d[k, i]));
    assert_eq!(
        trace,
        einsum!([] = ta[i, j] * ta[i, j] + three * tf[i, k] * td[k, i])
    );
}

/// A term whose length 1 would have to stretch is an error as elsewhere, and nothing is written.
fn sums_do_not_broadcast() {
    let (a, b, mut c) = ([1.0, 2.0, 3.0], [4.0], [9.0; 3]);
    let result = try_einsum!(c[i] = a[i] + b[i]);
    assert!(result.is_err());
    assert_eq!(c, [9.0; 3]);
}

/// Arrays of other libraries, views of constant strides too.
fn families() {
    #[cfg(feature = "nalgebra")]
    {
        use nalgebra::{Matrix2x3, Matrix3, SMatrix, Vector2, Vector3};
        let a = Matrix2x3::new(1., 2., 3., 4., 5., 6.);
        let v = Vector3::new(1., 10., 100.);
        let product: SMatrix<f64, 2, 2> = still(|| einsum!("ij,kj->ik", a, a));
        assert_eq!(product, a * a.transpose());
        let applied: Vector2<f64> = still(|| einsum!("ij,j->i", a, v));
        assert_eq!(applied, a * v);
        let row: Vector3<f64> = still(|| einsum!("i,ij->j", applied, a));
        assert_eq!(row.transpose(), applied.transpose() * a);
        let columns: SMatrix<f64, 2, 2> = still(|| einsum!("ji->ij", a.fixed_view::<2, 2>(0, 1)));
        assert_eq!(columns, a.fixed_view::<2, 2>(0, 1).transpose());
        let mut out = Matrix3::repeat(1.0);
        still(|| einsum!("ij,ik->jk", a, a, out = &mut out, beta = -1.0));
        assert_eq!(out, a.transpose() * a - Matrix3::repeat(1.0));
        let part = &mut out.fixed_view_mut::<2, 2>(1, 1);
        still(|| einsum!("ij->ij", product, out = part));
        assert_eq!(out.fixed_view::<2, 2>(1, 1), product);
        let sum: SMatrix<f64, 2, 2> =
            still(|| einsum!([i, k] = 2.0 * a[i, j] * a[k, j] - product[k, i]));
        assert_eq!(sum, product);
        let mixed: SMatrix<f64, 2, 2> =
            still(|| einsum!("ij,jk->ik", a, [[1., 2.], [0., 1.], [1., 0.]]));
        assert_eq!(mixed, SMatrix::<f64, 2, 2>::new(4., 4., 10., 13.));
    }
    #[cfg(feature = "mdarray")]
    {
        use mdarray::{Array, Const};
        type Matrix<const M: usize, const N: usize> = Array<f64, (Const<M>, Const<N>)>;
        let a: Matrix<2, 3> = Array::from([[1., 2., 3.], [4., 5., 6.]]);
        let product: Matrix<2, 2> = still(|| einsum!("ij,kj->ik", a, a));
        assert_eq!(product, Matrix::<2, 2>::from([[14., 32.], [32., 77.]]));
        let sum: Matrix<2, 2> = still(|| einsum!([i, k] = 2.0 * a[i, j] * a[k, j] - product[k, i]));
        assert_eq!(sum, product);
        let mut out: Matrix<2, 2> = Array::from([[1., 1.], [1., 1.]]);
        still(|| einsum!("ij,kj->ki", a, a, out = &mut out, alpha = 2.0, beta = 1.0));
        assert_eq!(out, Matrix::<2, 2>::from([[29., 65.], [65., 155.]]));
    }
}

#[test]
fn nothing_is_allocated_and_the_numbers_are_those_of_the_engine() {
    products::<f64, 2, 2, 2, 2>(f64::from);
    products::<f64, 5, 4, 3, 7>(f64::from);
    products::<f32, 9, 3, 8, 1>(|x| x as f32);
    products::<i16, 3, 4, 5, 6>(|x| x as i16);
    products::<Complex<f64>, 3, 2, 4, 3>(|x| Complex::new(f64::from(x), f64::from(x % 2)));
    products::<f64, 3, 0, 4, 2>(f64::from);

    sums::<f64, 2, 2, 2>(f64::from);
    sums::<f64, 5, 4, 3>(f64::from);
    sums::<i32, 3, 9, 17>(|x| x);
    sums::<Complex<f64>, 3, 2, 4>(|x| Complex::new(f64::from(x), f64::from(x % 2)));
    sums::<f32, 2, 0, 3>(|x| x as f32);
    sums_do_not_broadcast();

    // Lengths of 1, `...`, numbers as they stand, and many operands.
    let a = [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]];
    let b = [[1.0, 10.0], [100.0, 1000.0]];
    let batched: [[[f64; 2]; 1]; 3] = still(|| einsum!("...ij,...jk->...ik", a, b));
    assert_eq!(batched, [[[201., 2010.]], [[403., 4030.]], [[605., 6050.]]]);
    let halved: [[f64; 2]; 2] = still(|| einsum!("...,...,->...", b, [1.0, -1.0], 0.5));
    assert_eq!(halved, [[0.5, -5.0], [50.0, -500.0]]);
    assert_eq!(still(|| einsum!(",,->", 2.0, 3.0, 7.0)), 42.0);
    families();
    let x = [1, 2];
    let sixteen: i32 = still(|| {
        einsum!(
            "i,i,i,i,i,i,i,i,i,i,i,i,i,i,i,i->",
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x,
            x
        )
    });
    assert_eq!(sixteen, 1 + (1 << 16));
}
