//! A real and a complex array in one call, against the real one promoted before: with and without the time of that.

use std::hint::black_box;

use cteinsum::{Complex, Tensor, einsum};

use crate::clock::{Contender, shortest};

pub(crate) fn run() {
    for n in [8, 64, 256, 512] {
        let real = Tensor::from_fn([n, n], |[i, j]| ((i * 31 + j * 7) % 13) as f64 - 6.5);
        let other = Tensor::from_fn([n, n], |[i, j]| ((i * 5 + j * 3) % 11) as f64 - 5.0);
        let pairs = real.as_slice().iter().zip(other.as_slice());
        let complex = pairs.map(|(&re, &im)| Complex::new(re, im)).collect();
        let complex = Tensor::from_vec([n, n], complex);
        let promote = || {
            let values = real.as_slice().iter().map(|&re| Complex::from(re));
            Tensor::from_vec([n, n], values.collect())
        };
        let promoted: Tensor<Complex<f64>, 2> = promote();
        let mut contenders: [Contender<'_>; 3] = [
            Box::new(|runs| {
                for _ in 0..runs {
                    black_box(einsum!("ij,jk->ik", black_box(&real), black_box(&complex)));
                }
            }),
            Box::new(|runs| {
                for _ in 0..runs {
                    black_box(einsum!(
                        "ij,jk->ik",
                        black_box(&promoted),
                        black_box(&complex)
                    ));
                }
            }),
            Box::new(|runs| {
                for _ in 0..runs {
                    black_box(einsum!(
                        "ij,jk->ik",
                        black_box(promote()),
                        black_box(&complex)
                    ));
                }
            }),
        ];
        let times = shortest(&mut contenders);
        println!(
            "f64 x Complex<f64>, {n:>3}^3: {:>10.0} ns; promoted {:>10.0} ns, ratio {:.2}; promoted each time {:>10.0} ns, ratio {:.2}",
            times[0],
            times[1],
            times[0] / times[1],
            times[2],
            times[0] / times[2]
        );
    }
}
