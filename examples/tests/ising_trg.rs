//! The accuracy of the example, against Onsager and against another implementation.

use cteinsum::Engine;
use cteinsum_examples::ising::{critical_temperature, onsager, trg};

/// Relative errors after 25 steps of a TRG in NumPy with one SVD for both parities, which shares nothing with the
/// example but the paper.
fn expected() -> [(f64, [f64; 2]); 5] {
    [
        (2.0, [3.507e-6, 5.797e-7]),
        (2.2, [2.052e-5, 2.421e-6]),
        (critical_temperature(), [6.912e-5, 4.609e-6]),
        (2.35, [1.054e-4, 2.657e-6]),
        (2.6, [4.159e-5, 4.483e-7]),
    ]
}

fn relative_error(temperature: f64, chi: usize, engine: &mut Engine) -> f64 {
    let exact = onsager::free_energy(temperature);
    ((trg::free_energy(temperature, chi, 25, engine).unwrap() - exact) / exact).abs()
}

#[test]
fn errors_are_those_of_another_implementation() {
    let mut engine = Engine::serial();
    for (temperature, errors) in expected() {
        for (chi, expected) in [8, 16].into_iter().zip(errors) {
            let error = relative_error(temperature, chi, &mut engine);
            assert!(
                (error / expected - 1.0).abs() < 5e-3,
                "T = {temperature}, chi = {chi}: {error:e}, not {expected:e}"
            );
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let free_energy =
        |engine: &mut Engine| trg::free_energy(2.2, 12, 25, engine).unwrap().to_bits();
    assert_eq!(
        free_energy(&mut Engine::serial()),
        free_energy(&mut Engine::with_threads(2).unwrap())
    );
}

/// Far from the critical temperature few states of a bond matter, and what is left is the error of the finite torus.
#[test]
fn far_from_the_critical_temperature_it_is_exact() {
    let mut engine = Engine::serial();
    for temperature in [0.05, 0.5, 1.0, 20.0, 1000.0] {
        let exact = onsager::free_energy(temperature);
        let found = trg::free_energy(temperature, 16, 50, &mut engine).unwrap();
        assert!(
            ((found - exact) / exact).abs() < 1e-12,
            "T = {temperature}: {found} {exact}"
        );
    }
}

/// Two steps with all states kept are the exact sum over a torus of four sites.
#[test]
fn without_truncation_it_is_the_sum_over_all_spins() {
    let (temperature, chi) = (1.7, 64);
    // The bonds of the torus that two steps close: site (x, y) is (x + 2, y) and (x, y + 2).
    let site = |x: usize, y: usize| (x % 2) + 2 * (y % 2);
    let z: f64 = (0..16u32)
        .map(|spins| {
            let spin = |i: usize| if spins >> i & 1 == 1 { 1.0 } else { -1.0 };
            let bonds = (0..4)
                .map(|i| (i % 2, i / 2))
                .map(|(x, y)| spin(site(x, y)) * (spin(site(x + 1, y)) + spin(site(x, y + 1))));
            (bonds.sum::<f64>() / temperature).exp()
        })
        .sum();
    let found = trg::ln_partition_function(temperature, chi, 2, &mut Engine::serial()).unwrap();
    assert!(
        (found - z.ln() / 4.0).abs() < 1e-13,
        "{found} {}",
        z.ln() / 4.0
    );
}
