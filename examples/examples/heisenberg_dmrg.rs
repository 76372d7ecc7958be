//! The ground state of the open Heisenberg chain by two-site DMRG, next to its exact energy.
//!
//! ```text
//! cargo run --release --example heisenberg_dmrg
//! cargo run --release --example heisenberg_dmrg -- 60 32 4    # spins, states of a bond, sweeps
//! ```
//!
//! The physics and the einsums are in `examples/src/heisenberg`.

use cteinsum::Engine;
use cteinsum_examples::heisenberg::{INFINITE, bethe, dmrg::Chain};
use std::{
    error::Error,
    io::{self, Write},
    time::Instant,
};

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: heisenberg_dmrg [spins, even] [states of a bond] [sweeps]";
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| match arguments.next() {
        None => Ok(default),
        Some(text) => text.parse().ok().filter(|&n| n > 0).ok_or(usage),
    };
    let (spins, chi, sweeps) = (number(100)?, number(64)?, number(4)?);
    if spins % 2 == 1 {
        return Err(usage.into());
    }
    let exact = bethe::energy(spins);
    println!("{spins} spins, bonds of at most {chi} states");
    println!(
        "exact (Bethe ansatz): {exact:.10}, {:.10} a spin; infinite chain {INFINITE:.10}\n",
        exact / spins as f64
    );
    println!("sweep  bond      energy        error    left out     time");
    let mut chain = Chain::new(spins, Engine::serial());
    let mut error = f64::NAN;
    for sweep in 1..=sweeps {
        let start = Instant::now();
        // Short bonds first: the early sweeps only have to find the way.
        let states = (chi >> (sweeps - sweep).min(3)).max(2.min(chi));
        let mut done = 0;
        let found = chain.sweep(states, |_| {
            done += 1;
            eprint!("\rsweep {sweep}: bond {done} of {}", 2 * (spins - 1));
            let _ = io::stderr().flush();
        })?;
        eprint!("\r{:40}\r", "");
        error = (found.energy - exact) / spins as f64;
        println!(
            "{sweep:5} {:5} {:15.10} {:9.1e} {:11.1e} {:6.2} s",
            found.bond,
            found.energy,
            found.energy - exact,
            found.left_out,
            start.elapsed().as_secs_f64()
        );
    }
    // No state lies below the ground state; how far above depends on the states of a bond.
    if error < -1e-9 || (chi >= 32 && sweeps > 2 && error > 1e-5) {
        return Err(format!("{error:.1e} a spin from the exact energy").into());
    }
    println!("\n{error:.1e} a spin above the exact energy");
    Ok(())
}
