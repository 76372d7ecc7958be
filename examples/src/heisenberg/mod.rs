//! The ground state of the open Heisenberg chain by two-site DMRG, next to its exact energy.
//!
//! `H = Σ S_i · S_{i+1}` over the bonds of `n` spins 1/2; energies in units of the coupling.
//!
//! [`dmrg`] holds the algorithm and the `einsum!`, `lanczos` the lowest state of a bond, [`bethe`] the exact energy.

pub mod bethe;
pub mod dmrg;
mod lanczos;

use cteinsum::Tensor;

/// The energy per site of the infinite chain, `1/4 - ln 2` (L. Hulthén, Ark. Mat. Astron. Fys. 26A, 11, 1938).
pub const INFINITE: f64 = 0.25 - std::f64::consts::LN_2;

/// One site of `H` as a matrix product operator, `W[w, v, p, s]`: `w` and `v` the bonds to the left and right, `p` and `s` the
/// spin after and before.
///
/// On a bond, state 0 says that no term has begun, 1 to 3 which operator has to follow, and 4 that the term is complete.
fn operator() -> Tensor<f64, 4> {
    let [up, down] = [0, 1];
    let mut w = Tensor::zeros([5, 5, 2, 2]);
    for spin in [up, down] {
        w[[0, 0, spin, spin]] = 1.0;
        w[[4, 4, spin, spin]] = 1.0;
        let z = if spin == up { 0.5 } else { -0.5 };
        w[[0, 3, spin, spin]] = z;
        w[[3, 4, spin, spin]] = z;
    }
    // (S⁺ S⁻ + S⁻ S⁺) / 2
    w[[0, 1, up, down]] = 0.5;
    w[[1, 4, down, up]] = 1.0;
    w[[0, 2, down, up]] = 0.5;
    w[[2, 4, up, down]] = 1.0;
    w
}
