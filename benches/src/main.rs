//! Benchmarks: `cargo run --release -p cteinsum-benches --features peers -- fixed`
//!
//! Everything runs on one thread. The contenders of a row run in turns, many short rounds each; a time is the shortest
//! round, so that what else the machine does matters little. Ratios are of such times of one run.

mod choose;
mod clock;
mod fixed;

fn main() {
    let regimes: Vec<String> = std::env::args().skip(1).collect();
    if regimes.is_empty() {
        eprintln!("regimes: choose, fixed");
    }
    for regime in regimes {
        match regime.as_str() {
            "choose" => choose::run(),
            "fixed" => fixed::run(),
            other => {
                eprintln!("no regime `{other}`; there are: choose, fixed");
                std::process::exit(2);
            }
        }
    }
}
