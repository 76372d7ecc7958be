//! What the contract says of calls in an algebra, by hand.

use cteinsum::algebra::{Algebra, Counted};
use cteinsum::{Engine, Tensor, conj, einsum, try_einsum};

const NONE: f64 = f64::INFINITY;

fn road() -> Tensor<f64, 2> {
    Tensor::from_vec([3, 3], vec![0.0, 4.0, NONE, 4.0, 0.0, 1.0, NONE, 1.0, 0.0])
}

/// Contract: A2
#[test]
fn empty_sums_and_places_off_the_diagonal_are_zero() {
    let nothing = Tensor::full([2, 0], 1.0);
    let sums = einsum!("ij->i", nothing, algebra = MinPlus);
    assert_eq!(sums.as_slice(), [NONE, NONE]);
    assert_eq!(einsum!("ij->", nothing, algebra = MaxPlus), -NONE);
    let diagonal = einsum!("i->ii", [1.0, 2.0], algebra = MinPlus);
    assert_eq!(diagonal, [[1.0, NONE], [NONE, 2.0]]);
    let mut c = Tensor::full([2, 2], 5.0);
    einsum!(
        "i->ii",
        [1.0, 2.0],
        algebra = MinPlus,
        out = &mut c,
        beta = 1.0
    );
    assert_eq!(c.as_slice(), [1.0, 6.0, 6.0, 2.0]);
}

/// Contract: A3
#[test]
fn factors_act_in_the_algebra() {
    let road = road();
    let mut c = Tensor::full([3, 3], f64::NAN);
    einsum!(
        "ij,jk->ik",
        road,
        road,
        algebra = MinPlus,
        out = &mut c,
        alpha = 10.0
    );
    assert_eq!(c[[0, 2]], 15.0);
    // A beta that is the zero of the algebra: what is there is not read.
    c.as_mut_slice().fill(f64::NAN);
    einsum!(
        "ij,jk->ik",
        road,
        road,
        algebra = MinPlus,
        out = &mut c,
        beta = NONE
    );
    assert_eq!(c[[0, 2]], 5.0);
    let mut c = Tensor::full([3, 3], 2.0);
    einsum!(c[i, k] += 10.0 * road[i, j] * road[j, k], algebra = MinPlus);
    assert!(c.as_slice().iter().all(|c| *c == 2.0));
    let sum = einsum!([i, k] = road[i, j] * road[j, k] + 1.0 * road[i, k] * 0.5, algebra = MinPlus);
    assert_eq!(sum[[0, 1]], 4.0);
    assert_eq!(sum[[0, 2]], 5.0);
}

/// Contract: A5
#[test]
fn every_form_of_a_call_gives_the_same() -> Result<(), cteinsum::EinsumError> {
    let (road, mut engine) = (road(), Engine::serial());
    let c = einsum!("ij,jk,kl->il", road, road, road, algebra = MinPlus);
    assert_eq!(
        try_einsum!("ij,jk,kl->il", road, road, road, algebra = MinPlus)?,
        c
    );
    assert_eq!(
        einsum!([i, l] = road[i, j] * road[j, k] * road[k, l], algebra = MinPlus),
        c
    );
    assert_eq!(
        einsum!(
            "ij,jk,kl->il",
            road,
            road,
            road,
            algebra = MinPlus,
            engine = &mut engine
        ),
        c
    );
    let mut d = Tensor::full([3, 3], 0.0);
    try_einsum!(d[i, l] = road[i, j] * road[j, k] * road[k, l], algebra = MinPlus)?;
    assert_eq!(d, c);
    let e = cteinsum::Einsum::parse("ij,jk,kl->il")?;
    let views = [road.as_dyn(), road.as_dyn(), road.as_dyn()];
    let e = e.contract_in::<cteinsum::algebra::MinPlus, _>(&mut engine, &views)?;
    assert_eq!(e.as_slice(), c.as_slice());
    assert_eq!(
        einsum!("ij,jk,kl->il", conj(&road), road, road, algebra = MinPlus),
        c
    );
    // Arrays have lengths that are constants.
    let array = [[0.0, 4.0], [4.0, 0.0]];
    assert_eq!(einsum!("ij,jk->ik", array, array, algebra = MinPlus), array);
    assert_eq!(
        einsum!("ij,->ij", array, 1.0, algebra = MinPlus),
        [[1.0, 5.0], [5.0, 1.0]]
    );
    assert!(
        try_einsum!(
            "ij,jk->ik",
            road,
            Tensor::full([2, 2], 0.0),
            algebra = MinPlus
        )
        .is_err()
    );
    Ok(())
}

/// The names of the library are its own, whatever is in scope; a path is what it is anywhere.
/// Contract: A7
#[test]
fn names() {
    #[derive(Clone, Copy, Debug)]
    struct MaxPlus;
    impl Algebra<f64> for MaxPlus {
        const ZERO: f64 = 0.0;
        const ONE: f64 = 1.0;
        fn add(a: f64, b: f64) -> f64 {
            a + b
        }
        fn mul(a: f64, b: f64) -> f64 {
            a * b
        }
    }
    type Sums = MaxPlus;
    let x = [1.0, 2.0];
    assert_eq!(einsum!("i,i->", x, x, algebra = MaxPlus), 4.0);
    assert_eq!(einsum!("i,i->", x, x, algebra = Sums), 5.0);
    assert_eq!(
        einsum!("i,i->", x, x, algebra = cteinsum::algebra::MinPlus),
        2.0
    );
    assert_eq!(
        einsum!("i,i->", x, x, algebra = ::cteinsum::algebra::MaxMul),
        4.0
    );
    macro_rules! in_algebra {
        ($algebra:path) => {
            einsum!("i,i->", x, x, algebra = $algebra)
        };
    }
    assert_eq!(in_algebra!(MinPlus), 2.0);
}

/// A generic algebra, of an element type that is its own and bigger than a register.
#[test]
fn one_s_own() {
    #[derive(Clone, Copy, Debug)]
    struct Modulo<const M: u64>;
    impl<const M: u64> Algebra<u64> for Modulo<M> {
        const ZERO: u64 = 0;
        const ONE: u64 = 1;
        fn add(a: u64, b: u64) -> u64 {
            (a + b) % M
        }
        fn mul(a: u64, b: u64) -> u64 {
            a * b % M
        }
    }
    let x = Tensor::from_fn([5, 40], |[i, j]| (i * 40 + j) as u64);
    let c = einsum!("ij,kj->ik", x, x, algebra = Modulo::<97>);
    let exact = einsum!("ij,kj->ik", x, x);
    assert!(
        c.as_slice()
            .iter()
            .zip(exact.as_slice())
            .all(|(c, e)| *c == e % 97)
    );
}

#[test]
fn integers_stay_in_their_range() {
    let low = [i8::MIN, -100];
    assert_eq!(
        einsum!("i,i->i", low, [100, -100], algebra = MaxPlus),
        [i8::MIN, i8::MIN]
    );
    assert_eq!(
        einsum!("i,i->i", [100u8, 255], [200, 0], algebra = MinPlus),
        [255, 255]
    );
    assert_eq!(
        einsum!("i,i->i", [100u8, 2], [200, 3], algebra = MaxMul),
        [255, 6]
    );
    let many = [Counted {
        value: 0,
        count: u64::MAX,
    }; 2];
    let sum = einsum!("i->", many, algebra = Count);
    assert_eq!(
        sum,
        Counted {
            value: 0,
            count: u64::MAX
        }
    );
}
