//! Gradients of the step of the tensor renormalization group, against the step itself: regime `gradient`.
//!
//! A gradient is all of it: forward, what is saved, and backward. Beside it JAX's, jitted, if there is a Python that has it:
//! `python3`, or what `CTEINSUM_PYTHON` says.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use cteinsum::{Engine, Tensor, einsum, einsum_vjp};

use crate::clock::{Contender, shortest};

/// JAX in a process of its own.
struct Jax(Child);

impl Jax {
    fn start() -> Option<Jax> {
        let python = std::env::var("CTEINSUM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/jax_gradient.py");
        let mut command = Command::new(python);
        command.arg(script).stderr(Stdio::null());
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        child.ok().map(Jax)
    }

    /// Nanoseconds: forward, with one gradient, with all.
    fn times(&mut self, d: usize) -> Option<Vec<f64>> {
        writeln!(self.0.stdin.as_mut()?, "{d}").ok()?;
        let mut line = String::new();
        // One line is asked for and one comes, so that no other is in the buffer.
        BufReader::new(self.0.stdout.as_mut()?)
            .read_line(&mut line)
            .ok()?;
        let times: Vec<f64> = line
            .split(' ')
            .flat_map(|time| time.trim().parse())
            .collect();
        (times.len() == 3).then_some(times)
    }
}

impl Drop for Jax {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

pub(crate) fn run() {
    let mut jax = Jax::start();
    println!(
        "{:>4} {:>12} {:>16} {:>16} {:>14} {:>16} {:>16}",
        "D",
        "forward",
        "with 1 gradient",
        "with all 4",
        "JAX: forward",
        "with 1 gradient",
        "with all 4"
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
        let beside = match jax.as_mut().and_then(|jax| jax.times(d)) {
            Some(times) => {
                let [forward, one, all] = [0, 1, 2].map(|i| times[i] / 1e3);
                format!("{forward:>11.1} µs {one:>13.1} µs {all:>13.1} µs")
            }
            None => String::from("   not installed"),
        };
        println!(
            "{d:>4} {:>9.1} µs {:>13.2} × {:>13.2} × {beside}",
            times[0] / 1e3,
            times[1] / times[0],
            times[2] / times[0]
        );
    }
}
