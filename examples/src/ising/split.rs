//! Splitting a tensor in two by a truncated SVD that respects the spin-flip symmetry.
//!
//! Flipping all spins changes nothing, so a matrix made of `T` has an even and an odd block and zeros elsewhere.
//! Each block has an SVD of its own, which is cheaper than that of the whole. It also makes the result well defined:
//! below the critical temperature every even singular value has an odd twin, and an SVD of the whole would return
//! any mixture of the two.

use cteinsum::Tensor;
use faer::Mat;
use std::{error::Error, fmt};

/// Behaviour of a state of a bond when all spins are flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Parity {
    /// Unchanged.
    Even,
    /// Changes its sign.
    Odd,
}

impl Parity {
    fn of_pair(self, other: Parity) -> Parity {
        if self == other {
            Parity::Even
        } else {
            Parity::Odd
        }
    }
}

/// `matrix[[i, j], [k, l]] ≈ Σ_x rows[i, j, x] columns[k, l, x]`.
pub(super) struct Split {
    pub(super) rows: Tensor<f64, 3>,
    pub(super) columns: Tensor<f64, 3>,
    /// Parities of the states of the new bond, `x`.
    pub(super) bond: Vec<Parity>,
}

/// The singular value decomposition of a matrix failed, which finite elements are not known to cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvdDidNotConverge;

impl fmt::Display for SvdDidNotConverge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the singular value decomposition did not converge")
    }
}

impl Error for SvdDidNotConverge {}

/// Singular values below this fraction of the largest are rounding noise.
const NOISE: f64 = 1e-15;

/// Singular values that differ by less than this fraction are taken for equal, and the even one comes first.
const TIE: f64 = 1e-10;

/// Splits `matrix`, given by its elements, whose row and column axes have states of these parities.
/// At most `chi` singular values stay; the square root of each goes to either side.
pub(super) fn split(
    matrix: impl Fn([usize; 2], [usize; 2]) -> f64,
    row_axes: [&[Parity]; 2],
    column_axes: [&[Parity]; 2],
    chi: usize,
) -> Result<Split, SvdDidNotConverge> {
    let blocks = [
        Block::decompose(&matrix, row_axes, column_axes, Parity::Even)?,
        Block::decompose(&matrix, row_axes, column_axes, Parity::Odd)?,
    ];
    let kept = largest(&blocks, chi);
    let mut rows = Tensor::zeros([row_axes[0].len(), row_axes[1].len(), kept.len()]);
    let mut columns = Tensor::zeros([column_axes[0].len(), column_axes[1].len(), kept.len()]);
    for (x, state) in kept.iter().enumerate() {
        let block = &blocks[state.parity as usize];
        let root = state.value.sqrt();
        for (&[i, j], u) in block.rows.iter().zip(block.u.col(state.index).iter()) {
            rows[[i, j, x]] = root * u;
        }
        for (&[k, l], v) in block.columns.iter().zip(block.v.col(state.index).iter()) {
            columns[[k, l, x]] = root * v;
        }
    }
    Ok(Split {
        rows,
        columns,
        bond: kept.iter().map(|state| state.parity).collect(),
    })
}

/// The rows and columns of one parity and the SVD of the block they make.
struct Block {
    rows: Vec<[usize; 2]>,
    columns: Vec<[usize; 2]>,
    u: Mat<f64>,
    values: Vec<f64>,
    v: Mat<f64>,
}

impl Block {
    fn decompose(
        matrix: impl Fn([usize; 2], [usize; 2]) -> f64,
        row_axes: [&[Parity]; 2],
        column_axes: [&[Parity]; 2],
        parity: Parity,
    ) -> Result<Block, SvdDidNotConverge> {
        let rows = pairs(row_axes, parity);
        let columns = pairs(column_axes, parity);
        let block = Mat::from_fn(rows.len(), columns.len(), |r, c| {
            matrix(rows[r], columns[c])
        });
        let svd = block.thin_svd().map_err(|_| SvdDidNotConverge)?;
        let values = svd.S().column_vector().iter().copied().collect();
        Ok(Block {
            rows,
            columns,
            u: svd.U().to_owned(),
            values,
            v: svd.V().to_owned(),
        })
    }
}

/// The pairs of states of two bonds that together have the parity `wanted`.
fn pairs(axes: [&[Parity]; 2], wanted: Parity) -> Vec<[usize; 2]> {
    let [first, second] = axes;
    (0..first.len())
        .flat_map(|i| (0..second.len()).map(move |j| [i, j]))
        .filter(|&[i, j]| first[i].of_pair(second[j]) == wanted)
        .collect()
}

/// A state of the new bond: which singular value of which block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    parity: Parity,
    index: usize,
    value: f64,
}

/// The `chi` largest singular values of both blocks, or as many as there are above the noise.
fn largest(blocks: &[Block; 2], chi: usize) -> Vec<State> {
    let mut states: Vec<State> = [Parity::Even, Parity::Odd]
        .into_iter()
        .zip(blocks)
        .flat_map(|(parity, block)| {
            block
                .values
                .iter()
                .enumerate()
                .map(move |(index, &value)| State {
                    parity,
                    index,
                    value,
                })
        })
        .collect();
    // Stable: the order inside a block stays the SVD's.
    states.sort_by(|a, b| b.value.total_cmp(&a.value));
    if states.len() > chi {
        // Equal values on both sides of the cut: rounding must not choose among them.
        let last = states[chi - 1].value;
        let tied = |state: &State| (state.value - last).abs() <= TIE * last;
        let start = states.iter().position(tied).unwrap_or(chi - 1);
        let end = states.iter().rposition(tied).unwrap_or(chi - 1) + 1;
        states[start..end].sort_by_key(|state| (state.parity, state.index));
        states.truncate(chi);
    }
    let noise = NOISE * states.first().map_or(0.0, |state| state.value);
    states.retain(|state| state.value > noise);
    states
}

#[cfg(test)]
mod tests {
    use super::Parity::{Even, Odd};
    use super::*;

    const ROWS: [&[Parity]; 2] = [&[Even, Odd, Odd], &[Odd, Even]];
    const COLUMNS: [&[Parity]; 2] = [&[Even, Odd], &[Even, Odd, Even]];

    fn parity(axes: [&[Parity]; 2], [i, j]: [usize; 2]) -> Parity {
        axes[0][i].of_pair(axes[1][j])
    }

    /// Elements without a pattern, zero where the parities differ.
    fn symmetric(row: [usize; 2], column: [usize; 2]) -> f64 {
        let position = row[0] * 100 + row[1] * 30 + column[0] * 7 + column[1];
        if parity(ROWS, row) == parity(COLUMNS, column) {
            ((position * position) as f64).sin()
        } else {
            0.0
        }
    }

    fn all(axes: [&[Parity]; 2]) -> impl Iterator<Item = [usize; 2]> {
        (0..axes[0].len()).flat_map(move |i| (0..axes[1].len()).map(move |j| [i, j]))
    }

    fn joined(split: &Split, [i, j]: [usize; 2], [k, l]: [usize; 2]) -> f64 {
        (0..split.bond.len())
            .map(|x| split.rows[[i, j, x]] * split.columns[[k, l, x]])
            .sum()
    }

    #[test]
    fn all_states_give_the_matrix_back_and_have_the_parity_they_say() {
        let split = split(symmetric, ROWS, COLUMNS, 36).unwrap();
        assert_eq!(split.bond.len(), 6);
        for row in all(ROWS) {
            for column in all(COLUMNS) {
                assert!((joined(&split, row, column) - symmetric(row, column)).abs() < 1e-14);
            }
            for (x, &bond) in split.bond.iter().enumerate() {
                assert!(bond == parity(ROWS, row) || split.rows[[row[0], row[1], x]] == 0.0);
            }
        }
    }

    /// Eckart and Young: the squared error is that of the singular values left out.
    #[test]
    fn a_cut_leaves_out_the_smallest_singular_values() {
        let squares = |split: &Split| -> f64 {
            let elements = all(ROWS).flat_map(|row| all(COLUMNS).map(move |column| (row, column)));
            elements
                .map(|(row, column)| (joined(split, row, column) - symmetric(row, column)).powi(2))
                .sum()
        };
        let full = split(symmetric, ROWS, COLUMNS, 36).unwrap();
        let mut values: Vec<f64> = (0..full.bond.len())
            .map(|x| all(ROWS).map(|[i, j]| full.rows[[i, j, x]].powi(2)).sum())
            .collect();
        values.sort_by(f64::total_cmp);
        for left_out in 1..values.len() {
            let cut = split(symmetric, ROWS, COLUMNS, values.len() - left_out).unwrap();
            let expected: f64 = values[..left_out].iter().map(|value| value * value).sum();
            assert_eq!(cut.bond.len(), values.len() - left_out);
            assert!((squares(&cut) - expected).abs() < 1e-13);
        }
    }

    #[test]
    fn rounding_does_not_choose_between_an_even_state_and_its_odd_twin() {
        let pair: [&[Parity]; 2] = [&[Even, Odd], &[Even]];
        for noise in [-1e-13, 0.0, 1e-13] {
            let twins = |row: [usize; 2], column: [usize; 2]| match (row, column) {
                ([0, 0], [0, 0]) => 3.0,
                ([1, 0], [1, 0]) => 3.0 + noise,
                _ => 0.0,
            };
            assert_eq!(split(twins, pair, pair, 1).unwrap().bond, [Even]);
        }
        let larger = |row: [usize; 2], column: [usize; 2]| {
            if row == column {
                3.0 + row[0] as f64
            } else {
                0.0
            }
        };
        assert_eq!(split(larger, pair, pair, 1).unwrap().bond, [Odd]);
    }

    #[test]
    fn states_that_are_only_noise_are_dropped() {
        let rank_one = |[i, j]: [usize; 2], [k, l]: [usize; 2]| {
            let even = parity(ROWS, [i, j]) == Even && parity(COLUMNS, [k, l]) == Even;
            if even {
                ((i + 2 * j + 1) * (k + 3 * l + 1)) as f64
            } else {
                0.0
            }
        };
        assert_eq!(split(rank_one, ROWS, COLUMNS, 36).unwrap().bond, [Even]);
    }
}
