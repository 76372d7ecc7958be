//! `set_default_threads`: one test in a process of its own, as it is said once for a whole process.

use cteinsum::{Engine, Tensor, einsum, set_default_threads};
use cteinsum_tests::random::Random;

/// Contract: N4
#[test]
fn one_team_for_all_calls() {
    let mut random = Random(1);
    let a = Tensor::from_vec([120, 130], random.reals(120 * 130));
    let b = Tensor::from_vec([130, 140], random.reals(130 * 140));
    let x = Tensor::from_vec([100_001], random.reals(100_001));
    let before = (
        einsum!("ij,jk->ik", a, b),
        einsum!("i,i->", x, x),
        einsum!("ij,jk,ik->", a, b, einsum!("ij,jk->ik", a, b)),
    );
    assert!(set_default_threads(0).is_err());
    set_default_threads(3).expect("three threads");
    let check = || {
        assert_eq!(einsum!("ij,jk->ik", a, b), before.0);
        assert_eq!(einsum!("i,i->", x, x).to_bits(), before.1.to_bits());
        let nested = einsum!("ij,jk,ik->", a, b, einsum!("ij,jk->ik", a, b));
        assert_eq!(nested.to_bits(), before.2.to_bits());
    };
    check();
    // Many callers, one team: whoever does not get it computes alone.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| check()));
        }
    });
    // A panic in one call gives the team back.
    let wrong = std::panic::catch_unwind(|| einsum!("ij,jk->ik", a, a));
    assert!(wrong.is_err());
    check();
    // An engine of one's own beside it.
    let mut engine = Engine::with_threads(2).expect("threads");
    assert_eq!(einsum!("ij,jk->ik", a, b, engine = &mut engine), before.0);
}
