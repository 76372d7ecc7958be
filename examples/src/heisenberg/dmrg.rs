//! The density-matrix renormalization group.
//!
//! S. R. White, Phys. Rev. Lett. 69, 2863 (1992); in terms of matrix product states U. Schollwöck, Ann. Phys. 326, 96 (2011),
//! arXiv:1008.3477.
//!
//! The state is a chain of tensors `A[a, p, b]`, `p` a spin, `a` and `b` its bonds. A sweep goes from bond to bond and back.
//! At a bond, all other sites are summed up in two environments, `L[a, w, b]` and `R[d, x, c]`, in which `w` and `x` are bonds
//! of the operator `H` and the others those of the state on either side of it. What acts on the two sites between them is one
//! einsum of five operands:
//!
//! ```text
//!  a         p    q         d
//!  │╲        │    │        ╱│
//!  │ L ─w─── W ─v─ W ─x── R │        H ψ [a, p, q, d] = Σ L[a, w, b] ψ[b, s, t, c] W[w, v, p, s] W[v, x, q, t] R[d, x, c]
//!  │╱        │    │        ╲│
//!  b ─────── s ─ψ─ t ────── c
//! ```
//!
//! Lanczos finds its lowest state, and an SVD splits that in two again, with at most `χ` singular values.

use super::lanczos::{State, lowest};
use super::operator;
use cteinsum::{Engine, Tensor, einsum};
use faer::Mat;
use std::{error::Error, fmt};

/// A decomposition did not converge, which finite elements are not known to cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoConvergence;

impl fmt::Display for NoConvergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an eigenvalue or singular value decomposition did not converge")
    }
}

impl Error for NoConvergence {}

/// A chain and what is known of its ground state.
pub struct Chain {
    sites: Vec<Tensor<f64, 3>>,
    operator: Tensor<f64, 4>,
    /// By bond, from the left end on: everything to the left of it; those of the bonds that the sweep has passed are up to
    /// date.
    left: Vec<Tensor<f64, 3>>,
    /// By bond: everything to the right of it.
    right: Vec<Tensor<f64, 3>>,
    engine: Engine,
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("spins", &self.sites.len())
            .finish_non_exhaustive()
    }
}

/// Which of the two halves of a split state carries the singular values: the one that the sweep goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Towards {
    Left,
    Right,
}

/// What a sweep has found.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The lowest energy.
    pub energy: f64,
    /// The greatest sum of the squares of the singular values left out at a bond.
    pub left_out: f64,
    /// The largest bond.
    pub bond: usize,
}

impl Chain {
    /// A chain of `n` spins, up and down in turn.
    ///
    /// # Panics
    /// If `n` is less than 2.
    pub fn new(n: usize, engine: Engine) -> Chain {
        assert!(n >= 2, "a chain of at least two spins");
        let sites =
            (0..n).map(|i| Tensor::from_fn([1, 2, 1], |[_, p, _]| f64::from(u8::from(p == i % 2))));
        let end =
            |state: usize| Tensor::from_fn([1, 5, 1], |[_, w, _]| f64::from(u8::from(w == state)));
        let mut chain = Chain {
            sites: sites.collect(),
            operator: operator(),
            left: vec![end(0); n],
            right: vec![end(4); n],
            engine,
        };
        for bond in (0..n - 1).rev() {
            chain.right[bond] = chain.grown_to_the_left(bond + 1);
        }
        chain
    }

    /// Number of spins.
    pub fn spins(&self) -> usize {
        self.sites.len()
    }

    /// Goes through all bonds and back, with bonds of at most `chi` states; `progress` is told of every bond.
    ///
    /// # Errors
    /// If a decomposition does not converge.
    pub fn sweep(
        &mut self,
        chi: usize,
        mut progress: impl FnMut(usize),
    ) -> Result<Sweep, NoConvergence> {
        let n = self.spins();
        let mut sweep = Sweep {
            energy: f64::INFINITY,
            left_out: 0.0,
            bond: 1,
        };
        for i in 0..n - 1 {
            self.improve(i, chi, Towards::Right, &mut sweep)?;
            self.left[i + 1] = self.grown_to_the_right(i);
            progress(i);
        }
        for i in (0..n - 1).rev() {
            self.improve(i, chi, Towards::Left, &mut sweep)?;
            self.right[i] = self.grown_to_the_left(i + 1);
            progress(i);
        }
        Ok(sweep)
    }

    /// Finds the best state of sites `i` and `i + 1` for what is around them.
    fn improve(
        &mut self,
        i: usize,
        chi: usize,
        towards: Towards,
        sweep: &mut Sweep,
    ) -> Result<(), NoConvergence> {
        let (left, right, w, engine) = (
            &self.left[i],
            &self.right[i + 1],
            &self.operator,
            &mut self.engine,
        );
        let guess = einsum!(
            "apb,bqd->apqd",
            self.sites[i],
            self.sites[i + 1],
            engine = &mut *engine
        );
        let apply = |psi: &State| {
            einsum!(
                "awb,bstc,wvps,vxqt,dxc->apqd",
                left,
                psi,
                w,
                w,
                right,
                engine = &mut *engine
            )
        };
        let (energy, state) = lowest(apply, &guess, 1e-10)?;
        let (first, second, left_out) = split(&state, chi, towards)?;
        sweep.energy = sweep.energy.min(energy);
        sweep.left_out = sweep.left_out.max(left_out);
        sweep.bond = sweep.bond.max(first.shape()[2]);
        (self.sites[i], self.sites[i + 1]) = (first, second);
        Ok(())
    }

    /// The environment to the left of site `i`, with the site.
    fn grown_to_the_right(&mut self, i: usize) -> Tensor<f64, 3> {
        let (l, a, w) = (&self.left[i], &self.sites[i], &self.operator);
        einsum!(
            "awb,apc,wvps,bsd->cvd",
            l,
            a,
            w,
            a,
            engine = &mut self.engine
        )
    }

    /// The environment to the right of site `i`, with the site.
    fn grown_to_the_left(&mut self, i: usize) -> Tensor<f64, 3> {
        let (r, a, w) = (&self.right[i], &self.sites[i], &self.operator);
        einsum!(
            "cvd,apc,wvps,bsd->awb",
            r,
            a,
            w,
            a,
            engine = &mut self.engine
        )
    }
}

/// Singular values below this fraction of the largest are rounding noise.
const NOISE: f64 = 1e-13;

/// Splits two sites; the squares of what is left out sum up to the number behind.
fn split(
    state: &State,
    chi: usize,
    towards: Towards,
) -> Result<(Tensor<f64, 3>, Tensor<f64, 3>, f64), NoConvergence> {
    let [a, p, q, d] = *state.shape();
    let matrix = Mat::from_fn(a * p, q * d, |r, c| state[[r / p, r % p, c / d, c % d]]);
    let svd = matrix.thin_svd().map_err(|_| NoConvergence)?;
    let (u, s, v) = (svd.U(), svd.S().column_vector(), svd.V());
    let kept = (0..s.nrows().min(chi))
        .take_while(|&x| s[x] > NOISE * s[0])
        .count();
    let square = |x: usize| s[x] * s[x];
    let left_out: f64 = (kept..s.nrows()).map(square).sum();
    let norm = (0..kept).map(square).sum::<f64>().sqrt();
    let weight = |x: usize, side: Towards| if side == towards { s[x] / norm } else { 1.0 };
    let first = Tensor::from_fn([a, p, kept], |[i, j, x]| {
        u[(i * p + j, x)] * weight(x, Towards::Left)
    });
    let second = Tensor::from_fn([kept, q, d], |[x, k, l]| {
        v[(k * d + l, x)] * weight(x, Towards::Right)
    });
    Ok((first, second, left_out))
}
