//! Constant lengths: against loops written by hand, and nalgebra.

use std::hint::black_box;

use cteinsum::einsum;

use crate::clock::{Contender, shortest};

/// A row of the table: times in ns, ours first.
fn row(name: &str, names: &[&str], mut contenders: Vec<Contender<'_>>, target: f64) {
    let times = shortest(&mut contenders);
    let best = times[1..].iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = times[0] / best;
    print!("{name:<22} ours {:>8.2}", times[0]);
    for (name, time) in names.iter().zip(&times[1..]) {
        print!("  {name} {time:>8.2}");
    }
    println!(
        "  ratio to the best {ratio:>5.2} (target {target:.2}{})",
        if ratio <= target { "" } else { ", missed" }
    );
}

/// The contender that runs the call and hides its arguments and results from the optimizer.
macro_rules! timed {
    (|$($x:ident),*| $out:expr, $run:expr) => {
        Box::new(move |runs| {
            let mut out = $out;
            for _ in 0..runs {
                $(let $x = black_box(&$x);)*
                #[allow(clippy::redundant_closure_call)]
                ($run)(&mut out $(, $x)*);
                black_box(&mut out);
            }
        })
    };
}

fn values<const M: usize, const N: usize>() -> [[f64; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| ((i * 31 + j * 7) % 13) as f64 - 6.5))
}

#[cfg(feature = "peers")]
fn nalgebra<const M: usize, const N: usize>(x: [[f64; N]; M]) -> nalgebra::SMatrix<f64, M, N> {
    nalgebra::SMatrix::from_fn(|i, j| x[i][j])
}

fn product_ijk<const M: usize, const K: usize, const N: usize>(
    c: &mut [[f64; N]; M],
    a: &[[f64; K]; M],
    b: &[[f64; N]; K],
) {
    for i in 0..M {
        for j in 0..N {
            let mut sum = 0.0;
            for k in 0..K {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
}

fn product_ikj<const M: usize, const K: usize, const N: usize>(
    c: &mut [[f64; N]; M],
    a: &[[f64; K]; M],
    b: &[[f64; N]; K],
) {
    *c = [[0.0; N]; M];
    for i in 0..M {
        for k in 0..K {
            for j in 0..N {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

macro_rules! products {
    ($($m:literal $k:literal $n:literal <= $target:literal),*) => {$({
        let (a, b) = (values::<$m, $k>(), values::<$k, $n>());
        let ours = |c: &mut [[f64; $n]; $m], a: &[[f64; $k]; $m], b: &[[f64; $n]; $k]| *c = einsum!("ij,jk->ik", a, b);
        let (mut c, mut d) = ([[0.0; $n]; $m], [[0.0; $n]; $m]);
        ours(&mut c, &a, &b);
        product_ijk(&mut d, &a, &b);
        assert!(c.iter().flatten().zip(d.iter().flatten()).all(|(x, y): (&f64, &f64)| (x - y).abs() < 1e-9));
        row(
            concat!("ij,jk->ik ", $m, "x", $k, "x", $n),
            &["ijk", "ikj", "nalgebra"],
            vec![
                timed!(|a, b| [[0.0; $n]; $m], ours),
                timed!(|a, b| [[0.0; $n]; $m], product_ijk),
                timed!(|a, b| [[0.0; $n]; $m], product_ikj),
                #[cfg(feature = "peers")]
                {
                    let (a, b) = (nalgebra(a), nalgebra(b));
                    timed!(|a, b| nalgebra::SMatrix::<f64, $m, $n>::zeros(),
                        |c: &mut nalgebra::SMatrix<f64, $m, $n>, a: &nalgebra::SMatrix<f64, $m, $k>, b: &nalgebra::SMatrix<f64, $k, $n>| *c = a * b)
                },
            ],
            $target,
        );
    })*};
}

macro_rules! chains {
    ($($n:literal <= $target:literal),*) => {$({
        let (a, b, c) = (values::<$n, $n>(), values::<$n, $n>(), values::<$n, $n>());
        type Square = [[f64; $n]; $n];
        let ours = |d: &mut Square, a: &Square, b: &Square, c: &Square| *d = einsum!("ij,jk,kl->il", a, b, c);
        let by_hand = |d: &mut Square, a: &Square, b: &Square, c: &Square| {
            let mut t = [[0.0; $n]; $n];
            product_ijk(&mut t, a, b);
            product_ijk(d, &t, c);
        };
        let by_hand_2 = |d: &mut Square, a: &Square, b: &Square, c: &Square| {
            let mut t = [[0.0; $n]; $n];
            product_ikj(&mut t, a, b);
            product_ikj(d, &t, c);
        };
        row(
            concat!("ij,jk,kl->il ", $n),
            &["ijk", "ikj", "nalgebra"],
            vec![
                timed!(|a, b, c| [[0.0; $n]; $n], ours),
                timed!(|a, b, c| [[0.0; $n]; $n], by_hand),
                timed!(|a, b, c| [[0.0; $n]; $n], by_hand_2),
                #[cfg(feature = "peers")]
                {
                    type Matrix = nalgebra::SMatrix<f64, $n, $n>;
                    let (a, b, c) = (nalgebra(a), nalgebra(b), nalgebra(c));
                    timed!(|a, b, c| Matrix::zeros(), |d: &mut Matrix, a: &Matrix, b: &Matrix, c: &Matrix| *d = a * b * c)
                },
            ],
            $target,
        );
    })*};
}

macro_rules! dots {
    ($($n:literal <= $target:literal),*) => {$({
        let ([a], [b]) = (values::<1, $n>(), values::<1, $n>());
        let ours = |c: &mut f64, a: &[f64; $n], b: &[f64; $n]| *c = einsum!("i,i->", a, b);
        row(
            concat!("i,i-> ", $n),
            &["loop", "nalgebra"],
            vec![
                timed!(|a, b| 0.0, ours),
                timed!(|a, b| 0.0, |c: &mut f64, a: &[f64; $n], b: &[f64; $n]| *c = a.iter().zip(b).map(|(x, y)| x * y).sum()),
                #[cfg(feature = "peers")]
                {
                    let (a, b) = (nalgebra([a]).transpose(), nalgebra([b]).transpose());
                    timed!(|a, b| 0.0, |c: &mut f64, a: &nalgebra::SVector<f64, $n>, b: &nalgebra::SVector<f64, $n>| *c = a.dot(b))
                },
            ],
            $target,
        );
    })*};
}

macro_rules! matrix_vectors {
    ($($n:literal <= $target:literal),*) => {$({
        let (a, [x]) = (values::<$n, $n>(), values::<1, $n>());
        let ours = |y: &mut [f64; $n], a: &[[f64; $n]; $n], x: &[f64; $n]| *y = einsum!("ij,j->i", a, x);
        row(
            concat!("ij,j->i ", $n),
            &["loop", "nalgebra"],
            vec![
                timed!(|a, x| [0.0; $n], ours),
                timed!(|a, x| [0.0; $n], |y: &mut [f64; $n], a: &[[f64; $n]; $n], x: &[f64; $n]| {
                    for i in 0..$n {
                        let mut sum = 0.0;
                        for j in 0..$n {
                            sum += a[i][j] * x[j];
                        }
                        y[i] = sum;
                    }
                }),
                #[cfg(feature = "peers")]
                {
                    let (a, x) = (nalgebra(a), nalgebra([x]).transpose());
                    timed!(|a, x| nalgebra::SVector::<f64, $n>::zeros(),
                        |y: &mut nalgebra::SVector<f64, $n>, a: &nalgebra::SMatrix<f64, $n, $n>, x: &nalgebra::SVector<f64, $n>| *y = a * x)
                },
            ],
            $target,
        );
    })*};
}

pub(crate) fn run() {
    println!("constant lengths, f64, one thread, ns");
    products!(2 2 2 <= 1.0, 3 3 3 <= 1.0, 4 4 4 <= 0.5, 8 8 8 <= 0.25, 16 16 16 <= 0.5);
    products!(5 7 3 <= 0.5, 6 6 6 <= 0.5, 7 9 11 <= 0.5, 12 4 10 <= 0.5, 3 16 5 <= 0.5, 32 32 32 <= 0.5);
    chains!(4 <= 0.5, 8 <= 0.5, 16 <= 0.5);
    dots!(8 <= 1.0, 64 <= 0.25);
    matrix_vectors!(4 <= 1.0, 8 <= 1.0, 16 <= 1.0);
}
