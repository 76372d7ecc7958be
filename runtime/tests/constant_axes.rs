//! Arrays with lengths in their types: as operands and results, mixed with lengths known at run time.
#![allow(clippy::type_complexity)]

use std::rc::Rc;
use std::sync::Arc;

use cteinsum::{
    Axes, Complex, DynTensor, EinsumError, Engine, Operand, Rank, Scalar, Tensor, Tensors, einsum,
    try_einsum,
};

const A: [[f64; 3]; 2] = [[1., 2., 3.], [4., 5., 6.]];
const B: [[f64; 2]; 3] = [[1., 0.], [2., 1.], [0., 3.]];
const V: [f64; 3] = [1., 10., 100.];

#[test]
fn arrays_give_arrays() {
    let c: [[f64; 2]; 2] = einsum!("ij,jk->ik", A, B);
    assert_eq!(c, [[5., 11.], [14., 23.]]);
    let t: [[f64; 2]; 3] = einsum!("ij->ji", A);
    assert_eq!(t, [[1., 4.], [2., 5.], [3., 6.]]);
    let y: [f64; 2] = einsum!("ij,j->i", A, V);
    assert_eq!(y, [321., 654.]);
    let s: f64 = einsum!("ij,ij->", A, A);
    assert_eq!(s, 91.);
    let outer: [[[[f64; 3]; 2]; 2]; 3] = einsum!("kl,ij->klij", B, A);
    assert_eq!(outer[1][0], [[2., 4., 6.], [8., 10., 12.]]);
}

#[test]
fn every_rank() {
    let x: [[[[[[i32; 2]; 1]; 2]; 1]; 2]; 3] =
        std::array::from_fn(|a| [[[[[a as i32, 1]]; 2]; 1]; 2]);
    assert_eq!(einsum!("abcdef->fedcba", x)[0][0][1][0][1][2], 2);
    let five: [[[[[i32; 1]; 2]; 1]; 2]; 3] = einsum!("abcdef->abcde", x);
    assert_eq!(five[2], [[[[3], [3]]], [[[3], [3]]]]);
    let four: [[[[i32; 2]; 1]; 2]; 3] = einsum!("abcde->abcd", five);
    let three: [[[i32; 1]; 2]; 3] = einsum!("abcd->abc", four);
    assert_eq!(three[1], [[4], [4]]);
    let seven: Tensor<i32, 7> = einsum!("abcdef,g->abcdefg", x, [1, 2]);
    assert_eq!(seven.shape(), &[3, 2, 1, 2, 1, 2, 2]);
    let none: [[f64; 0]; 2] = einsum!("ij->ij", [[0.0; 0]; 2]);
    assert_eq!(none, [[], []]);
    let sum: [f64; 2] = einsum!("ij->i", [[0.0; 0]; 2]);
    assert_eq!(sum, [0., 0.]);
}

#[test]
fn constants_meet_lengths_known_at_run_time() {
    let t = Tensor::from_fn([3, 2], |[j, k]| B[j][k]);
    // Label i is constant, k is not: no array can hold that.
    let c: Tensor<f64, 2> = einsum!("ij,jk->ik", A, t);
    assert_eq!(c, Tensor::from([[5., 11.], [14., 23.]]));
    // Every label of the output is constant in one of its operands.
    let c: [f64; 2] = einsum!("ij,j->i", A, vec![1., 10., 100.]);
    assert_eq!(c, [321., 654.]);
    let c: [f64; 3] = einsum!("j,j->j", V, &vec![1., 2., 3.][..]);
    assert_eq!(c, [1., 20., 300.]);
    let c: [f64; 3] = einsum!("j,j->j", vec![1., 2., 3.], V);
    assert_eq!(c, [1., 20., 300.]);
    // The family is the first operand's.
    let c: Tensor<f64, 1> = einsum!("jk,j->j", t, V);
    assert_eq!(c.as_slice(), [1., 30., 300.]);
    let error = try_einsum!("j,j->j", V, vec![1., 2.]).unwrap_err();
    assert!(matches!(error, EinsumError::Size { .. }));
    // A length of 1 that is known at run time still stretches.
    let c: [f64; 3] = einsum!("j,j->j", V, vec![2.]);
    assert_eq!(c, [2., 20., 200.]);
}

#[test]
fn length_one_stretches() {
    let row = [[1., 2., 3.]];
    let column = [[10.], [20.]];
    let c: [[f64; 3]; 2] = einsum!("ij,ij->ij", row, column);
    assert_eq!(c, [[10., 20., 30.], [20., 40., 60.]]);
    let c: [[f64; 3]; 2] = einsum!("ij,ij,ij->ij", column, row, [[1.]]);
    assert_eq!(c, [[10., 20., 30.], [20., 40., 60.]]);
    // Const 1 with a length known at run time is that length: not a constant.
    let c: Tensor<f64, 1> = einsum!("i,i->i", [2.], vec![1., 2.]);
    assert_eq!(c.as_slice(), [2., 4.]);
    let c: Tensor<f64, 1> = einsum!("i,i->i", vec![1., 2.], [2.]);
    assert_eq!(c.as_slice(), [2., 4.]);
    let c: [f64; 3] = einsum!("i,i,i->i", vec![2.], [1.], V);
    assert_eq!(c, [2., 20., 200.]);
}

#[test]
fn diagonals() {
    let square = [[1., 2.], [3., 4.]];
    let d: [f64; 2] = einsum!("ii->i", square);
    assert_eq!(d, [1., 4.]);
    assert_eq!(einsum!("ii", square), 5.);
    let cube: [[[f64; 2]; 2]; 2] = einsum!("i->iii", d);
    assert_eq!(cube, [[[1., 0.], [0., 0.]], [[0., 0.], [0., 4.]]]);
    let c: [f64; 2] = einsum!("ii,i,ii->i", square, d, square);
    assert_eq!(c, [1., 64.]);
}

#[test]
fn dots_keep_constants() {
    let batch = [A, A.map(|r| r.map(|x| 2. * x))];
    let c: [[[f64; 2]; 2]; 2] = einsum!("...ij,...jk->...ik", batch, B);
    assert_eq!(c, [[[5., 11.], [14., 23.]], [[10., 22.], [28., 46.]]]);
    let c: [[[f64; 2]; 2]; 2] = einsum!("ij,...jk->...ik", A, [B; 2]);
    assert_eq!(c, [[[5., 11.], [14., 23.]]; 2]);
    // Between labels, in another order in the output.
    let c: [[[f64; 2]; 2]; 3] = einsum!("a...b->b...a", batch);
    assert_eq!(c[2], [[3., 6.], [6., 12.]]);
    let weights = [[1., 10.], [2., 20.], [3., 30.]];
    let c: [[[f64; 3]; 2]; 2] = einsum!("i...,...i->i...", batch, weights.map(|w| w));
    assert_eq!(c[1], [[20., 80., 180.], [80., 200., 360.]]);
    // 1 stretches, a missing axis counts as 1.
    let c: [[f64; 3]; 2] = einsum!("...,...->...", [[1.], [2.]], V);
    assert_eq!(c, [[1., 10., 100.], [2., 20., 200.]]);
    let c: [[f64; 3]; 2] = einsum!("...,...,...->...", V, 2.0, [[1.], [2.]]);
    assert_eq!(c, [[2., 20., 200.], [4., 40., 400.]]);
    // With a length known at run time.
    let c: [f64; 3] = einsum!("...,...->...", V, vec![1., 2., 3.]);
    assert_eq!(c, [1., 20., 300.]);
    let c: Tensor<f64, 2> = einsum!("...,...->...", [[1.], [2.]], vec![1., 2.]);
    assert_eq!(c, Tensor::from([[1., 2.], [2., 4.]]));
    let c: DynTensor<f64> = einsum!(
        "...,...->...",
        V,
        DynTensor::from_vec([3], vec![1., 2., 3.])
    );
    assert_eq!(c.as_slice(), [1., 20., 300.]);
}

fn product<const M: usize, const N: usize, const K: usize>(
    a: &[[f64; N]; M],
    b: &[[f64; K]; N],
) -> [[f64; K]; M] {
    einsum!("ij,jk->ik", a, b)
}

fn scaled<const M: usize, const N: usize>(row: &[[f64; N]; 1], a: [[f64; N]; M]) -> [[f64; N]; M] {
    let a: [[f64; N]; M] = einsum!("...,...->...", [[2.0]], a);
    let a: [[f64; N]; M] = einsum!("ij,ij->ij", a, [[0.5]]);
    let _: Tensor<f64, 2> = einsum!("ij,ij->ij", row, Tensor::full([1, N], 1.0));
    let _: [f64; N] = einsum!("ij->j", a);
    a
}

#[test]
fn lengths_generic_in_const_n() {
    assert_eq!(product(&A, &B), [[5., 11.], [14., 23.]]);
    assert_eq!(product(&[[2.]], &[[3.]]), [[6.]]);
    assert_eq!(scaled(&[[1., 2., 3.]], A), A);
}

#[test]
fn pointers_and_lists() {
    let c: [[f64; 2]; 2] = einsum!("ij,jk->ik", Box::new(A), Arc::new(B));
    assert_eq!(c, [[5., 11.], [14., 23.]]);
    let c: [f64; 2] = einsum!("ij,j->i", &&A, Rc::new(vec![1., 10., 100.]));
    assert_eq!(c, [321., 654.]);
    let boxed: Box<[f64]> = vec![1., 10., 100.].into();
    let c: Tensor<f64, 1> = einsum!("j,j->j", boxed, Arc::<[f64]>::from(&V[..]));
    assert_eq!(c.as_slice(), [1., 100., 10000.]);
    let s: f64 = einsum!("i,i->", &V[..], vec![1., 1., 1.]);
    assert_eq!(s, 111.);
    let c: Tensor<f64, 2> = einsum!("i,j->ij", vec![1., 2.], [1., 10.][..]);
    assert_eq!(c, Tensor::from([[1., 10.], [2., 20.]]));
    // Numbers and lists have no family, the array behind them has.
    let c: [f64; 3] = einsum!(",j,,j->j", 2.0, vec![1., 1., 1.], &3.0, V);
    assert_eq!(c, [6., 60., 600.]);
}

#[test]
fn families_of_tensors() {
    let d = DynTensor::from_vec([2, 3], A.concat());
    let c: Tensor<f64, 2> = einsum!("ij,jk->ik", d, B);
    assert_eq!(c, Tensor::from([[5., 11.], [14., 23.]]));
    let c: DynTensor<f64> = einsum!("...j,jk->...k", d, B);
    assert_eq!(c.as_slice(), [5., 11., 14., 23.]);
    let c: DynTensor<f64> = einsum!(
        "jk,j...->k...",
        B,
        DynTensor::from_vec([3, 1], vec![1., 2., 3.])
    );
    assert_eq!(c.as_slice(), [5., 11.]);
}

#[test]
fn engines_results_and_elements() {
    let mut engine = Engine::serial();
    let c = einsum!("ij,jk->ik", A, B, engine = &mut engine);
    assert_eq!(c, [[5., 11.], [14., 23.]]);
    let c = try_einsum!(
        "ij,jk,kl->il",
        A,
        B,
        A,
        engine = &mut engine,
        order = left_to_right
    );
    assert_eq!(c.unwrap(), [[49., 65., 81.], [106., 143., 180.]]);
    let z = [[Complex::new(0.0f32, 1.0)]; 2];
    let c: [[Complex<f32>; 2]; 2] = einsum!("ij,kj->ik", z, z);
    assert_eq!(c, [[Complex::new(-1.0, 0.0); 2]; 2]);
    let c: [u8; 1] = einsum!("ij->j", [[200u8], [100]]);
    assert_eq!(c, [44]);
    let n = cteinsum::einsum!(
        "i,i->",
        cteinsum::conj([Complex::new(0.0, 1.0)]),
        [Complex::new(0.0, 1.0)]
    );
    assert_eq!(n, Complex::new(1.0, 0.0));
}

/// Generic in the kind of operand: its axes and its family are said.
fn gram<T: Scalar, X>(x: &X) -> Tensor<T, 2>
where
    X: Operand<Elem = T, Dims = <Rank<2> as Axes>::List, Family = Tensors>,
{
    einsum!("ki,kj->ij", x, x)
}

#[test]
fn functions_generic_in_the_kind_of_operand() {
    let t = Tensor::from(A);
    assert_eq!(gram(&t), gram(&t.view()));
    assert_eq!(gram(&t)[[2, 0]], 27.);
}
