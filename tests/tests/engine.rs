//! N: engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use cteinsum::{Einsum, Engine, Scalar, Tensor, einsum, try_einsum};
use cteinsum_tests::data;

fn numbers<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<i64, N> {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|n| data::rule(n, k)).collect())
}

/// Contract: N1
#[test]
fn one_engine_for_everything() {
    let mut engine = Engine::serial();
    let mut pair = Engine::with_threads(2).expect("threads");
    // Shapes, types and subscripts in turn, the same ones again: the engine remembers, and must not mix them up.
    for turn in 0..3 {
        for n in [1, 4, 3, 4, 17] {
            let (a, b) = (numbers(turn, [n, 3]), numbers(1, [3, n + 1]));
            let (fa, fb) = (a.map(|x| *x as f64), b.map(|x| *x as f64));
            let plain = einsum!("ij,jk->ik", a, b);
            for engine in [&mut engine, &mut pair] {
                assert_eq!(einsum!("ij,jk->ik", a, b, engine = &mut *engine), plain);
                assert_eq!(
                    einsum!("ij,jk->ik", fa, fb, engine = &mut *engine),
                    plain.map(|x| *x as f64)
                );
                let t = einsum!("ij,jk->ki", a, b, engine = &mut *engine);
                assert_eq!(t, einsum!("ik->ki", plain, engine = &mut *engine));
                // The same shape, other strides.
                let p = Tensor::from_fn([3, n], |[j, i]| a[[i, j]]);
                assert_eq!(
                    einsum!("ij,jk->ik", p.permuted([1, 0]), b, engine = engine),
                    plain
                );
            }
        }
    }
}

/// Contract: N2
#[test]
fn teams_that_cannot_be_had_are_errors() {
    assert!(Engine::with_threads(0).is_err());
    let error = Engine::with_threads(0).expect_err("no threads").to_string();
    assert!(!error.is_empty());
    // Never a wait: no machine has so many, and it is known before the first is started.
    let start = std::time::Instant::now();
    for n in [usize::MAX, 1 << 40, 1 << 20] {
        assert!(Engine::with_threads(n).is_err(), "{n} threads");
    }
    assert!(start.elapsed().as_secs() < 5);
    assert_eq!(Engine::serial().threads(), 1);
    for n in [1, 2, 3, 8] {
        assert_eq!(Engine::with_threads(n).expect("threads").threads(), n);
    }
}

/// Contract: N3
#[test]
fn every_thread_has_its_own_engine() {
    let (a, b) = (numbers(0, [5, 6]), numbers(1, [6, 7]));
    let here = einsum!("ij,jk->ik", a, b);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(einsum!("ij,jk->ik", a, b), here);
                }
            });
        }
    });
    // Operands that call einsum themselves borrow no engine twice.
    let nested = einsum!(
        "ij,jk->ik",
        einsum!("ij,jk->ik", a, b),
        einsum!("ij,jk->ik", einsum!("ji->ij", here), here)
    );
    assert_eq!(nested.shape(), &[5, 7]);
    // Also while an engine of the thread is at work: an element type whose product calls einsum.
    let x = Tensor::from_vec([3], vec![Nested(2), Nested(3), Nested(4)]);
    assert_eq!(einsum!("i,i->", x, x), Nested(29));
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Nested(i64);
cteinsum::scalar_operand!(Nested);
impl Scalar for Nested {
    const ZERO: Self = Nested(0);
    const ONE: Self = Nested(1);
    fn add(a: Self, b: Self) -> Self {
        Nested(a.0 + b.0)
    }
    fn mul(a: Self, b: Self) -> Self {
        Nested(einsum!(
            "i,i->",
            Tensor::from_vec([1], vec![a.0]),
            Tensor::from_vec([1], vec![b.0])
        ))
    }
}

/// An element type whose product can be told to panic.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fuse(i64);
static BURN: AtomicBool = AtomicBool::new(false);
cteinsum::scalar_operand!(Fuse);
impl Scalar for Fuse {
    const ZERO: Self = Fuse(0);
    const ONE: Self = Fuse(1);
    fn add(a: Self, b: Self) -> Self {
        Fuse(a.0.wrapping_add(b.0))
    }
    fn mul(a: Self, b: Self) -> Self {
        assert!(!BURN.load(Ordering::Relaxed) || a.0 != -5, "the fuse burns");
        Fuse(a.0.wrapping_mul(b.0))
    }
}

/// Contract: N5
#[test]
fn a_panic_leaves_the_engine_usable() {
    let a = numbers(0, [40, 50]).map(|x| Fuse(*x));
    let b = numbers(1, [50, 60]).map(|x| Fuse(*x));
    let c = numbers(2, [60, 20]).map(|x| Fuse(*x));
    let (x, y) = (numbers(0, [40, 50]), numbers(1, [50, 60]));
    let expected = einsum!("ij,jk,kl->il", a, b, c);
    for mut engine in [
        Engine::serial(),
        Engine::with_threads(2).expect("threads"),
        Engine::with_threads(3).expect("threads"),
    ] {
        for _ in 0..3 {
            BURN.store(true, Ordering::Relaxed);
            let burnt = catch_unwind(AssertUnwindSafe(|| {
                einsum!("ij,jk,kl->il", a, b, c, engine = &mut engine)
            }));
            BURN.store(false, Ordering::Relaxed);
            assert!(burnt.is_err());
            assert_eq!(
                einsum!("ij,jk,kl->il", a, b, c, engine = &mut engine),
                expected
            );
            assert_eq!(
                einsum!("ij,jk->ik", x, y, engine = &mut engine),
                einsum!("ij,jk->ik", x, y)
            );
        }
        // A refused call is no panic inside, and leaves it usable too.
        assert!(try_einsum!("ij,jk->ik", x, x, engine = &mut engine).is_err());
        assert_eq!(
            einsum!("ij,jk->ik", x, y, engine = &mut engine),
            einsum!("ij,jk->ik", x, y)
        );
    }
    // So it is with the thread's own engine.
    BURN.store(true, Ordering::Relaxed);
    let burnt = catch_unwind(AssertUnwindSafe(|| einsum!("ij,jk,kl->il", a, b, c)));
    BURN.store(false, Ordering::Relaxed);
    assert!(burnt.is_err());
    assert_eq!(einsum!("ij,jk,kl->il", a, b, c), expected);
}

/// Counts the products, to see that none happens before all checks have passed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Watched(i64);
static COMPUTED: AtomicBool = AtomicBool::new(false);
cteinsum::scalar_operand!(Watched);
impl Scalar for Watched {
    const ZERO: Self = Watched(0);
    const ONE: Self = Watched(1);
    fn add(a: Self, b: Self) -> Self {
        COMPUTED.store(true, Ordering::Relaxed);
        Watched(a.0 + b.0)
    }
    fn mul(a: Self, b: Self) -> Self {
        COMPUTED.store(true, Ordering::Relaxed);
        Watched(a.0 * b.0)
    }
}

/// Contract: X6
#[test]
fn nothing_is_computed_before_all_checks() {
    let t = |shape: [usize; 2]| numbers(0, shape).map(|x| Watched(*x));
    let (a, b, bad) = (t([2, 3]), t([3, 4]), t([5, 2]));
    // The first pair fits; only the last operand is wrong.
    let error = try_einsum!("ij,jk,kl->il", a, b, bad, order = left_to_right);
    assert!(error.is_err());
    assert!(!COMPUTED.load(Ordering::Relaxed));
    let e = Einsum::parse("ij,jk,kl->il").expect("subscripts");
    let mut engine = Engine::serial();
    assert!(
        e.contract(&mut engine, &[a.as_dyn(), b.as_dyn(), bad.as_dyn()])
            .is_err()
    );
    assert!(e.contract(&mut engine, &[a.as_dyn(), b.as_dyn()]).is_err());
    assert!(!COMPUTED.load(Ordering::Relaxed));
    einsum!("ij,jk->ik", a, b);
    assert!(COMPUTED.load(Ordering::Relaxed));
}

/// Contract: N6
#[test]
fn an_einsum_is_a_value_for_all_threads() {
    fn travels<E: Clone + Send + Sync + 'static>(_: &E) {}
    let e = Einsum::parse("...ij,...jk->...ik").expect("subscripts");
    travels(&e);
    let mut engine = Engine::serial();
    let (a, b) = (numbers(0, [2, 3]), numbers(1, [3, 4]));
    let c = e
        .contract(&mut engine, &[a.as_dyn(), b.as_dyn()])
        .expect("shapes");
    assert_eq!(c.shape(), &[2, 4]);
    let (fa, fb) = (
        numbers(0, [5, 2, 3]).map(|x| *x as f32),
        numbers(1, [3, 4]).map(|x| *x as f32),
    );
    let c = e
        .contract(&mut engine, &[fa.as_dyn(), fb.as_dyn()])
        .expect("shapes");
    assert_eq!(c.shape(), &[5, 2, 4]);
    std::thread::scope(|scope| {
        for n in 1..5 {
            let e = &e;
            scope.spawn(move || {
                let (a, b) = (numbers(0, [n, 3]), numbers(1, [3, n]));
                let c = e
                    .contract(&mut Engine::serial(), &[a.as_dyn(), b.as_dyn()])
                    .expect("shapes");
                assert_eq!(c.as_slice(), einsum!("ij,jk->ik", a, b).as_slice());
            });
        }
    });
}
