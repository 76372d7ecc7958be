//! Same bits for any number of threads and any alignment of the data.

use num_complex::Complex;

use super::arrays::Rng;
use crate::element::Element;
use crate::{Axis, Contraction, Kernel, PackBuffer, Prepared, Reduction, Route, Scale, Team};

/// Element types whose sums depend on the order.
trait Rounded: Element {
    fn random(rng: &mut Rng) -> Self;
    fn bits(self) -> (u64, u64);
}
macro_rules! rounded {
    ($($t:ty),*) => {$(
        impl Rounded for $t {
            fn random(rng: &mut Rng) -> Self {
                (rng.next() >> 11) as $t / (1u64 << 53) as $t - 0.5
            }
            fn bits(self) -> (u64, u64) { (u64::from(self.to_bits()), 0) }
        }
        impl Rounded for Complex<$t> {
            fn random(rng: &mut Rng) -> Self {
                Complex::new(<$t as Rounded>::random(rng), <$t as Rounded>::random(rng))
            }
            fn bits(self) -> (u64, u64) {
                (u64::from(self.re.to_bits()), u64::from(self.im.to_bits()))
            }
        }
    )*};
}
rounded!(f32, f64);

/// What is run: a step over dense arrays of these lengths.
struct Case {
    a: usize,
    b: usize,
    c: usize,
    prepare: Box<dyn Fn(usize) -> Prepared>,
}

/// A case with the prepared step forced to share its work among all threads, however little it is.
fn case(a: usize, b: usize, c: usize, prepare: impl Fn(usize) -> Prepared + 'static) -> Case {
    Case {
        a,
        b,
        c,
        prepare: Box::new(prepare),
    }
}

/// The bits of C for a team and for offsets of the three arrays from an aligned address.
fn bits<T: Rounded>(case: &Case, team: &mut Team, pads: [usize; 3], seed: u64) -> Vec<(u64, u64)> {
    let mut rng = Rng(seed);
    let mut fill = |len: usize, pad: usize| -> Vec<T> {
        let values: Vec<T> = (0..len).map(|_| T::random(&mut rng)).collect();
        (0..pad).map(|_| T::ONE).chain(values).collect()
    };
    let a = fill(case.a, pads[0]);
    let b = fill(case.b, pads[1]);
    let mut c = fill(case.c, pads[2]);
    let scale = Scale {
        alpha: T::random(&mut rng),
        ..Scale::accumulate()
    };
    let prepared = (case.prepare)(team.threads());
    // SAFETY: the arrays are as long as the case says.
    unsafe {
        prepared.run(
            a.as_ptr().add(pads[0]),
            b.as_ptr().add(pads[1]),
            c.as_mut_ptr().add(pads[2]),
            scale,
            team,
            &mut PackBuffer::new(),
        );
    }
    c[pads[2]..].iter().map(|c| c.bits()).collect()
}

fn teams() -> Vec<Team<'static>> {
    let helped: &[usize] = if cfg!(feature = "threads") {
        &[2, 3, 4]
    } else {
        &[]
    };
    let helped = helped.iter().map(|&n| Team::new(n).expect("a team"));
    core::iter::once(Team::serial()).chain(helped).collect()
}

/// Unoptimised kernels are slow: fewer combinations there.
const THOROUGH: bool = !cfg!(debug_assertions);

fn check<T: Rounded>(case: &Case, teams: &mut [Team]) -> Route {
    let want = bits::<T>(case, &mut teams[0], [0; 3], 5);
    for team in &mut *teams {
        for pads in [
            [0, 0, 0],
            [1, 2, 3],
            [3, 0, 7],
            [0, 5, 1],
            [2, 6, 0],
            [7, 7, 4],
        ] {
            let got = bits::<T>(case, team, pads, 5);
            let differ = got.iter().zip(&want).filter(|(x, y)| x != y).count();
            assert_eq!(
                differ,
                0,
                "{} of {} elements differ: {}, {} threads, offsets {pads:?}, {}",
                differ,
                want.len(),
                core::any::type_name::<T>(),
                team.threads(),
                (case.prepare)(team.threads()).route()
            );
        }
    }
    (case.prepare)(4).route()
}

/// A matrix product; each array row-major or column-major.
fn gemm<T: Rounded>(m: usize, n: usize, k: usize, [a, b, c]: [bool; 3]) -> Case {
    let strides = |rows: usize, columns: usize, row_major: bool| {
        if row_major {
            (columns as isize, 1)
        } else {
            (1, rows as isize)
        }
    };
    let (a, b, c) = (strides(m, k, a), strides(k, n, b), strides(m, n, c));
    let step = Contraction {
        m: [Axis::new(m, a.0, 0, c.0)].into(),
        n: [Axis::new(n, 0, b.1, c.1)].into(),
        k: [Axis::new(k, a.1, b.0, 0)].into(),
        ..Contraction::default()
    };
    case(m * k, k * n, m * n, move |threads| {
        Prepared::contraction::<T>(&step, threads).with_threads(threads)
    })
}

fn gemms<T: Rounded>() {
    let mut teams = teams();
    let mut routes = Vec::new();
    for k in [511, 512, 513, 1025] {
        for (i, (m, n)) in [(97, 33), (193, 65), (64, 200)].into_iter().enumerate() {
            for layout in 0..8 {
                if !THOROUGH && (i != 0 || k != 513 || ![0, 1, 6].contains(&layout)) {
                    continue;
                }
                let layout = [layout & 1 != 0, layout & 2 != 0, layout & 4 != 0];
                routes.push(check::<T>(&gemm::<T>(m, n, k, layout), &mut teams).kernel);
            }
        }
    }
    // Small ones, below the threshold of the packed kernels.
    for (m, n, k) in [
        (2, 2, 2),
        (3, 5, 7),
        (8, 8, 8),
        (16, 16, 16),
        (15, 17, 16),
        (48, 4, 30),
    ] {
        for layout in 0..8 {
            let layout = [layout & 1 != 0, layout & 2 != 0, layout & 4 != 0];
            let case = gemm::<T>(m, n, k, layout);
            check::<T>(&case, &mut teams[..1]);
        }
    }
    assert_eq!(routes.contains(&Kernel::Packed), cfg!(optimised));
    assert_eq!(routes.contains(&Kernel::Faer), cfg!(feature = "faer"));
}

#[test]
fn gemm_f64() {
    gemms::<f64>();
}
#[test]
fn gemm_f32() {
    gemms::<f32>();
}
#[test]
fn gemm_c64() {
    gemms::<Complex<f64>>();
}
#[test]
fn gemm_c32() {
    gemms::<Complex<f32>>();
}

#[test]
fn batches() {
    let mut teams = teams();
    for (h, m, n, k) in [
        (3, 40, 50, 60),
        (40, 8, 9, 10),
        (130, 3, 1, 50),
        (70, 1, 1, 33),
    ] {
        for innermost in [false, true] {
            let (ba, bb, bc, s) = if innermost {
                (1, 1, 1, h as isize)
            } else {
                ((m * k) as isize, (k * n) as isize, (m * n) as isize, 1)
            };
            let step = Contraction {
                batch: [Axis::new(h, ba, bb, bc)].into(),
                m: [Axis::new(m, k as isize * s, 0, n as isize * s)].into(),
                n: [Axis::new(n, 0, s, s)].into(),
                k: [Axis::new(k, s, n as isize * s, 0)].into(),
            };
            let case = case(h * m * k, h * k * n, h * m * n, move |threads| {
                Prepared::contraction::<f64>(&step, threads).with_threads(threads)
            });
            check::<f64>(&case, &mut teams);
        }
    }
}

#[test]
fn vectors() {
    let mut teams = teams();
    for (m, k) in [(1000, 77), (77, 1000), (5, 40_000), (1, 100_001), (33, 64)] {
        for row_major in [false, true] {
            let (am, ak) = if row_major {
                (k as isize, 1)
            } else {
                (1, m as isize)
            };
            let step = Contraction {
                m: [Axis::new(m, am, 0, 1)].into(),
                k: [Axis::new(k, ak, 1, 0)].into(),
                ..Contraction::default()
            };
            let case = case(m * k, k, m, move |threads| {
                Prepared::contraction::<f64>(&step, threads).with_threads(threads)
            });
            check::<f64>(&case, &mut teams);
        }
    }
}

#[test]
fn sums() {
    let mut teams = teams();
    for (kept, summed) in [
        (1, 300_007),
        (3, 200_000),
        (200, 513),
        (1000, 3),
        (65, 1000),
    ] {
        for row_major in [false, true] {
            let (ak, asum) = if row_major {
                (summed as isize, 1)
            } else {
                (1, kept as isize)
            };
            let step = Reduction {
                kept: [Axis::new(kept, ak, 0, 1)].into(),
                summed: [Axis::new(summed, asum, 0, 0)].into(),
            };
            let case = case(kept * summed, 0, kept, move |threads| {
                Prepared::reduction::<f64>(&step, threads).with_threads(threads)
            });
            check::<f64>(&case, &mut teams);
        }
    }
}

/// Blocks and pairs: the error of a long sum in f32 does not grow with its length.
#[test]
fn long_sums_are_accurate() {
    let n = 1 << 22;
    let a: Vec<f32> = (0..n).map(|i| 0.1 + (i % 7) as f32 * 1e-3).collect();
    let exact: f64 = a.iter().map(|&x| f64::from(x)).sum();
    for (len, stride) in [(n, 1), (n / 2, 2)] {
        let step = Reduction {
            summed: [Axis::new(len, stride, 0, 0)].into(),
            ..Reduction::default()
        };
        let exact = if stride == 1 {
            exact
        } else {
            a.iter().step_by(2).map(|&x| f64::from(x)).sum()
        };
        let mut c = 0.0f32;
        // SAFETY: the array has `n` elements.
        unsafe {
            Prepared::reduction::<f32>(&step, 1).run(
                a.as_ptr(),
                core::ptr::null(),
                &mut c,
                Scale::overwrite(),
                &mut Team::serial(),
                &mut PackBuffer::new(),
            );
        }
        let error = (f64::from(c) - exact).abs() / exact;
        assert!(error < 1e-6, "relative error {error}");
    }
}
