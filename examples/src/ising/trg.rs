//! The tensor renormalization group.
//!
//! M. Levin and C. P. Nave, *Tensor renormalization group approach to two-dimensional classical lattice models*,
//! Phys. Rev. Lett. 99, 120601 (2007), arXiv:cond-mat/0611687.
//!
//! The partition function is a network with one tensor `T[r, u, l, d]` on every site, its axes the bonds to the
//! right, up, left and down. A step has two halves. First each `T` is split in two, like a matrix by an SVD of
//! which only the `χ` largest singular values stay; the sites of one sublattice along one diagonal (`A`), the
//! others along the other (`B`):
//!
//! ```text
//!       u                     u                      u                  u
//!       │                     │                      │                  │
//!  l ───T─── r    ≈           S₂─── r           l ───T─── r   ≈   l ───S₃
//!       │                   ╱                        │                   ╲
//!       d         l ───S₀ x                          d                   x S₁─── r
//!      (A)             │                            (B)                    │
//!                      d                                                   d
//! ```
//!
//! Then the four halves around every second square meet in a new tensor, whose bonds are the new ones, `x`. The new
//! lattice is turned by 45° and has half as many sites:
//!
//! ```text
//!       u           r
//!        ╲         ╱
//!         S₁──a──S₀
//!         │       │
//!         b       w        T'[r, u, l, d] = Σ  S₀[w, a, r] S₁[a, b, u] S₂[b, g, l] S₃[g, w, d]
//!         │       │                        wabg
//!         S₂──g──S₃
//!        ╱         ╲
//!       l           d
//! ```
//!
//! After `n` steps one tensor stands for `2ⁿ` sites, and joining its own bonds closes them to a torus.

pub use super::split::SvdDidNotConverge;
use super::split::{Parity, split};
use cteinsum::{Engine, Tensor, einsum};

/// `T[r, u, l, d]` and the parities of its bonds. The elements of odd total parity are zero.
struct Site {
    tensor: Tensor<f64, 4>,
    horizontal: Vec<Parity>,
    vertical: Vec<Parity>,
}

/// `ln Z` per site at `temperature` on a torus of `2^steps` sites, with bonds of at most `chi` states.
///
/// # Errors
/// If an SVD does not converge.
pub fn ln_partition_function(
    temperature: f64,
    chi: usize,
    steps: u32,
    engine: &mut Engine,
) -> Result<f64, SvdDidNotConverge> {
    let (mut site, mut ln_z) = initial(1.0 / temperature);
    // Sites of the lattice that one tensor stands for, inverted.
    let mut weight = 1.0;
    for _ in 0..steps {
        ln_z += weight * normalize(&mut site.tensor).ln();
        site = step(&site, chi, engine)?;
        weight /= 2.0;
    }
    // The last tensor alone on its torus: its right bond is its left one, and the upper one the lower.
    let torus: f64 = einsum!("ruru->", site.tensor, engine = &mut *engine);
    Ok(ln_z + weight * torus.ln())
}

/// Free energy per site, `-temperature · ln Z`; see [`ln_partition_function`].
///
/// # Errors
/// If an SVD does not converge.
pub fn free_energy(
    temperature: f64,
    chi: usize,
    steps: u32,
    engine: &mut Engine,
) -> Result<f64, SvdDidNotConverge> {
    Ok(-temperature * ln_partition_function(temperature, chi, steps, engine)?)
}

/// The tensor of a site, over `cosh²β`, and the logarithm of that factor.
///
/// The weight of a bond is `exp(β s s') = cosh β + s s' sinh β = cosh β Σ_p (s √tanh β)^p (s' √tanh β)^p` with
/// `p = 0, 1`. Half of it belongs to the site at either end, and the sum over the spin of the site makes
/// `T[r, u, l, d] = Σ_s (s √tanh β)^(r + u + l + d)`. So a bond has an even state, 0, and an odd one, 1.
fn initial(beta: f64) -> (Site, f64) {
    let tensor = Tensor::from_fn([2; 4], |axes| match axes.iter().sum::<usize>() {
        odd if odd % 2 == 1 => 0.0,
        even => 2.0 * beta.tanh().powi(even as i32 / 2),
    });
    let ln_cosh = beta + (-2.0 * beta).exp().ln_1p() - std::f64::consts::LN_2;
    let bond = vec![Parity::Even, Parity::Odd];
    (
        Site {
            tensor,
            horizontal: bond.clone(),
            vertical: bond,
        },
        2.0 * ln_cosh,
    )
}

/// Divides by the element of largest magnitude and returns that magnitude.
fn normalize(tensor: &mut Tensor<f64, 4>) -> f64 {
    let norm = tensor
        .as_slice()
        .iter()
        .fold(0.0, |max: f64, x| max.max(x.abs()));
    for x in tensor.as_mut_slice() {
        *x /= norm;
    }
    norm
}

/// One step of the renormalization, as in the pictures at the top of this module.
fn step(site: &Site, chi: usize, engine: &mut Engine) -> Result<Site, SvdDidNotConverge> {
    let t = &site.tensor;
    let (h, v) = (site.horizontal.as_slice(), site.vertical.as_slice());
    let a = split(|[u, r], [d, l]| t[[r, u, l, d]], [v, h], [v, h], chi)?;
    let b = split(|[l, u], [r, d]| t[[r, u, l, d]], [h, v], [h, v], chi)?;
    // The square has A sites at the lower left and upper right corners, B sites at the others.
    let (s0, s1, s2, s3) = (a.columns, b.columns, a.rows, b.rows);
    let tensor = einsum!(
        "war,abu,bgl,gwd->ruld",
        s0,
        s1,
        s2,
        s3,
        engine = &mut *engine
    );
    Ok(Site {
        tensor,
        horizontal: a.bond,
        vertical: b.bond,
    })
}
