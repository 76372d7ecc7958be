//! Which kernel a step runs in.

use num_complex::Complex;

use super::arrays::Modular;
use crate::element::Element;
#[cfg(all(optimised, feature = "faer"))]
use crate::isa::{Level, level};
use crate::{
    Axis, AxisList, Contraction, Kernel, PackBuffer, Prepared, Reason, Reduction, Route, Scale,
    Team,
};

/// The route of `subscripts` such as `ij,jk->ik`, for row-major arrays with every length `n`.
fn route<T: Element>(subscripts: &str, n: usize, threads: usize) -> Route {
    let (inputs, c) = subscripts.split_once("->").expect("an arrow");
    let (a, b) = inputs.split_once(',').expect("two operands");
    let stride = |term: &str, label: char| -> Option<isize> {
        let at = term.find(label)?;
        Some(n.pow((term.len() - 1 - at) as u32) as isize)
    };
    let mut step = Contraction::default();
    let mut labels: Vec<char> = inputs.replace(',', "").chars().collect();
    labels.sort_unstable();
    labels.dedup();
    for label in labels {
        let strides = [a, b, c].map(|term| stride(term, label));
        let axis = Axis::new(
            n,
            strides[0].unwrap_or(0),
            strides[1].unwrap_or(0),
            strides[2].unwrap_or(0),
        );
        match strides.map(|stride| stride.is_some()) {
            [true, true, true] => step.batch.push(axis),
            [true, false, true] => step.m.push(axis),
            [false, true, true] => step.n.push(axis),
            [true, true, false] => step.k.push(axis),
            _ => panic!("{label} is summed on one side"),
        }
    }
    Prepared::contraction::<T>(&step, threads).route()
}

fn kernel<T: Element>(subscripts: &str, n: usize) -> Kernel {
    route::<T>(subscripts, n, 1).kernel
}

/// The kernel for floats: `faer` if it is there.
const GEMM: Kernel = if cfg!(feature = "faer") {
    Kernel::Faer
} else {
    Kernel::Packed
};

#[cfg(optimised)]
#[test]
fn every_class_of_contraction() {
    assert_eq!(kernel::<f64>("i,i->i", 9), Kernel::Product);
    assert_eq!(kernel::<f64>("i,j->ij", 9), Kernel::Product);
    assert_eq!(kernel::<f64>(",ij->ji", 9), Kernel::Product);
    assert_eq!(kernel::<f64>("i,i->", 9), Kernel::Dot);
    assert_eq!(kernel::<f64>("bi,bi->b", 9), Kernel::Dot);
    assert_eq!(kernel::<f64>("ij,j->i", 9), Kernel::Tiny);
    assert_eq!(kernel::<u8>("ij,j->i", 9), Kernel::Gemv);
    assert_eq!(kernel::<f64>("ij,j->i", 17), Kernel::Gemv);
    assert_eq!(kernel::<f64>("i,ij->j", 17), Kernel::Gemv);
    assert_eq!(kernel::<f64>("bi,bij->bj", 17), Kernel::Gemv);
    assert_eq!(kernel::<f64>("bi,bij->bj", 9), Kernel::Tiny);
    assert_eq!(kernel::<f64>("jk,ijk->i", 17), Kernel::Gemv);
    for spec in [
        "ij,jk->ik",
        "ij,kj->ik",
        "ji,jk->ik",
        "ij,jk->ki",
        "bij,bjk->bik",
        "abij,abjk->abik",
    ] {
        assert_eq!(kernel::<f64>(spec, 17), GEMM, "{spec}");
        assert_eq!(kernel::<f32>(spec, 17), GEMM, "{spec}");
        assert_eq!(kernel::<Complex<f64>>(spec, 17), GEMM, "{spec}");
        assert_eq!(kernel::<Complex<f32>>(spec, 17), GEMM, "{spec}");
        assert_eq!(kernel::<i64>(spec, 17), Kernel::Packed, "{spec}");
        assert_eq!(kernel::<Modular>(spec, 17), Kernel::Packed, "{spec}");
        for n in [2, 16] {
            assert_eq!(kernel::<f64>(spec, n), Kernel::Tiny, "{spec}");
            assert_eq!(kernel::<f32>(spec, n), Kernel::Tiny, "{spec}");
            assert_eq!(kernel::<i64>(spec, n), Kernel::Tiny, "{spec}");
        }
        assert_eq!(kernel::<u8>(spec, 3), Kernel::Direct, "{spec}");
    }
    assert_eq!(kernel::<f64>("ijb,jkb->ikb", 32), Kernel::BatchInner);
    assert_eq!(kernel::<u8>("ijb,jkb->ikb", 32), Kernel::BatchInner);
    assert_eq!(kernel::<Complex<f64>>("ijb,jkb->ikb", 16), GEMM);
    // Groups that fuse on both carriers, and groups that do not.
    assert_eq!(kernel::<f64>("abc,bcd->ad", 20), GEMM);
    assert_eq!(kernel::<f64>("acb,bcd->ad", 9), Kernel::Packed);
    assert_eq!(kernel::<f64>("abk,kc->bca", 9), Kernel::Packed);
    assert_eq!(
        route::<f64>("acb,bcd->ad", 9, 1).reason,
        Reason::GroupDoesNotFuse
    );
}

/// Products that the packed driver does faster than `faer`.
#[cfg(all(optimised, feature = "faer"))]
#[test]
fn large_products() {
    let wide = level() == Level::Avx512;
    let large = if wide { Kernel::Packed } else { Kernel::Faer };
    for spec in ["ij,jk->ik", "bij,bjk->bik"] {
        assert_eq!(kernel::<f64>(spec, 64), large, "{spec}");
        assert_eq!(kernel::<f32>(spec, 64), Kernel::Faer, "{spec}");
        assert_eq!(kernel::<f32>(spec, 96), large, "{spec}");
        assert_eq!(kernel::<Complex<f64>>(spec, 64), large, "{spec}");
        // Too little work, and tiles with idle columns.
        for n in [40, 65] {
            assert_eq!(kernel::<f64>(spec, n), Kernel::Faer, "{spec}");
        }
    }
    if wide {
        let route = route::<f64>("ij,jk->ik", 64, 1);
        assert_eq!(route.reason, Reason::Large);
    }
    // Rows of A have to be turned, which takes longer for small elements.
    assert_eq!(kernel::<f32>("ij,kj->ik", 128), Kernel::Faer);
    assert_eq!(kernel::<f32>("ij,kj->ik", 256), large);
    assert_eq!(kernel::<f64>("ij,kj->ik", 64), large);
}

/// Large products that `faer` would read across the grain go to the packed driver.
#[cfg(all(optimised, feature = "faer"))]
#[test]
fn orientation() {
    // Too many idle columns to be ahead anyway.
    for spec in ["ij,jk->ik", "ij,kj->ik"] {
        assert_eq!(kernel::<f64>(spec, 105), Kernel::Faer, "{spec}");
    }
    for spec in ["ji,jk->ik", "ij,jk->ki"] {
        let route = route::<f64>(spec, 105, 1);
        assert_eq!(route.kernel, Kernel::Packed, "{spec}");
        assert_eq!(route.reason, Reason::Orientation, "{spec}");
    }
}

#[test]
fn small_work_never_touches_the_team() {
    assert_eq!(route::<f64>("ij,jk->ik", 32, 8).threads, 1);
    assert_eq!(route::<i64>("ij,jk->ik", 32, 8).threads, 1);
    assert_eq!(route::<f64>("i,i->i", 32, 8).threads, 1);
    assert!(route::<f64>("ij,jk->ik", 256, 8).threads > 1);
    assert!(route::<f64>("ij,ij->ij", 1024, 8).threads > 1);
}

#[test]
fn empty_steps() {
    let step = |k: usize, n: usize| Contraction {
        m: [Axis::new(3, 1, 0, 1)].into(),
        n: [Axis::new(n, 0, 1, 3)].into(),
        k: [Axis::new(k, 3, 3, 0)].into(),
        ..Contraction::default()
    };
    let none = Prepared::contraction::<f64>(&step(4, 0), 1).route();
    assert_eq!(
        (none.kernel, none.reason),
        (Kernel::Nothing, Reason::NoElements)
    );
    let scale = Prepared::contraction::<f64>(&step(0, 2), 1).route();
    assert_eq!(
        (scale.kernel, scale.reason),
        (Kernel::Scale, Reason::EmptySum)
    );
}

#[test]
fn reductions() {
    let kernel = |kept: AxisList, summed: AxisList| {
        Prepared::reduction::<f64>(&Reduction { kept, summed }, 1)
            .route()
            .kernel
    };
    let axis = |len, a, c| Axis::new(len, a, 0, c);
    assert_eq!(
        kernel([axis(4, 1, 5), axis(5, 4, 1)].into(), [].into()),
        Kernel::Copy
    );
    assert_eq!(
        kernel([axis(4, 1, 1)].into(), [axis(5, 4, 0)].into()),
        Kernel::Sum
    );
    assert_eq!(kernel([].into(), [axis(5, 4, 0)].into()), Kernel::Sum);
    assert_eq!(
        kernel([axis(4, 1, 1)].into(), [axis(1, 4, 0)].into()),
        Kernel::Copy
    );
}

/// Fusion follows one order on all carriers: axes paired by each array's own order would be mixed up.
#[test]
fn fusion_keeps_axes_apart() {
    let step = Contraction {
        batch: [Axis::new(2, 3, 1, 3), Axis::new(3, 1, 2, 1)].into(),
        ..Contraction::default()
    };
    let a = [1i32, 2, 3, 4, 5, 6];
    let b = [10i32, 20, 30, 40, 50, 60];
    let mut c = [0i32; 6];
    // SAFETY: six elements each.
    unsafe {
        Prepared::contraction::<i32>(&step, 1).run(
            a.as_ptr(),
            b.as_ptr(),
            c.as_mut_ptr(),
            Scale::overwrite(),
            &mut Team::serial(),
            &mut PackBuffer::new(),
        );
    }
    assert_eq!(c, [10, 60, 150, 80, 200, 360]);
}

#[cfg(optimised)]
#[test]
fn a_route_reads_as_a_sentence() {
    let text = route::<f64>("ijb,jkb->ikb", 64, 4).to_string();
    assert_eq!(
        text,
        "batch-innermost gemm: the batch has the smallest stride everywhere (up to 4 threads)"
    );
}

#[cfg(optimised)]
#[test]
fn scratch_is_kept_and_given_back() {
    let step = Contraction {
        m: [Axis::new(50, 1, 0, 1)].into(),
        n: [Axis::new(50, 0, 50, 50)].into(),
        k: [Axis::new(50, 50, 1, 0)].into(),
        ..Contraction::default()
    };
    let (a, mut c) = (vec![1i64; 2500], vec![0i64; 2500]);
    let mut pack = PackBuffer::new();
    assert_eq!(pack.retained_bytes(), 0);
    for _ in 0..2 {
        // SAFETY: 2500 elements each.
        unsafe {
            Prepared::contraction::<i64>(&step, 1).run(
                a.as_ptr(),
                a.as_ptr(),
                c.as_mut_ptr(),
                Scale::overwrite(),
                &mut Team::serial(),
                &mut pack,
            );
        }
        assert!(pack.retained_bytes() > 8 * 2500);
    }
    pack.clear();
    assert_eq!(pack.retained_bytes(), 0);
}

#[test]
fn a_team_of_nobody_is_an_error() {
    assert_eq!(
        Team::new(0).expect_err("no threads").to_string(),
        "a team needs at least one thread"
    );
    assert_eq!(Team::new(1).expect("the caller").threads(), 1);
}

#[cfg(not(feature = "threads"))]
#[test]
fn a_team_without_threads_is_an_error() {
    assert_eq!(
        Team::new(2).expect_err("no threads").to_string(),
        "a team of 2 threads needs the feature `threads` of cteinsum"
    );
}

/// A panic in a user's arithmetic reaches the caller, and the team works on.
#[cfg(feature = "threads")]
#[test]
fn a_panic_leaves_the_team_usable() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Fragile(u32);
    impl Element for Fragile {
        const ZERO: Self = Fragile(0);
        const ONE: Self = Fragile(1);
        fn add(a: Self, b: Self) -> Self {
            Fragile(a.0.wrapping_add(b.0))
        }
        fn mul(a: Self, b: Self) -> Self {
            assert!(a.0 != 13 && b.0 != 13, "thirteen");
            Fragile(a.0.wrapping_mul(b.0))
        }
    }
    let mut team = Team::new(3).expect("three threads");
    let step = Contraction {
        m: [Axis::new(90, 90, 0, 90)].into(),
        n: [Axis::new(90, 0, 1, 1)].into(),
        k: [Axis::new(90, 1, 90, 0)].into(),
        ..Contraction::default()
    };
    let prepared = Prepared::contraction::<Fragile>(&step, 3).with_threads(3);
    for unlucky in [0, 4050, 8099, usize::MAX] {
        let mut a = vec![Fragile(2); 8100];
        let b = vec![Fragile(3); 8100];
        let mut c = vec![Fragile(0); 8100];
        if let Some(a) = a.get_mut(unlucky) {
            *a = Fragile(13);
        }
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // SAFETY: 8100 elements each.
            unsafe {
                prepared.run(
                    a.as_ptr(),
                    b.as_ptr(),
                    c.as_mut_ptr(),
                    Scale::overwrite(),
                    &mut team,
                    &mut PackBuffer::new(),
                );
            }
        }));
        assert_eq!(outcome.is_err(), unlucky != usize::MAX);
    }
}

/// Nothing is skipped because a factor is 0.
#[test]
fn zero_times_nan_is_nan() {
    for n in [1, 2, 3, 8, 17, 40] {
        let len = n as isize;
        let (m, k) = (Axis::new(n, len, 0, len), Axis::new(n, 1, len, 0));
        let columns = Axis::new(n, 0, 1, 1);
        let steps = [
            Contraction {
                m: [m].into(),
                n: [columns].into(),
                k: [k].into(),
                ..Default::default()
            },
            Contraction {
                m: [m].into(),
                k: [k].into(),
                ..Default::default()
            },
            Contraction {
                n: [columns].into(),
                k: [k].into(),
                ..Default::default()
            },
            Contraction {
                k: [k].into(),
                ..Default::default()
            },
            Contraction {
                m: [m].into(),
                n: [columns].into(),
                ..Default::default()
            },
        ];
        for step in steps {
            for (a, b) in [(0.0, f64::NAN), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
                let (a, b) = (vec![a; n * n], vec![b; n * n]);
                let mut c = vec![1.0f64; n * n];
                let prepared = Prepared::contraction::<f64>(&step, 1);
                // SAFETY: `n * n` elements each.
                unsafe {
                    prepared.run(
                        a.as_ptr(),
                        b.as_ptr(),
                        c.as_mut_ptr(),
                        Scale::overwrite(),
                        &mut Team::serial(),
                        &mut PackBuffer::new(),
                    );
                }
                assert!(c[0].is_nan(), "{n} {}", prepared.route());
            }
        }
    }
}
