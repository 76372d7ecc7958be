//! What a call costs over the kernel that it runs, and what an engine does.

use std::hint::black_box;

use cteinsum::{Engine, Tensor, einsum};
use cteinsum_kernels::{Axis, AxisList, Contraction, PackBuffer, Prepared, Scale, Team};

use super::values;
use crate::clock::{Contender, rounds};
use crate::record::{Row, fingerprint};

pub(super) fn rows() {
    for n in [2usize, 4, 8, 16] {
        product(n);
    }
    engine();
}

/// One matrix product: by a call, by one with an engine that is kept, by one with a new engine, and by the kernel, made
/// ready beforehand.
fn product(n: usize) {
    let [a, b] = [1, 2].map(|seed| values::<f64, 2>([n, n], seed));
    let mut outs = [(); 4].map(|()| Tensor::<f64, 2>::zeros([n, n]));
    let times = {
        let [by_call, by_kept, by_new, by_kernel] = &mut outs;
        let (a, b, mut kept) = (&a, &b, Engine::serial());
        let axis = |a: isize, b: isize, c: isize| {
            [Axis::new(n, a, b, c)].into_iter().collect::<AxisList>()
        };
        let row = n as isize;
        let loops = Contraction {
            m: axis(row, 0, row),
            n: axis(0, 1, 1),
            k: axis(1, row, 0),
            ..Contraction::default()
        };
        let ready = Prepared::contraction::<f64>(&loops, 1);
        let (mut team, mut pack) = (Team::serial(), PackBuffer::new());
        let mut contenders: [Contender<'_>; 4] = [
            Box::new(move |runs| {
                for _ in 0..runs {
                    let (a, b) = black_box((a, b));
                    einsum!("ij,jk->ik", a, b, out = &mut *by_call);
                }
            }),
            Box::new(move |runs| {
                for _ in 0..runs {
                    let (a, b) = black_box((a, b));
                    einsum!("ij,jk->ik", a, b, out = &mut *by_kept, engine = &mut kept);
                }
            }),
            Box::new(move |runs| {
                for _ in 0..runs {
                    let (a, b) = black_box((a, b));
                    einsum!(
                        "ij,jk->ik",
                        a,
                        b,
                        out = &mut *by_new,
                        engine = &mut Engine::serial()
                    );
                }
            }),
            Box::new(move |runs| {
                for _ in 0..runs {
                    let (a, b, scale) = (
                        black_box(a).as_slice(),
                        black_box(b).as_slice(),
                        Scale::overwrite(),
                    );
                    let c = by_kernel.as_mut_slice();
                    // SAFETY: `f64`, and three dense arrays of n x n elements, of which the one written is borrowed mutably.
                    unsafe {
                        ready.run(
                            a.as_ptr(),
                            b.as_ptr(),
                            c.as_mut_ptr(),
                            scale,
                            &mut team,
                            &mut pack,
                        );
                    }
                }
            }),
        ];
        rounds(&mut contenders)
    };
    assert!(outs.iter().all(|out| *out == outs[0]), "the same product");
    report(
        "ij,jk->ik",
        n,
        vec![
            "a call",
            "with an engine",
            "with a new engine",
            "its kernel alone",
        ],
        times,
        outs[0].as_slice(),
    );
}

/// An engine that is made and dropped.
fn engine() {
    let times = rounds(&mut [Box::new(|runs| {
        for _ in 0..runs {
            black_box(Engine::serial());
        }
    })]);
    report("Engine::serial()", 0, vec!["made and dropped"], times, &[]);
}

fn report(spec: &str, n: usize, names: Vec<&'static str>, times: Vec<Vec<f64>>, out: &[f64]) {
    Row {
        spec,
        size: if n == 0 {
            String::new()
        } else {
            format!("f64 {n}")
        },
        shapes: Vec::new(),
        shape: Vec::new(),
        work: 1.0,
        marks: names.len() - 1,
        names,
        times,
        fingerprint: fingerprint(out),
    }
    .report();
}
