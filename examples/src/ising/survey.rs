//! A run over temperatures and bond dimensions.

use super::{onsager, options::Options, trg};
use cteinsum::Engine;
use std::{
    error::Error,
    io,
    time::{Duration, Instant},
};

/// The free energy per site at one temperature with one bond dimension.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Temperature.
    pub temperature: f64,
    /// Largest bond dimension.
    pub chi: usize,
    /// Free energy per site by TRG.
    pub free_energy: f64,
    /// Onsager's value.
    pub exact: f64,
    /// Time that it took.
    pub time: Duration,
}

impl Row {
    /// `|free_energy / exact - 1|`
    pub fn relative_error(&self) -> f64 {
        ((self.free_energy - self.exact) / self.exact).abs()
    }
}

/// Computes all that `options` asks for, temperature by temperature, and shows `done` the rows of each when it has
/// them.
///
/// # Errors
/// If an SVD does not converge, or `done` fails.
pub fn survey(
    options: &Options,
    engine: &mut Engine,
    mut done: impl FnMut(&[Row]) -> io::Result<()>,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for &temperature in &options.temperatures {
        let exact = onsager::free_energy(temperature);
        let first = rows.len();
        for &chi in &options.chi {
            let start = Instant::now();
            let free_energy = trg::free_energy(temperature, chi, options.steps, engine)?;
            rows.push(Row {
                temperature,
                chi,
                free_energy,
                exact,
                time: start.elapsed(),
            });
        }
        done(&rows[first..])?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            chi: vec![2, 4],
            temperatures: vec![2.0, 3.0],
            steps: 8,
            ..Options::default()
        }
    }

    #[test]
    fn every_temperature_with_every_bond_dimension_each_shown_once() {
        let mut shown = Vec::new();
        let rows = survey(&options(), &mut Engine::serial(), |rows| {
            shown.push(
                rows.iter()
                    .map(|row| (row.temperature, row.chi))
                    .collect::<Vec<_>>(),
            );
            Ok(())
        })
        .unwrap();
        assert_eq!(shown, [[(2.0, 2), (2.0, 4)], [(3.0, 2), (3.0, 4)]]);
        for row in &rows {
            assert_eq!(row.exact, onsager::free_energy(row.temperature));
            assert!(row.relative_error() < 0.02, "{row:?}");
        }
        assert_eq!(rows.len(), 4);
    }

    #[test]
    fn a_table_that_cannot_be_written_ends_the_run() {
        let mut count = 0;
        let result = survey(&options(), &mut Engine::serial(), |_| {
            count += 1;
            Err(io::Error::other("full"))
        });
        assert_eq!(result.unwrap_err().to_string(), "full");
        assert_eq!(count, 1);
    }
}
