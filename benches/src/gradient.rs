//! Gradients of the step of the tensor renormalization group, against the step itself: regime `gradient`.
//!
//! A gradient is all of it: forward, what is saved, and backward.

use std::hint::black_box;

use cteinsum::{Engine, Tensor, einsum, einsum_vjp};

use crate::clock::{Contender, shortest};

pub(crate) fn run() {
    println!(
        "{:>4} {:>12} {:>16} {:>16}",
        "D", "forward", "with 1 gradient", "with all 4"
    );
    for d in [8, 16, 24] {
        let s: [Tensor<f64, 3>; 4] = core::array::from_fn(|n| {
            Tensor::from_fn([d; 3], |[a, b, c]| {
                (1.0 + n as f64 + 0.37 * (a + 4 * b + 16 * c) as f64).sin()
            })
        });
        let [a, b, c, e] = &s;
        let dy = Tensor::full([d; 4], 1.0);
        let mut engines: [Engine; 3] = core::array::from_fn(|_| Engine::serial());
        let [plain, one, all] = &mut engines;
        let mut contenders: [Contender<'_>; 3] = [
            Box::new(|rounds| {
                for _ in 0..rounds {
                    black_box(einsum!("war,abu,bgl,gwd->ruld", a, b, c, e, engine = plain));
                }
            }),
            Box::new(|rounds| {
                for _ in 0..rounds {
                    let (y, pullback) = einsum_vjp!(
                        "war,abu,bgl,gwd->ruld",
                        a,
                        b,
                        c,
                        e,
                        wrt = [0],
                        engine = &mut *one
                    );
                    black_box((y, pullback.call_in(one, &dy)));
                }
            }),
            Box::new(|rounds| {
                for _ in 0..rounds {
                    let (y, pullback) =
                        einsum_vjp!("war,abu,bgl,gwd->ruld", a, b, c, e, engine = &mut *all);
                    black_box((y, pullback.call_in(all, &dy)));
                }
            }),
        ];
        let times = shortest(&mut contenders);
        println!(
            "{d:>4} {:>9.1} µs {:>13.2} × {:>13.2} ×",
            times[0] / 1e3,
            times[1] / times[0],
            times[2] / times[0]
        );
    }
}
