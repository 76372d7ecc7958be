//! The engine that a call without `engine =` finds, where a thread has none to give.

use cteinsum::{Scalar, Tensor, einsum};

/// Multiplies by an einsum of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Nested(f64);
cteinsum::scalar_operand!(Nested);
impl Scalar for Nested {
    const ZERO: Self = Nested(0.0);
    const ONE: Self = Nested(1.0);
    fn add(a: Self, b: Self) -> Self {
        Nested(a.0 + b.0)
    }
    fn mul(a: Self, b: Self) -> Self {
        Nested(einsum!(",->", a.0, b.0))
    }
}

#[test]
fn a_call_within_a_call_finds_an_engine() {
    let x = Tensor::from_vec([2], vec![Nested(3.0), Nested(4.0)]);
    assert_eq!(einsum!("i,i->", x, x), Nested(25.0));
}

struct AtTheEnd;
impl Drop for AtTheEnd {
    fn drop(&mut self) {
        let x = Tensor::from_vec([2], vec![3.0, 4.0]);
        assert_eq!(einsum!("i,i->", x, x), 25.0);
    }
}

#[test]
fn the_destructor_of_a_thread_local_can_compute() {
    thread_local!(static LAST: AtTheEnd = const { AtTheEnd });
    let thread = std::thread::spawn(|| {
        LAST.with(|_| ());
        einsum!("i,i->", [1.0, 2.0], [3.0, 4.0])
    });
    assert_eq!(thread.join().unwrap(), 11.0);
}
