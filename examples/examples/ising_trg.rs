//! The Ising model by the tensor renormalization group, next to Onsager's exact solution.
//!
//! ```text
//! cargo run --release --example ising_trg
//! cargo run --release --example ising_trg -- --help
//! ```
//!
//! The physics and the `einsum!` are in `examples/src/ising/trg.rs`.

use cteinsum::Engine;
use cteinsum_examples::ising::{
    options::{Command, HELP, Options},
    plot,
    survey::{Row, survey},
};
use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

fn main() -> ExitCode {
    let options = match Command::parse(std::env::args_os().skip(1)) {
        Ok(Command::Run(options)) => options,
        Ok(Command::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("ising_trg: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ising_trg: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::with_threads(options.threads)?;
    let mut table = io::stdout().lock();
    let temperatures = options.temperatures.len();
    writeln!(
        table,
        "Square-lattice Ising model by TRG; sites: 2^{}, temperatures: {temperatures}, threads: {}\n",
        options.steps, options.threads
    )?;
    writeln!(
        table,
        "{:>9} {:>4} {:>17} {:>17} {:>10}",
        "T", "chi", "f per site (TRG)", "f exact (Onsager)", "rel. error"
    )?;
    let start = Instant::now();
    let mut count = 0;
    let rows = survey(options, &mut engine, |rows| {
        count += 1;
        write_rows(&mut table, rows)?;
        show_progress(rows, count, temperatures, start.elapsed());
        Ok(())
    })?;
    let picture = plot::draw(&rows)?;
    std::fs::write(&options.svg, picture)
        .map_err(|error| format!("{}: {error}", options.svg.display()))?;
    writeln!(
        table,
        "\nThe error over temperature is drawn in {}",
        options.svg.display()
    )?;
    Ok(())
}

fn write_rows(table: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    for row in rows {
        writeln!(
            table,
            "{:9.6} {:4} {:17.12} {:17.12} {:10.1e}",
            row.temperature,
            row.chi,
            row.free_energy,
            row.exact,
            row.relative_error()
        )?;
    }
    table.flush()
}

fn show_progress(rows: &[Row], count: usize, all: usize, elapsed: Duration) {
    let time: Duration = rows.iter().map(|row| row.time).sum();
    eprintln!(
        "[{count:2}/{all}] {:.1} s, {:.1} s so far",
        time.as_secs_f64(),
        elapsed.as_secs_f64()
    );
}
