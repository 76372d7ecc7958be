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

/// Operands from the start of a cache line, for every contender.
#[repr(align(64))]
struct Line<X>(X);
impl<X> Line<X> {
    fn get(&self) -> &X {
        &self.0
    }
}

/// The contender that runs the call and hides its operands and its result from the optimizer: an expression whose value
/// is the result, or a function that writes it.
macro_rules! timed {
    (|$($x:ident),*| $value:expr) => {{
        $(let $x = Line($x);)*
        Box::new(move |runs| {
            for _ in 0..runs {
                $(let $x = black_box($x.get());)*
                let out = $value;
                black_box(&out);
            }
        })
    }};
    (|$($x:ident),*| $out:expr, $run:expr) => {{
        $(let $x = Line($x);)*
        Box::new(move |runs| {
            let mut out = $out;
            for _ in 0..runs {
                $(let $x = black_box($x.get());)*
                $run(&mut out $(, $x)*);
                black_box(&mut out);
            }
        })
    }};
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

#[allow(clippy::needless_range_loop)] // as it is written by hand
fn product_ij<const M: usize, const K: usize>(y: &mut [f64; M], a: &[[f64; K]; M], x: &[f64; K]) {
    for i in 0..M {
        let mut sum = 0.0;
        for j in 0..K {
            sum += a[i][j] * x[j];
        }
        y[i] = sum;
    }
}

macro_rules! products {
    ($($m:literal $k:literal $n:literal <= $target:literal),*) => {$({
        let (a, b) = (values::<$m, $k>(), values::<$k, $n>());
        let c = einsum!("ij,jk->ik", a, b);
        let mut d = [[0.0; $n]; $m];
        product_ijk(&mut d, &a, &b);
        assert!(c.iter().flatten().zip(d.iter().flatten()).all(|(x, y): (&f64, &f64)| (x - y).abs() < 1e-9));
        row(
            concat!("ij,jk->ik ", $m, "x", $k, "x", $n),
            &["ijk", "ikj", "nalgebra"],
            vec![
                timed!(|a, b| einsum!("ij,jk->ik", a, b)),
                timed!(|a, b| [[0.0; $n]; $m], product_ijk),
                timed!(|a, b| [[0.0; $n]; $m], product_ikj),
                #[cfg(feature = "peers")]
                {
                    let (a, b) = (nalgebra(a), nalgebra(b));
                    timed!(|a, b| a * b)
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
                timed!(|a, b, c| einsum!("ij,jk,kl->il", a, b, c)),
                timed!(|a, b, c| [[0.0; $n]; $n], by_hand),
                timed!(|a, b, c| [[0.0; $n]; $n], by_hand_2),
                #[cfg(feature = "peers")]
                {
                    let (a, b, c) = (nalgebra(a), nalgebra(b), nalgebra(c));
                    timed!(|a, b, c| a * b * c)
                },
            ],
            $target,
        );
    })*};
}

macro_rules! dots {
    ($($n:literal <= $target:literal),*) => {$({
        let ([a], [b]) = (values::<1, $n>(), values::<1, $n>());
        row(
            concat!("i,i-> ", $n),
            &["loop", "nalgebra"],
            vec![
                timed!(|a, b| einsum!("i,i->", a, b)),
                timed!(|a, b| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>()),
                #[cfg(feature = "peers")]
                {
                    let (a, b) = (nalgebra([a]).transpose(), nalgebra([b]).transpose());
                    timed!(|a, b| a.dot(b))
                },
            ],
            $target,
        );
    })*};
}

macro_rules! matrix_vectors {
    ($($n:literal <= $target:literal),*) => {$({
        let (a, [x]) = (values::<$n, $n>(), values::<1, $n>());
        row(
            concat!("ij,j->i ", $n),
            &["loop", "nalgebra"],
            vec![
                timed!(|a, x| einsum!("ij,j->i", a, x)),
                timed!(|a, x| [0.0; $n], product_ij),
                #[cfg(feature = "peers")]
                {
                    let (a, x) = (nalgebra(a), nalgebra([x]).transpose());
                    timed!(|a, x| a * x)
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
