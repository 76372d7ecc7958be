//! MaxPlus and MinPlus against the crate `tropical-gemm`, one thread each.

use std::hint::black_box;

use cteinsum::{Tensor, einsum};
use tropical_gemm::{TropicalMaxPlus, TropicalMinPlus, tropical_matmul};

use crate::clock::{Contender, shortest};

pub(crate) fn run() {
    macro_rules! row {
        ($algebra:ident, $theirs:ident, $t:ty, $n:expr) => {{
            let n = $n;
            let numbers = |k: usize| -> Vec<$t> {
                (0..n * n)
                    .map(|i| ((i * 31 + k * 17) % 101) as $t - 50.0)
                    .collect()
            };
            let (x, y) = (numbers(0), numbers(1));
            let (a, b) = (
                Tensor::from_vec([n, n], x.clone()),
                Tensor::from_vec([n, n], y.clone()),
            );
            let ours = einsum!("ij,jk->ik", a, b, algebra = $algebra);
            // Both are row-major.
            let theirs = tropical_matmul::<$theirs<$t>>(&x, n, n, &y, n);
            assert!(
                ours.iter().zip(&theirs).all(|(a, b)| *a == b.0),
                "the results differ"
            );
            let mut contenders: [Contender<'_>; 2] = [
                Box::new(|runs| {
                    for _ in 0..runs {
                        let (a, b) = (black_box(&a), black_box(&b));
                        black_box(einsum!("ij,jk->ik", a, b, algebra = $algebra));
                    }
                }),
                Box::new(|runs| {
                    for _ in 0..runs {
                        let (x, y) = (black_box(&x), black_box(&y));
                        black_box(tropical_matmul::<$theirs<$t>>(x, n, n, y, n));
                    }
                }),
            ];
            let times = shortest(&mut contenders);
            println!(
                "{:<8} {} {n:>4}^3: ours {:>9.3} ms, tropical-gemm {:>9.3} ms, ratio {:.2}",
                stringify!($algebra),
                stringify!($t),
                times[0] * 1e-6,
                times[1] * 1e-6,
                times[0] / times[1]
            );
        }};
    }
    for n in [256, 512, 1024] {
        row!(MaxPlus, TropicalMaxPlus, f32, n);
        row!(MinPlus, TropicalMinPlus, f32, n);
        row!(MaxPlus, TropicalMaxPlus, f64, n);
        row!(MinPlus, TropicalMinPlus, f64, n);
    }
}
