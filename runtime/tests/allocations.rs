//! What a call allocates, counted: with a warm engine nothing but a fresh result.
//!
//! One test, so that no other thread of this process allocates while a call is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use cteinsum::{Engine, Tensor, einsum};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every method passes its arguments on to `System`, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The allocations of `call`, when it is made for the fourth time.
fn warm<R>(mut call: impl FnMut() -> R) -> usize {
    for _ in 0..3 {
        call();
    }
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let result = call();
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    drop(result);
    after - before
}

fn wave(seed: usize) -> impl Fn(usize) -> f64 {
    move |i| ((seed + 7 * i) % 11) as f64 - 5.0
}

fn matrix(n: usize, seed: usize) -> Tensor<f64, 2> {
    Tensor::from_vec([n, n], (0..n * n).map(wave(seed)).collect())
}

fn tensor(n: usize, seed: usize) -> Tensor<f64, 4> {
    Tensor::from_vec([n; 4], (0..n.pow(4)).map(wave(seed)).collect())
}

/// Every kind of kernel, at sizes that one thread works on and at sizes that a team shares.
fn calls(engine: &mut Engine) {
    let threads = engine.threads();
    for n in [3, 20, 150] {
        let (a, b, c) = (matrix(n, 1), matrix(n, 2), matrix(n, 3));
        let mut out = matrix(n, 0);
        macro_rules! silent {
            ($($spec:literal: $($operand:ident),*);* $(;)?) => {$({
                let count = warm(|| einsum!($spec, $($operand),*, out = &mut out, engine = engine));
                assert_eq!(count, 0, "{} of length {n}, {threads} threads", $spec);
            })*};
        }
        silent! {
            "ij,jk->ik": a, b;
            "ij,kj->ki": a, b;
            "ij,ij->ij": a, b;
            "ij->ji": a;
            "ij,jk,kl->il": a, b, c;
            "ij,kj,lk,lm->mi": a, b, c, a;
            "ii,ij,jk->ik": a, b, c;
        }
        let mut ints = Tensor::from_vec([n, n], vec![1i32; n * n]);
        let twos = Tensor::from_vec([n, n], vec![2i32; n * n]);
        let count = warm(|| {
            einsum!(
                "ij,jk,kl->il",
                twos,
                twos,
                twos,
                out = &mut ints,
                engine = engine
            );
        });
        assert_eq!(count, 0, "integers of length {n}, {threads} threads");

        let count = warm(|| einsum!("ij,jk->ik", a, b, engine = engine));
        assert_eq!(count, 1, "a fresh product of length {n}, {threads} threads");
        let count = warm(|| einsum!("ij,jk,kl->il", a, b, c, engine = engine));
        assert_eq!(count, 1, "a fresh chain of length {n}, {threads} threads");
        let count = warm(|| einsum!("ij,ij->", a, b, engine = engine));
        assert!(count <= 1, "a number of length {n}, {threads} threads");
    }
    // Groups without a single stride: the packed driver; batches innermost; long sums.
    let (a, b, mut out) = (tensor(9, 1), tensor(9, 2), tensor(9, 0));
    let count = warm(|| einsum!("aibj,bkcl->acik", a, b, out = &mut out, engine = engine));
    assert_eq!(count, 0, "scattered groups, {threads} threads");
    let (a, b, mut out) = (tensor(17, 1), tensor(17, 2), tensor(17, 0));
    let count = warm(|| einsum!("aijb,ajkb->aikb", a, b, out = &mut out, engine = engine));
    assert_eq!(count, 0, "batch innermost, {threads} threads");
    let count = warm(|| einsum!("abcd->dbca", a, out = &mut out, engine = engine));
    assert_eq!(count, 0, "transposition, {threads} threads");
}

#[test]
fn a_warm_engine_allocates_nothing_but_a_fresh_result() {
    calls(&mut Engine::serial());
    #[cfg(feature = "threads")]
    calls(&mut Engine::with_threads(2).expect("two threads"));
}
