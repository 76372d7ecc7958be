//! The command line of the example.

use lexopt::prelude::*;
use std::{error::Error, path::PathBuf, thread::available_parallelism};

/// What `--help` prints.
pub const HELP: &str = "\
A picture of 256 x 256 pixels as a tensor train, fitted by gradient descent
with the gradients of `einsum_vjp!`. Writes the picture beside its fit.

Usage: tensor_train_image [OPTIONS]

Options:
  --bond N       length of the bonds, 1 to 256   [default: 48]
  --steps N      steps of the descent            [default: 500]
  --seed N       of the numbers it starts with   [default: 1]
  --threads N    threads of the contractions     [default: the cores, at most 4]
  --png FILE     where the pictures go           [default: tensor_train.png]
  -h, --help     this text
";

/// What to fit, and with what.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Length of the bonds.
    pub bond: usize,
    /// Steps of the descent.
    pub steps: usize,
    /// Seed of the start.
    pub seed: u64,
    /// Threads of the engine.
    pub threads: usize,
    /// File of the pictures.
    pub png: PathBuf,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            bond: 48,
            steps: 500,
            seed: 1,
            threads: available_parallelism().map_or(1, |cores| cores.get().min(4)),
            png: PathBuf::from("tensor_train.png"),
        }
    }
}

impl Options {
    /// Reads arguments; `None` asks for help.
    ///
    /// # Errors
    /// What cannot be read, or makes no sense.
    pub fn parse(
        arguments: impl IntoIterator<Item = std::ffi::OsString>,
    ) -> Result<Option<Options>, Box<dyn Error>> {
        let mut options = Options::default();
        let mut parser = lexopt::Parser::from_args(arguments);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("bond") => options.bond = parser.value()?.parse()?,
                Long("steps") => options.steps = parser.value()?.parse()?,
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("threads") => options.threads = parser.value()?.parse()?,
                Long("png") => options.png = parser.value()?.into(),
                Short('h') | Long("help") => return Ok(None),
                other => return Err(other.unexpected().into()),
            }
        }
        if !(1..=256).contains(&options.bond) {
            return Err(format!("a bond of {} is not within 1 to 256", options.bond).into());
        }
        if options.steps == 0 {
            return Err("a descent has at least one step".into());
        }
        Ok(Some(options))
    }
}
