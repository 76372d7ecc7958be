//! The command line of the example.

use super::critical_temperature;
use lexopt::prelude::*;
use std::{error::Error, fmt, path::PathBuf, thread::available_parallelism};

/// What `--help` prints.
pub const HELP: &str = "\
The Ising model on the square lattice by the tensor renormalization group:
free energy per site next to Onsager's exact value, and a picture of the error.

Usage: ising_trg [OPTIONS]

Options:
  --chi LIST           bond dimensions, 2 to 64          [default: 8,16,24]
  --temperatures LIST  0.01 to 1000; Tc is the critical one
                                                         [default: 12 from 2 to 2.6]
  --steps N            a torus of 2^N sites, 1 to 200    [default: 25]
  --threads N          threads of the contractions       [default: the cores, at most 4]
  --svg FILE           where the picture goes            [default: ising_trg.svg]
  -h, --help           this text

Lists are separated by commas: --chi 8,16 --temperatures 2.2,Tc,2.35
Table on standard output, progress on standard error.
";

/// What to compute, and with what.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Bond dimensions, ascending.
    pub chi: Vec<usize>,
    /// Temperatures, ascending.
    pub temperatures: Vec<f64>,
    /// Renormalization steps; each halves the number of sites.
    pub steps: u32,
    /// Threads of the contraction engine.
    pub threads: usize,
    /// File of the picture.
    pub svg: PathBuf,
}

impl Default for Options {
    fn default() -> Options {
        let mut temperatures = vec![2.0, 2.1, 2.2, 2.24, 2.26, 2.28, 2.3, 2.35, 2.4, 2.5, 2.6];
        temperatures.push(critical_temperature());
        temperatures.sort_by(f64::total_cmp);
        Options {
            chi: vec![8, 16, 24],
            temperatures,
            steps: 25,
            threads: available_parallelism().map_or(1, |cores| cores.get().min(4)),
            svg: PathBuf::from("ising_trg.svg"),
        }
    }
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Compute and draw.
    Run(Options),
    /// Print [`HELP`].
    Help,
}

/// A command line that cannot be followed, and why.
#[derive(Debug)]
pub struct OptionsError(String);

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for OptionsError {}

impl From<lexopt::Error> for OptionsError {
    fn from(error: lexopt::Error) -> OptionsError {
        OptionsError(error.to_string())
    }
}

impl Command {
    /// Reads a command line, the name of the program not among its `arguments`.
    ///
    /// # Errors
    /// On an unknown option or a value that is missing, not a number or out of range.
    pub fn parse<A: Into<std::ffi::OsString>>(
        arguments: impl IntoIterator<Item = A, IntoIter: 'static>,
    ) -> Result<Command, OptionsError> {
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut options = Options::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("chi") => {
                    options.chi = list("--chi", &parser.value()?.string()?, bond_dimension)?
                }
                Long("temperatures") => {
                    options.temperatures =
                        list("--temperatures", &parser.value()?.string()?, temperature)?;
                }
                Long("steps") => {
                    let value = parser.value()?.string()?;
                    options.steps = within(value.parse(), 1..=200).ok_or_else(|| {
                        OptionsError::value("--steps", &value, "a whole number from 1 to 200")
                    })?;
                }
                Long("threads") => {
                    let value = parser.value()?.string()?;
                    options.threads = within(value.parse(), 1..=1024).ok_or_else(|| {
                        OptionsError::value("--threads", &value, "a whole number from 1 to 1024")
                    })?;
                }
                Long("svg") => options.svg = file(parser.value()?.into())?,
                Short('h') | Long("help") => return Ok(Command::Help),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Command::Run(options))
    }
}

impl OptionsError {
    fn value(option: &str, value: &str, expected: &str) -> OptionsError {
        OptionsError(format!("{option}: expected {expected}, found `{value}`"))
    }
}

fn within<T: PartialOrd, E>(parsed: Result<T, E>, range: std::ops::RangeInclusive<T>) -> Option<T> {
    parsed.ok().filter(|value| range.contains(value))
}

/// Values separated by commas, sorted, each once.
fn list<T: PartialOrd>(
    option: &str,
    text: &str,
    item: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Vec<T>, OptionsError> {
    let mut values = text
        .split(',')
        .map(str::trim)
        .map(|value| item(value).map_err(|expected| OptionsError::value(option, value, expected)))
        .collect::<Result<Vec<T>, OptionsError>>()?;
    values.sort_by(|a, b| a.partial_cmp(b).expect("the ranges exclude NaN"));
    values.dedup();
    Ok(values)
}

/// Above 64 the tensors take gigabytes.
fn bond_dimension(text: &str) -> Result<usize, &'static str> {
    within(text.parse(), 2..=64).ok_or("whole numbers from 2 to 64")
}

fn temperature(text: &str) -> Result<f64, &'static str> {
    if text.eq_ignore_ascii_case("tc") {
        return Ok(critical_temperature());
    }
    within(text.parse(), 0.01..=1000.0).ok_or("temperatures from 0.01 to 1000, or Tc")
}

/// Refuses what could not be written at the end of the run.
fn file(path: PathBuf) -> Result<PathBuf, OptionsError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => std::path::Path::new("."),
    };
    if path.file_name().is_none() || path.is_dir() {
        return Err(OptionsError(format!(
            "--svg: expected the name of a file, found `{}`",
            path.display()
        )));
    }
    if !folder.is_dir() {
        return Err(OptionsError(format!(
            "--svg: there is no folder `{}`",
            folder.display()
        )));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(arguments: &[&str]) -> Options {
        match Command::parse(
            arguments
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        ) {
            Ok(Command::Run(options)) => options,
            other => panic!("{arguments:?}: {other:?}"),
        }
    }

    fn error(arguments: &[&str]) -> String {
        Command::parse(
            arguments
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        )
        .unwrap_err()
        .to_string()
    }

    #[test]
    fn no_arguments_are_the_defaults() {
        let options = run(&[]);
        assert_eq!(options, Options::default());
        assert_eq!(options.temperatures.len(), 12);
        assert!(options.temperatures.is_sorted());
        assert!(options.temperatures.contains(&critical_temperature()));
    }

    #[test]
    fn every_option() {
        let options = run(&[
            "--chi=16,8,16",
            "--temperatures",
            "2.5, Tc,2",
            "--steps",
            "10",
            "--threads=3",
            "--svg",
            "curve.svg",
        ]);
        let expected = Options {
            chi: vec![8, 16],
            temperatures: vec![2.0, critical_temperature(), 2.5],
            steps: 10,
            threads: 3,
            svg: PathBuf::from("curve.svg"),
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn help_wins() {
        for help in ["-h", "--help"] {
            assert_eq!(Command::parse(["--chi", "8", help]).unwrap(), Command::Help);
        }
    }

    #[test]
    fn errors_name_the_option_what_is_expected_and_what_was_found() {
        assert_eq!(
            error(&["--chi", "8,1"]),
            "--chi: expected whole numbers from 2 to 64, found `1`"
        );
        assert_eq!(
            error(&["--chi", "65"]),
            "--chi: expected whole numbers from 2 to 64, found `65`"
        );
        assert_eq!(
            error(&["--chi", "8,,9"]),
            "--chi: expected whole numbers from 2 to 64, found ``"
        );
        for wrong in ["NaN", "0", "-2", "inf", "hot"] {
            let expected = format!(
                "--temperatures: expected temperatures from 0.01 to 1000, or Tc, found `{wrong}`"
            );
            assert_eq!(error(&["--temperatures", wrong]), expected);
        }
        assert_eq!(
            error(&["--threads", "0"]),
            "--threads: expected a whole number from 1 to 1024, found `0`"
        );
        assert_eq!(
            error(&["--steps", "201"]),
            "--steps: expected a whole number from 1 to 200, found `201`"
        );
        assert_eq!(
            error(&["--svg", "."]),
            "--svg: expected the name of a file, found `.`"
        );
        assert_eq!(
            error(&["--svg", "no/such/a.svg"]),
            "--svg: there is no folder `no/such`"
        );
        assert!(error(&["--chi"]).contains("--chi"), "{}", error(&["--chi"]));
        assert!(
            error(&["--ch", "8"]).contains("--ch"),
            "{}",
            error(&["--ch", "8"])
        );
        assert!(error(&["8"]).contains('8'), "{}", error(&["8"]));
    }
}
