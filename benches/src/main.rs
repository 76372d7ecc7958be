//! Benchmarks: `cargo run --release -p cteinsum-benches --features peers -- fixed`
//!
//! Everything runs on one thread, but for the regime `threads`. The contenders of a row run in turns, many short rounds each; a time is the shortest
//! round, so that what else the machine does matters little. Ratios are of such times of one run.
//!
//! `-- --json race.jsonl all` writes the rows of the race down, `benches/python_peers.py race.jsonl all.jsonl` adds NumPy,
//! JAX, torch and opt_einsum, and `-- page all.jsonl docs` makes `docs/performance.md` of them, with its pictures.

mod choose;
mod clock;
mod fit;
mod fixed;
mod gradient;
#[cfg(feature = "peers")]
mod marks;
mod mixed;
#[cfg(feature = "peers")]
mod page;
#[cfg(feature = "peers")]
mod peers;
mod planners;
#[cfg(feature = "peers")]
mod race;
#[cfg(feature = "peers")]
mod record;
mod regret;
#[cfg(feature = "tropical")]
mod tropical;

const REGIMES: &str = "regimes: choose, fit, fixed, gradient, mixed, planners, regret; with the feature tropical also tropical; with the feature peers also tiny, gemm, batch, permuted, network, \
    transpose, sum, elementwise, integer, fresh, calls, threads, or all of these: all";

fn main() {
    let regimes: Vec<String> = std::env::args().skip(1).collect();
    if regimes.is_empty() {
        eprintln!("{REGIMES}");
    }
    if let [planners, rest @ ..] = regimes.as_slice()
        && planners == "planners"
    {
        planners::run(rest.first().map(String::as_str));
        return;
    }
    #[cfg(feature = "peers")]
    if let [page, lines, folder] = regimes.as_slice()
        && page == "page"
    {
        if let Err(error) = page::write(lines.as_ref(), folder.as_ref()) {
            eprintln!("{lines}: {error}");
            std::process::exit(1);
        }
        return;
    }
    #[cfg(feature = "peers")]
    let regimes = match regimes.as_slice() {
        [option, path, rest @ ..] if option == "--json" => {
            if let Err(error) = record::open(path) {
                eprintln!("{path}: {error}");
                std::process::exit(1);
            }
            rest.to_vec()
        }
        all => all.to_vec(),
    };
    for regime in regimes {
        match regime.as_str() {
            "choose" => choose::run(),
            "fit" => fit::run(),
            "fixed" => fixed::run(),
            "gradient" => gradient::run(),
            "mixed" => mixed::run(),
            "regret" => regret::run(),
            #[cfg(feature = "tropical")]
            "tropical" => tropical::run(),
            #[cfg(feature = "peers")]
            other if race::run(other) => {}
            other => {
                eprintln!("no regime `{other}`. {REGIMES}");
                std::process::exit(2);
            }
        }
    }
}
