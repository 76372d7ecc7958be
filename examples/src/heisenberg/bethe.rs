//! The exact energy of the open chain by the Bethe ansatz.
//!
//! F. C. Alcaraz, M. N. Barber, M. T. Batchelor, R. J. Baxter and G. R. W. Quispel, *Surface exponents of the quantum XXZ,
//! Ashkin-Teller and Potts models*, J. Phys. A 20, 6397 (1987), at the isotropic point. The ground state of an even number
//! `n` of spins has `n / 2` positive rapidities `λ_j`, with
//!
//! ```text
//! 2n θ(λ_j, 1/2) = 2π j + Σ_{l≠j} [θ(λ_j - λ_l, 1) + θ(λ_j + λ_l, 1)],   θ(λ, c) = 2 arctan(λ / c),   j = 1, …, n/2,
//! E = (n - 1) / 4 - Σ_j (1/2) / (λ_j² + 1/4).
//! ```

use std::f64::consts::PI;

/// The energy of the ground state of `n` spins.
///
/// # Panics
/// If `n` is odd or zero.
pub fn energy(n: usize) -> f64 {
    assert!(n > 0 && n.is_multiple_of(2), "an even number of spins");
    let sites = n as f64;
    let mut rapidities = vec![0.5f64; n / 2];
    // Each round solves the left side for λ_j, with the right side of the round before. It contracts, slowly for long
    // chains.
    for _ in 0..100_000 {
        let next: Vec<f64> = (0..n / 2)
            .map(|j| {
                let scattered: f64 = (0..n / 2)
                    .filter(|&l| l != j)
                    .map(|l| {
                        let (a, b) = (rapidities[j], rapidities[l]);
                        2.0 * (a - b).atan() + 2.0 * (a + b).atan()
                    })
                    .sum();
                let theta = (2.0 * PI * (j + 1) as f64 + scattered) / (2.0 * sites);
                (theta / 2.0).tan() / 2.0
            })
            .collect();
        let moved = next.iter().zip(&rapidities);
        let moved = moved.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs() / a.abs()));
        rapidities = next;
        if moved < 1e-14 {
            break;
        }
    }
    (sites - 1.0) / 4.0 - rapidities.iter().map(|x| 0.5 / (x * x + 0.25)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::energy;

    /// A singlet; and the four spins of which `E = -(3 + 2√3) / 4` is known in closed form.
    #[test]
    fn short_chains() {
        assert!((energy(2) + 0.75).abs() < 1e-14);
        assert!((energy(4) + (3.0 + 2.0 * 3f64.sqrt()) / 4.0).abs() < 1e-13);
    }

    #[test]
    fn long_chains_tend_to_the_infinite_one() {
        let per_site = (energy(402) - energy(400)) / 2.0;
        assert!(
            (per_site - super::super::INFINITE).abs() < 1e-5,
            "{per_site}"
        );
    }
}
