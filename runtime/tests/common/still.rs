//! Allocations, counted for the thread that asks: the one that runs the tests allocates when it likes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every method passes its arguments on to `System`, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Nothing is allocated by `call`, not even the first time.
#[track_caller]
pub(crate) fn still<R>(call: impl FnOnce() -> R) -> R {
    let before = ALLOCATIONS.get();
    let result = call();
    let after = ALLOCATIONS.get();
    assert_eq!(after - before, 0, "allocations");
    result
}
