//! The square-lattice Ising model at zero field by the tensor renormalization group (TRG), next to Onsager's
//! exact solution.
//!
//! Energy `-Σ s s'` over the bonds, with the coupling and Boltzmann's constant set to 1.
//!
//! [`trg`] holds the physics and the `einsum!`, [`onsager`] the exact free energy, [`survey`] a run over
//! temperatures and bond dimensions, [`plot`] the picture, [`options`] the command line.

pub mod onsager;
pub mod options;
pub mod plot;
mod split;
pub mod survey;
pub mod trg;

/// Temperature of the phase transition, `2 / ln(1 + √2)` = 2.269185…
pub fn critical_temperature() -> f64 {
    2.0 / 2f64.sqrt().ln_1p()
}
