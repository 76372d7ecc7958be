//! The ±J spin glass on a square lattice: its ground-state energy and in how many states it is reached.
//!
//! E = -Σ J s t over neighbours s and t, each J is 1 or -1 at random, and the edges are open. The greatest of -E over all
//! states, with how often it is reached, is an einsum in the algebra of max and plus that counts: one matrix of a bond,
//! `bond[s, t] = J s t`, one label a spin. Row by row it goes through the lattice with one array over the states of a row.

use cteinsum::algebra::{Count, Counted};
use cteinsum::{DynTensor, Einsum, EinsumError, Engine, Tensor};

/// The elements: whole numbers, so that equal energies are equal.
pub type Energy = Counted<i32>;

/// The bonds of a lattice with so many rows and columns.
#[derive(Debug)]
pub struct Glass {
    rows: usize,
    columns: usize,
    /// By row; `columns - 1` a row.
    across: Vec<i32>,
    /// By row; `columns` a row, but for the last.
    down: Vec<i32>,
}

impl Glass {
    /// Random bonds.
    ///
    /// # Panics
    /// If there is no site, or if a row is too long for an array over its states (30 sites).
    pub fn random(rows: usize, columns: usize, seed: u64) -> Glass {
        assert!(
            rows > 0 && (1..=30).contains(&columns),
            "a lattice of rows of 1 to 30 spins"
        );
        let mut random = seed;
        let mut bond = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if random >> 63 == 0 { 1 } else { -1 }
        };
        Glass {
            rows,
            columns,
            across: (0..rows * (columns - 1)).map(|_| bond()).collect(),
            down: (0..(rows - 1) * columns).map(|_| bond()).collect(),
        }
    }

    /// The greatest -E and the number of states that reach it; `progress` is told of every row that is done.
    ///
    /// # Errors
    /// If a row has more states than memory can hold.
    pub fn ground_state(
        &self,
        engine: &mut Engine,
        mut progress: impl FnMut(usize),
    ) -> Result<Energy, EinsumError> {
        let n = self.columns;
        let mut best = DynTensor::full(vec![2; n], Counted::once(0));
        for row in 0..self.rows {
            for site in 0..n {
                if row > 0 {
                    // The spin above gives way to the one below it: best[.., s, ..] bond[s, t] -> [.., t, ..].
                    let bond = matrix(self.down[(row - 1) * n + site]);
                    let (above, all): (usize, Vec<usize>) = (site, (0..n).collect());
                    let mut below = all.clone();
                    below[site] = n;
                    let step = Einsum::new(&[&all, &[above, n]], &below)?;
                    best = step.contract_in::<Count, _>(engine, &[best.view(), bond.as_dyn()])?;
                }
                if site > 0 {
                    let bond = matrix(self.across[row * (n - 1) + site - 1]);
                    let all: Vec<usize> = (0..n).collect();
                    let step = Einsum::new(&[&all, &[site - 1, site]], &all)?;
                    best = step.contract_in::<Count, _>(engine, &[best.view(), bond.as_dyn()])?;
                }
            }
            progress(row + 1);
        }
        let all: Vec<usize> = (0..n).collect();
        let sum = Einsum::new(&[&all], &[])?.contract_in::<Count, _>(engine, &[best.view()])?;
        Ok(sum.as_slice()[0])
    }

    /// The same by going through all states.
    ///
    /// # Panics
    /// If there are more than 24 spins.
    pub fn by_brute_force(&self) -> Energy {
        let sites = self.rows * self.columns;
        assert!(sites <= 24, "{sites} spins have too many states");
        let mut best = Counted {
            value: i32::MIN,
            count: 0,
        };
        for state in 0..1u32 << sites {
            let spin = |row: usize, column: usize| {
                if state >> (row * self.columns + column) & 1 == 0 {
                    1
                } else {
                    -1
                }
            };
            let mut value = 0;
            for row in 0..self.rows {
                for column in 0..self.columns {
                    let here = spin(row, column);
                    if column > 0 {
                        let bond = self.across[row * (self.columns - 1) + column - 1];
                        value += bond * spin(row, column - 1) * here;
                    }
                    if row > 0 {
                        let bond = self.down[(row - 1) * self.columns + column];
                        value += bond * spin(row - 1, column) * here;
                    }
                }
            }
            if value > best.value {
                best = Counted::once(value);
            } else if value == best.value {
                best.count += 1;
            }
        }
        best
    }
}

/// J s t by the states of two spins.
fn matrix(bond: i32) -> Tensor<Energy, 2> {
    Tensor::from_fn([2, 2], |[s, t]| {
        Counted::once(if s == t { bond } else { -bond })
    })
}
