//! The tensor train: its value, its gradient, and the descent.

use super::{LEVELS, SIDE};
use cteinsum::{Engine, Tensor, einsum_vjp};

/// Eight cores; the first one also has the index of the colour.
#[derive(Clone, Debug)]
pub struct Train {
    first: Tensor<f64, 3>,
    inner: [Tensor<f64, 3>; 6],
    last: Tensor<f64, 2>,
}

/// Bonds cannot be longer than what is on one side of them.
fn bonds(bond: usize) -> [usize; 7] {
    core::array::from_fn(|n| {
        let left = 3 << (2 * (n + 1));
        let right = 1 << (2 * (LEVELS - n - 1));
        bond.min(left).min(right)
    })
}

impl Train {
    /// Seeded numbers, of a size that gives the picture's numbers about the size of 1.
    pub fn random(bond: usize, seed: u64) -> Train {
        let bonds = bonds(bond);
        let mut state = seed;
        let mut number = |bond: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
            (2.0 * uniform - 1.0) * (3.0 / bond as f64).sqrt()
        };
        Train {
            first: Tensor::from_fn([3, 4, bonds[0]], |_| number(3)),
            inner: core::array::from_fn(|n| {
                Tensor::from_fn([bonds[n], 4, bonds[n + 1]], |_| number(bonds[n]))
            }),
            last: Tensor::from_fn([bonds[6], 4], |_| number(bonds[6])),
        }
    }

    /// How many numbers the cores hold.
    pub fn numbers(&self) -> usize {
        self.cores().iter().map(|core| core.len()).sum()
    }

    fn cores(&self) -> [&[f64]; LEVELS] {
        let [b, c, d, e, f, g] = &self.inner;
        [
            self.first.as_slice(),
            b.as_slice(),
            c.as_slice(),
            d.as_slice(),
            e.as_slice(),
            f.as_slice(),
            g.as_slice(),
            self.last.as_slice(),
        ]
    }

    fn cores_mut(&mut self) -> [&mut [f64]; LEVELS] {
        let [b, c, d, e, f, g] = &mut self.inner;
        [
            self.first.as_mut_slice(),
            b.as_mut_slice(),
            c.as_mut_slice(),
            d.as_mut_slice(),
            e.as_mut_slice(),
            f.as_mut_slice(),
            g.as_mut_slice(),
            self.last.as_mut_slice(),
        ]
    }

    /// The sum of all its numbers squared.
    pub fn squared(&self) -> f64 {
        self.cores().into_iter().flatten().map(|x| x * x).sum()
    }

    /// Adds a multiple of another one of the same bonds, number by number.
    pub fn add(&mut self, scale: f64, other: &Train) {
        for (core, other) in self.cores_mut().into_iter().zip(other.cores()) {
            for (x, y) in core.iter_mut().zip(other) {
                *x += scale * y;
            }
        }
    }

    /// The picture that the train stands for, the mean squared difference from another one, and the gradient of that.
    pub fn compare(
        &self,
        picture: &Tensor<f64, 2>,
        engine: &mut Engine,
    ) -> (Tensor<f64, 2>, f64, Train) {
        let Train {
            first: a,
            inner: [b, c, d, e, f, g],
            last: h,
        } = self;
        let (fit, pullback) = einsum_vjp!(
            "kpa,aqb,brc,csd,dte,euf,fvg,gw->kpqrstuvw",
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            engine = &mut *engine
        );
        let pixels = picture.as_slice();
        let mut difference = fit.clone();
        let (mut sum, scale) = (0.0, 2.0 / pixels.len() as f64);
        for (value, pixel) in difference.as_mut_slice().iter_mut().zip(pixels) {
            let off = *value - pixel;
            sum += off * off;
            *value = scale * off;
        }
        let (da, db, dc, dd, de, df, dg, dh) = pullback.call_in(engine, &difference);
        let gradient = Train {
            first: da,
            inner: [db, dc, dd, de, df, dg],
            last: dh,
        };
        let fit = Tensor::from_vec([3, SIDE * SIDE], fit.into_vec());
        (fit, sum / pixels.len() as f64, gradient)
    }
}

/// Gradient descent with moments (Kingma and Ba, *Adam*, ICLR 2015): the step along each number is scaled by what its
/// gradient has been.
#[derive(Debug)]
pub struct Descent {
    rate: f64,
    steps: i32,
    /// By core and number: mean and mean square of the gradient.
    moments: Vec<Vec<[f64; 2]>>,
}

impl Descent {
    /// Starts with a step of this length.
    pub fn new(train: &Train, rate: f64) -> Descent {
        let moments = train.cores().map(|core| vec![[0.0; 2]; core.len()]);
        Descent {
            rate,
            steps: 0,
            moments: moments.into(),
        }
    }

    /// One step downhill; `progress` from 0 to 1 makes steps shorter towards the end.
    pub fn step(&mut self, train: &mut Train, gradient: &Train, progress: f64) {
        let (slow, fast): (f64, f64) = (0.9, 0.99);
        self.steps += 1;
        let unbiased = [1.0 - slow.powi(self.steps), 1.0 - fast.powi(self.steps)];
        let rate = self.rate * (0.5 + 0.5 * (core::f64::consts::PI * progress).cos());
        let gradients = gradient.cores();
        for ((core, gradient), moments) in train
            .cores_mut()
            .into_iter()
            .zip(gradients)
            .zip(&mut self.moments)
        {
            for ((x, dx), [mean, square]) in core.iter_mut().zip(gradient).zip(moments) {
                *mean += (1.0 - slow) * (dx - *mean);
                *square += (1.0 - fast) * (dx * dx - *square);
                *x -= rate * (*mean / unbiased[0]) / ((*square / unbiased[1]).sqrt() + 1e-12);
            }
        }
    }
}

/// Decibels of a mean squared error, of numbers from 0 to 1: the peak signal-to-noise ratio.
pub fn decibels(error: f64) -> f64 {
    -10.0 * error.log10()
}
