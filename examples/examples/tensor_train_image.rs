//! A picture as a tensor train, fitted by gradient descent with the gradients of `einsum_vjp!`.
//!
//! ```text
//! cargo run --release --example tensor_train_image
//! cargo run --release --example tensor_train_image -- --help
//! ```
//!
//! The train and its gradient are in `examples/src/picture/train.rs`.

use cteinsum::Engine;
use cteinsum_examples::picture::{
    options::{HELP, Options},
    png, scene,
    train::{Descent, Train, decibels},
};
use std::{
    error::Error,
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::Instant,
};

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args_os().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("tensor_train_image: {error}\nTry --help.");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tensor_train_image: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::with_threads(options.threads)?;
    let picture = scene::draw();
    let mut train = Train::random(options.bond, options.seed);
    writeln!(
        io::stdout(),
        "{} numbers for a picture of {} (1 : {:.1}), bonds of {}, {} steps, threads: {}",
        train.numbers(),
        picture.len(),
        picture.len() as f64 / train.numbers() as f64,
        options.bond,
        options.steps,
        options.threads
    )?;
    let mut descent = Descent::new(&train, 0.02);
    let start = Instant::now();
    for step in 0..options.steps {
        let (_, error, gradient) = train.compare(&picture, &mut engine);
        show(step, options.steps, error, start);
        descent.step(&mut train, &gradient, step as f64 / options.steps as f64);
    }
    let (fit, error, _) = train.compare(&picture, &mut engine);
    show(options.steps, options.steps, error, start);
    eprintln!();
    png::write(&options.png, &[&picture, &fit])?;
    writeln!(
        io::stdout(),
        "mean squared error {error:.3e}, {:.2} dB; the picture and its fit are in {}",
        decibels(error),
        options.png.display()
    )?;
    Ok(())
}

/// A bar on a terminal, a line now and then elsewhere.
fn show(step: usize, steps: usize, error: f64, start: Instant) {
    let (terminal, width) = (io::stderr().is_terminal(), 30);
    let tenth = step.is_multiple_of(steps.div_ceil(10)) || step == steps;
    if !(terminal || tenth) {
        return;
    }
    let done = width * step / steps;
    let mut stderr = io::stderr().lock();
    let (before, after) = if terminal { ("\r", "") } else { ("", "\n") };
    // Progress that nobody can see is no reason to stop.
    let _ = write!(
        stderr,
        "{before}[{:<width$}] {step:>5}/{steps}  {:6.2} dB  {:5.1} s{after}",
        "#".repeat(done),
        decibels(error),
        start.elapsed().as_secs_f64()
    );
    let _ = stderr.flush();
}
