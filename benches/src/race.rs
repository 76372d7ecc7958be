//! `einsum!` against the other einsums of Rust, into given outputs, one thread.

use std::hint::black_box;

use cteinsum::{Scalar, Tensor, einsum};

use crate::clock::{Contender, rounds};
use crate::peers::{self, How};
use crate::record::{self, Row};

pub(crate) const REGIMES: [&str; 9] = [
    "tiny",
    "gemm",
    "batch",
    "permuted",
    "transpose",
    "sum",
    "elementwise",
    "network",
    "integer",
];

pub(crate) fn run(regime: &str) {
    record::regime(regime);
    match regime {
        "tiny" => tiny(),
        "gemm" => gemm(),
        "batch" => batch(),
        "permuted" => permuted(),
        "transpose" => transpose(),
        "sum" => sum(),
        "elementwise" => elementwise(),
        "network" => network(),
        "integer" => integer(),
        _ => unreachable!("one of the regimes"),
    }
}

/// Small whole numbers, so that all contenders must agree to the last bit.
fn values<T: Scalar + From<i8>, const N: usize>(shape: [usize; N], seed: usize) -> Tensor<T, N> {
    let len = shape.iter().product();
    let value = |i: usize| T::from(((i * 31 + seed * 17 + i / 7) % 5) as i8);
    Tensor::from_vec(shape, (0..len).map(value).collect())
}

/// One row: a spec, its element type, operands and their shapes, the shape of the result, what is counted (multiply-adds
/// or bytes), for `/ns`, and what some contenders must be told: the tree, and which matrices faer reads transposed.
macro_rules! race {
    ($name:expr, $t:ty, $spec:literal, [$($a:expr),*] => $($rest:tt)*) => {
        race!(@ $name, $t, $spec, (values::<$t, _>([$($a),*], 1),), [0]; $($rest)*)
    };
    ($name:expr, $t:ty, $spec:literal, [$($a:expr),*], [$($b:expr),*] => $($rest:tt)*) => {
        race!(@ $name, $t, $spec, (values::<$t, _>([$($a),*], 1), values::<$t, _>([$($b),*], 2)), [0 1]; $($rest)*)
    };
    ($name:expr, $t:ty, $spec:literal, [$($a:expr),*], [$($b:expr),*], [$($c:expr),*] => $($rest:tt)*) => {
        race!(@ $name, $t, $spec, (values::<$t, _>([$($a),*], 1), values::<$t, _>([$($b),*], 2),
            values::<$t, _>([$($c),*], 3)), [0 1 2]; $($rest)*)
    };
    ($name:expr, $t:ty, $spec:literal, [$($a:expr),*], [$($b:expr),*], [$($c:expr),*], [$($d:expr),*] => $($rest:tt)*) => {
        race!(@ $name, $t, $spec, (values::<$t, _>([$($a),*], 1), values::<$t, _>([$($b),*], 2),
            values::<$t, _>([$($c),*], 3), values::<$t, _>([$($d),*], 4)), [0 1 2 3]; $($rest)*)
    };
    (@ $name:expr, $t:ty, $spec:literal, $operands:expr, [$($i:tt)+]; [$($n:expr),*], $work:expr $(; $how:expr)?) => {
        race!(@ $name, $t, $spec, $operands, [$($i)+]; [$($n),*], $work, HOW $(= $how)?)
    };
    (@ $name:expr, $t:ty, $spec:literal, $operands:expr, [$($i:tt)+]; [$($n:expr),*], $work:expr, HOW) => {
        race!(@ $name, $t, $spec, $operands, [$($i)+]; [$($n),*], $work, HOW = HOW)
    };
    (@ $name:expr, $t:ty, $spec:literal, $operands:expr, [0]; [$($n:expr),*], $work:expr, HOW = HOW) => {
        race!(@ $name, $t, $spec, $operands, [0]; [$($n),*], $work, HOW = How { tree: &[], faer: None })
    };
    (@ $name:expr, $t:ty, $spec:literal, $operands:expr, [0 1]; [$($n:expr),*], $work:expr, HOW = HOW) => {
        race!(@ $name, $t, $spec, $operands, [0 1]; [$($n),*], $work, HOW = How { tree: &[(0, 1)], faer: None })
    };
    (@ $name:expr, $t:ty, $spec:literal, $operands:expr, [$($i:tt)+]; [$($n:expr),*], $work:expr, HOW = $how:expr) => {{
        let operands = $operands;
        let shape = [$($n),*];
        let mut out = Tensor::<$t, _>::zeros(shape);
        let mut others = [out.as_slice().to_vec(), out.as_slice().to_vec()];
        {
            let (target, operands) = (&mut out, &operands);
            let ours: Contender<'_> = Box::new(move |runs| {
                for _ in 0..runs {
                    let operands = black_box(operands);
                    einsum!($spec, $(&operands.$i),+, out = &mut *target);
                }
            });
            let arrays = [$((operands.$i.as_slice(), &operands.$i.shape()[..])),+];
            let shapes = arrays.iter().map(|(_, shape)| shape.to_vec()).collect();
            let [first, second] = &mut others;
            let peers = peers::all::<$t>($spec, &arrays, [first, second], &shape, $how);
            let (names, mut contenders): (Vec<_>, Vec<_>) = [("ours", ours)].into_iter().chain(peers).unzip();
            let times = rounds(&mut contenders);
            Row::new($spec, &format!("{} {}", stringify!($t), $name), shapes, &names, &times, $work as f64).report();
        }
        let wrote = others.iter().filter(|other| other.iter().any(|&x| x != <$t as From<i8>>::from(0)));
        for other in wrote {
            assert!(out.as_slice() == other, "the contenders disagree on {}", $spec);
        }
    }};
}

macro_rules! matrices {
    ($t:ty, $n:expr, $spec:literal) => {
        matrices!($t, $n, $spec, None)
    };
    ($t:ty, $n:expr, $spec:literal, [$a:literal, $b:literal]) => {
        matrices!($t, $n, $spec, Some([$a, $b]))
    };
    ($t:ty, $n:expr, $spec:literal, $faer:expr) => {{
        let n: usize = $n;
        race!(n, $t, $spec, [n, n], [n, n] => [n, n], n * n * n;
            How { tree: &[(0, 1)], faer: $faer })
    }};
}

fn tiny() {
    for n in [2, 4, 8, 16, 32] {
        matrices!(f64, n, "ij,jk->ik", [false, false]);
        matrices!(f64, n, "ij,jk->ki");
    }
    for n in [4, 16] {
        race!(n, f64, "ij,j->i", [n, n], [n] => [n], n * n);
    }
    for n in [8, 64] {
        race!(n, f64, "i,i->", [n], [n] => [], n);
    }
    race!(8, f64, "ii->", [8, 8] => [], 8);
    race!(4, f64, "ijk,jk->i", [4, 4, 4], [4, 4] => [4], 64);
}

fn gemm() {
    for n in [64, 128, 256, 512, 1024] {
        matrices!(f64, n, "ij,jk->ik", [false, false]);
    }
    matrices!(f64, 512, "ji,jk->ik", [true, false]);
    matrices!(f64, 512, "ij,kj->ik", [false, true]);
    matrices!(f64, 512, "ij,jk->ki");
    matrices!(f32, 512, "ij,jk->ik", [false, false]);
    matrices!(f32, 1024, "ij,jk->ik", [false, false]);
}

fn batch() {
    for n in [16, 32, 64] {
        race!(n, f64, "bij,bjk->bik", [64, n, n], [64, n, n] => [64, n, n], 64 * n * n * n);
    }
    for n in [16, 32, 64] {
        race!(n, f64, "ijb,jkb->ikb", [n, n, 64], [n, n, 64] => [n, n, 64], 64 * n * n * n);
    }
    race!("8 8 128 64", f32, "bhqd,bhkd->bhqk", [8, 8, 128, 64], [8, 8, 128, 64] => [8, 8, 128, 128], 64 * 128 * 128 * 64);
    race!("8 8 128 64", f32, "bhqk,bhkd->bhqd", [8, 8, 128, 128], [8, 8, 128, 64] => [8, 8, 128, 64], 64 * 128 * 128 * 64);
}

fn permuted() {
    race!("", f64, "ecbfa,fd->abcde", [24, 24, 24, 24, 24], [24, 24] => [24, 24, 24, 24, 24], 24usize.pow(6));
    race!("", f64, "dbea,ec->abcd", [72, 72, 24, 72], [24, 72] => [72, 72, 72, 72], 72usize.pow(4) * 24);
    race!("", f64, "efbad,cf->abcde", [24, 24, 24, 24, 24], [24, 24] => [24, 24, 24, 24, 24], 24usize.pow(6));
    race!("", f64, "cad,dcb->ab", [312, 312, 296], [296, 312, 296] => [312, 296], 312usize * 312 * 296 * 296);
    race!("", f64, "acd,dbc->ab", [312, 312, 296], [296, 312, 312] => [312, 312], 312usize * 312 * 296 * 312);
    race!("", f64, "abcd,dbea->ec", [32, 32, 32, 32], [32, 32, 32, 32] => [32, 32], 32usize.pow(5));
    race!("", f64, "aebf,dfce->abcd", [32, 32, 32, 32], [32, 32, 32, 32] => [32, 32, 32, 32], 32usize.pow(6));
}

fn transpose() {
    race!(512, f64, "ij->ji", [512, 512] => [512, 512], 512 * 512 * 16);
    race!(4096, f64, "ij->ji", [4096, 4096] => [4096, 4096], 4096 * 4096 * 16);
    race!(64, f64, "ijkl->lkji", [64, 64, 64, 64] => [64, 64, 64, 64], 4096 * 4096 * 16);
    race!(1000, f32, "ij->ji", [1000, 1000] => [1000, 1000], 1000 * 1000 * 8);
    race!("a copy", f64, "ij->ij", [4096, 4096] => [4096, 4096], 4096 * 4096 * 16);
}

fn sum() {
    race!(4096, f64, "ij->i", [4096, 4096] => [4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij->j", [4096, 4096] => [4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij->", [4096, 4096] => [], 4096 * 4096 * 8);
    race!(4096, f64, "ij,ij->", [4096, 4096], [4096, 4096] => [], 4096 * 4096 * 16);
    race!(4096, f64, "ii->i", [4096, 4096] => [4096], 4096 * 16);
}

fn elementwise() {
    race!(4096, f64, "i,j->ij", [4096], [4096] => [4096, 4096], 4096 * 4096 * 8);
    race!(4096, f64, "ij,ij->ij", [4096, 4096], [4096, 4096] => [4096, 4096], 4096 * 4096 * 24);
    race!(256, f64, "ijk,ik->ijk", [256, 256, 256], [256, 256] => [256, 256, 256], 256 * 256 * 256 * 16);
}

fn network() {
    for d in [4usize, 8, 16, 24] {
        race!(d, f64, "war,abu,bgl,gwd->ruld", [d, d, d], [d, d, d], [d, d, d], [d, d, d] => [d, d, d, d],
            d.pow(6) + 2 * d.pow(5); How { tree: &[(0, 1), (2, 3), (4, 5)], faer: None });
    }
    for x in [64usize, 128, 256] {
        race!(x, f64, "apb,awc,wpqv->bcqv", [x, 2, x], [x, 5, x], [5, 2, 2, 5] => [x, x, 2, 5],
            x.pow(3) * 10 + x * x * 200; How { tree: &[(0, 1), (3, 2)], faer: None });
    }
}

fn integer() {
    matrices!(i64, 256, "ij,jk->ik");
    matrices!(i32, 256, "ij,jk->ik");
}
