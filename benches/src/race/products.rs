//! Matrices and vectors, and batches of them.

use cteinsum::{Complex, Tensor, einsum};

use super::values;
use crate::clock::{Contender, rounds};
use crate::peers::{Hand, How};
use crate::record::{Row, fingerprint};

#[allow(non_camel_case_types, reason = "as the types of Rust are called")]
type c64 = Complex<f64>;

macro_rules! matrices {
    ($t:ty, $n:expr, $spec:literal $(, [$a:literal, $b:literal])?) => {{
        let n: usize = $n;
        let transposed = [$([$a, $b])?].into_iter().next();
        race!(n, $t, $spec, a [n, n] b [n, n] => [n, n], n * n * n, How { matrices: transposed, ..How::default() });
    }};
}

pub(super) fn tiny() {
    for n in [2, 4, 8, 16, 32] {
        matrices!(f64, n, "ij,jk->ik", [false, false]);
        matrices!(f64, n, "ij,jk->ki");
    }
    let hands: [(usize, Hand<f64>); 2] = [(4, gemv::<4>), (16, gemv::<16>)];
    for (n, hand) in hands {
        race!(n, f64, "ij,j->i", a [n, n] b [n] => [n], n * n, by_hand(hand));
    }
    let hands: [(usize, Hand<f64>); 2] = [(8, dot::<8>), (64, dot::<64>)];
    for (n, hand) in hands {
        race!(n, f64, "i,i->", a [n] b [n] => [], n, by_hand(hand));
    }
    race!(8, f64, "ii->", a [8, 8] => [], 8, by_hand(|x, y| {
        let a: &[f64; 64] = x[0].try_into().expect("8 x 8");
        y[0] = (0..8).map(|i| a[9 * i]).sum();
    }));
    race!(4, f64, "ijk,jk->i", a [4, 4, 4] b [4, 4] => [4], 64, by_hand(|x, y| {
        let a: &[f64; 64] = x[0].try_into().expect("4 x 4 x 4");
        let b: &[f64; 16] = x[1].try_into().expect("4 x 4");
        let y: &mut [f64; 4] = y.try_into().expect("4");
        for i in 0..4 {
            y[i] = (0..16).map(|j| a[16 * i + j] * b[j]).sum();
        }
    }));
}

fn by_hand(hand: Hand<f64>) -> How<'static, f64> {
    How {
        hand: Some(hand),
        ..How::default()
    }
}

/// A matrix times a vector, of constant lengths.
fn gemv<const N: usize>(x: &[&[f64]], y: &mut [f64]) {
    let (a, _) = x[0].as_chunks::<N>();
    let a: &[[f64; N]; N] = a.try_into().expect("N x N");
    let b: &[f64; N] = x[1].try_into().expect("N");
    let y: &mut [f64; N] = y.try_into().expect("N");
    for i in 0..N {
        y[i] = (0..N).map(|j| a[i][j] * b[j]).sum();
    }
}

/// A scalar product of a constant length.
fn dot<const N: usize>(x: &[&[f64]], y: &mut [f64]) {
    let a: &[f64; N] = x[0].try_into().expect("N");
    let b: &[f64; N] = x[1].try_into().expect("N");
    y[0] = (0..N).map(|i| a[i] * b[i]).sum();
}

pub(super) fn gemm() {
    for n in [64, 128, 256, 512, 1024, 2048] {
        matrices!(f64, n, "ij,jk->ik", [false, false]);
    }
    matrices!(f64, 512, "ji,jk->ik", [true, false]);
    matrices!(f64, 512, "ij,kj->ik", [false, true]);
    matrices!(f64, 512, "ij,jk->ki");
    matrices!(f32, 512, "ij,jk->ik", [false, false]);
    matrices!(f32, 1024, "ij,jk->ik", [false, false]);
    // A product of complex numbers is four of real ones.
    race!(512, c64, "ij,jk->ik", a [512, 512] b [512, 512] => [512, 512], 4 * 512usize.pow(3),
        How { matrices: Some([false, false]), ..How::default() });
}

pub(super) fn batch() {
    for n in [16, 32, 64] {
        race!(n, f64, "bij,bjk->bik", a [64, n, n] b [64, n, n] => [64, n, n], 64 * n * n * n);
    }
    for n in [16, 32, 64] {
        race!(n, f64, "ijb,jkb->ikb", a [n, n, 64] b [n, n, 64] => [n, n, 64], 64 * n * n * n);
    }
    let work = 64 * 128 * 128 * 64;
    race!("8 8 128 64", f32, "bhqd,bhkd->bhqk", q [8, 8, 128, 64] k [8, 8, 128, 64] => [8, 8, 128, 128], work);
    race!("8 8 128 64", f32, "bhqk,bhkd->bhqd", p [8, 8, 128, 128] v [8, 8, 128, 64] => [8, 8, 128, 64], work);
}

pub(super) fn integer() {
    matrices!(i64, 256, "ij,jk->ik");
    matrices!(i32, 256, "ij,jk->ik");
    bytes(256);
}

/// Bytes that are added up in 32 bits, beside numbers of 32 bits.
fn bytes(n: usize) {
    let [a, b] = [1, 2].map(|seed| values::<i32, 2>([n, n], seed));
    let [a8, b8] = [&a, &b].map(|x| {
        let small = x
            .as_slice()
            .iter()
            .map(|&x| i8::try_from(x).expect("small"));
        Tensor::from_vec([n, n], small.collect())
    });
    let (mut narrow, mut wide) = (
        Tensor::<i32, 2>::zeros([n, n]),
        Tensor::<i32, 2>::zeros([n, n]),
    );
    let times = {
        let (narrow, wide) = (&mut narrow, &mut wide);
        let mut contenders: [Contender<'_>; 2] = [
            Box::new(|runs| {
                for _ in 0..runs {
                    let (a, b) = std::hint::black_box((&a8, &b8));
                    einsum!("ij,jk->ik", a, b, acc = i32, out = &mut *narrow);
                }
            }),
            Box::new(|runs| {
                for _ in 0..runs {
                    let (a, b) = std::hint::black_box((&a, &b));
                    einsum!("ij,jk->ik", a, b, out = &mut *wide);
                }
            }),
        ];
        rounds(&mut contenders)
    };
    assert_eq!(narrow, wide, "in 32 bits");
    Row {
        spec: "ij,jk->ik",
        size: format!("i8 {n}, acc = i32"),
        shapes: vec![vec![n, n]; 2],
        shape: vec![n, n],
        work: (n * n * n) as f64,
        names: vec!["ours", "i32"],
        times,
        marks: 1,
        fingerprint: fingerprint(narrow.as_slice()),
    }
    .report();
}
