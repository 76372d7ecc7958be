//! The lowest eigenvector of a symmetric operator on tensors.
//!
//! C. Lanczos, J. Res. Natl. Bur. Stand. 45, 255 (1950), with the whole basis kept orthogonal.

use super::dmrg::NoConvergence;
use cteinsum::{Tensor, einsum};
use faer::{Mat, Side};

/// Two sites and the bonds around them.
pub(super) type State = Tensor<f64, 4>;

/// Dimension of the subspace.
const BASIS: usize = 12;
/// Restarts from the best vector so far.
const ROUNDS: usize = 3;

fn dot(x: &State, y: &State) -> f64 {
    einsum!("apqd,apqd->", x, y)
}

fn normalized(x: &State) -> State {
    let norm = dot(x, x).sqrt();
    einsum!([a, p, q, d] = x[a, p, q, d] / norm)
}

/// The lowest eigenvalue and its normalized vector, improved from `start` until the residual is below `tolerance`, or for a
/// few rounds: a sweep of DMRG comes back to every bond.
pub(super) fn lowest(
    mut apply: impl FnMut(&State) -> State,
    start: &State,
    tolerance: f64,
) -> Result<(f64, State), NoConvergence> {
    let mut best = normalized(start);
    let mut energy = f64::NAN;
    for _ in 0..ROUNDS {
        let mut basis = vec![best.clone()];
        let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
        let residual = loop {
            let last = &basis[basis.len() - 1];
            let mut next = apply(last);
            diagonal.push(dot(last, &next));
            // Twice, because once leaves what rounding brought in.
            for _ in 0..2 {
                for v in &basis {
                    let overlap = dot(v, &next);
                    einsum!(next[a, p, q, d] -= overlap * v[a, p, q, d]);
                }
            }
            let norm = dot(&next, &next).sqrt();
            let (value, vector) = lowest_of_tridiagonal(&diagonal, &beside)?;
            energy = value;
            let residual = norm * vector[vector.len() - 1].abs();
            if residual < tolerance || basis.len() == BASIS {
                let mut combined = State::zeros(*best.shape());
                for (c, v) in vector.iter().copied().zip(&basis) {
                    einsum!(combined[a, p, q, d] += c * v[a, p, q, d]);
                }
                best = normalized(&combined);
                break residual;
            }
            beside.push(norm);
            basis.push(einsum!([a, p, q, d] = next[a, p, q, d] / norm));
        };
        if residual < tolerance {
            break;
        }
    }
    Ok((energy, best))
}

fn lowest_of_tridiagonal(
    diagonal: &[f64],
    beside: &[f64],
) -> Result<(f64, Vec<f64>), NoConvergence> {
    let n = diagonal.len();
    let matrix = Mat::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => beside[i.min(j)],
        _ => 0.0,
    });
    let eigen = matrix
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| NoConvergence)?;
    // Ascending.
    let vector = (0..n).map(|i| eigen.U()[(i, 0)]).collect();
    Ok((eigen.S()[0], vector))
}
