//! The ground states of a ±J spin glass: their energy and their number, by max and plus with counting.
//!
//! ```text
//! cargo run --release --example spin_glass
//! cargo run --release --example spin_glass -- 20 18    # rows, columns
//! ```
//!
//! The physics and the einsums are in `examples/src/spins.rs`.

use cteinsum::Engine;
use cteinsum_examples::spins::Glass;
use std::{error::Error, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: spin_glass [rows, 1 to 100] [columns, 1 to 24]";
    let mut arguments = std::env::args().skip(1);
    let mut number = |most: usize, default: usize| match arguments.next() {
        None => Ok(default),
        Some(text) => {
            let number = text.parse().ok().filter(|n| (1..=most).contains(n));
            number.ok_or(usage)
        }
    };
    let (rows, columns) = (number(100, 14)?, number(24, 14)?);
    let mut engine = Engine::serial();

    for (rows, columns, seed) in [(4, 4, 1), (3, 6, 2), (5, 4, 3)] {
        let small = Glass::random(rows, columns, seed);
        let found = small.ground_state(&mut engine, |_| ())?;
        if found != small.by_brute_force() {
            return Err(
                format!("{rows} x {columns} spins: {found:?} is not what all states give").into(),
            );
        }
        println!(
            "{rows} x {columns} spins: energy {}, in {} states, as by brute force",
            -found.value, found.count
        );
    }

    let start = Instant::now();
    let glass = Glass::random(rows, columns, 7);
    let found = glass.ground_state(&mut engine, |row| {
        println!(
            "row {row} of {rows}, {:.3} s",
            start.elapsed().as_secs_f64()
        );
    })?;
    if found.count == u64::MAX {
        return Err("more ground states than can be counted".into());
    }
    println!(
        "{rows} x {columns} spins: energy {} ({:.4} a spin), in {} states",
        -found.value,
        f64::from(-found.value) / (rows * columns) as f64,
        found.count
    );
    Ok(())
}
