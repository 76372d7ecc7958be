//! The energies of the example, against exact diagonalization and the Bethe ansatz.

use cteinsum::Engine;
use cteinsum_examples::heisenberg::{bethe, dmrg::Chain};

/// The lowest eigenvalue of `H` on all states of `n` spins by power iteration of `c - H`, the spins as bits: nothing is shared
/// with the example.
fn by_exact_diagonalization(n: usize) -> f64 {
    let apply = |x: &[f64]| {
        let mut y = vec![0.0; x.len()];
        for (state, &value) in x.iter().enumerate() {
            for bond in 0..n - 1 {
                let pair = (state >> bond) & 3;
                if pair == 0 || pair == 3 {
                    y[state] += 0.25 * value;
                } else {
                    y[state] -= 0.25 * value;
                    y[state ^ (3 << bond)] += 0.5 * value;
                }
            }
        }
        y
    };
    let norm = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
    // Up and down in turn, which meets the ground state.
    let mut x = vec![0.0; 1 << n];
    x[0x5555_5555 & ((1 << n) - 1)] = 1.0;
    let shift = 0.25 * (n - 1) as f64;
    let mut energy = 0.0;
    loop {
        let y = apply(&x);
        let before = energy;
        energy = x.iter().zip(&y).map(|(a, b)| a * b).sum();
        let mut next: Vec<f64> = x.iter().zip(&y).map(|(a, b)| shift * a - b).collect();
        let length = norm(&next);
        next.iter_mut().for_each(|v| *v /= length);
        x = next;
        if (energy - before).abs() < 1e-14 {
            return energy;
        }
    }
}

#[test]
fn twelve_spins_are_those_of_exact_diagonalization() {
    let exact = by_exact_diagonalization(12);
    assert!(
        (bethe::energy(12) - exact).abs() < 1e-9,
        "{} {exact}",
        bethe::energy(12)
    );
    // 64 states are all that the middle bond has.
    let mut chain = Chain::new(12, Engine::serial());
    let mut energy = 0.0;
    for _ in 0..4 {
        energy = chain.sweep(64, |_| ()).unwrap().energy;
    }
    assert!((energy - exact).abs() < 1e-9, "{energy} {exact}");
}

/// A hundred spins are what the example computes and compares.
#[test]
fn longer_chains_come_near_the_bethe_ansatz_from_above() {
    let exact = bethe::energy(24);
    let mut chain = Chain::new(24, Engine::serial());
    let mut before = f64::INFINITY;
    for (bond, limit) in [(4, 1e-2), (8, 1e-3), (16, 1e-5)] {
        let found = chain.sweep(bond, |_| ()).unwrap();
        let error = (found.energy - exact) / 24.0;
        assert!((0.0..limit).contains(&error), "{bond}: {error:e} per site");
        assert!(error < before);
        assert_eq!(found.bond, bond);
        before = error;
    }
}
