//! Multi-head attention, forward and backward.
//!
//! A. Vaswani et al., *Attention is all you need*, 2017, arXiv:1706.03762: for each head, every position takes a mean of the
//! values at all positions that it may see, weighted by the softmax of the scaled products of its query with their keys.
//!
//! Labels: `b` batch, `h` head, `q` and `k` positions, `d` features of a head, `m` features of the model.

use cteinsum::{Tensor, einsum, einsum_vjp};

/// The matrices of one layer: from the model to queries, keys and values of each head, `[m, h, d]`, and back, `[h, d, m]`.
#[derive(Clone, Debug)]
pub struct Attention {
    /// To queries.
    pub query: Tensor<f32, 3>,
    /// To keys.
    pub key: Tensor<f32, 3>,
    /// To values.
    pub value: Tensor<f32, 3>,
    /// From the heads to the model.
    pub output: Tensor<f32, 3>,
}

impl Attention {
    /// A layer with small elements that look random.
    pub fn sample(model: usize, heads: usize, features: usize) -> Attention {
        let scale = 1.0 / (model as f32).sqrt();
        let matrix = |shape, seed: u32| {
            let mut state = seed;
            Tensor::from_fn(shape, |_| scale * noise(&mut state))
        };
        Attention {
            query: matrix([model, heads, features], 1),
            key: matrix([model, heads, features], 2),
            value: matrix([model, heads, features], 3),
            output: matrix([heads, features, model], 4),
        }
    }

    /// `x[b, q, m]` to a result of the same shape; no position sees a later one if `causal`.
    pub fn forward(&self, x: &Tensor<f32, 3>, causal: bool) -> Tensor<f32, 3> {
        let q = einsum!("bqm,mhd->bhqd", x, self.query);
        let k = einsum!("bkm,mhd->bhkd", x, self.key);
        let v = einsum!("bkm,mhd->bhkd", x, self.value);
        let mut weights = einsum!("bhqd,bhkd->bhqk", q, k);
        softmax(&mut weights, self.scale(), causal);
        // Three operands: which two meet first depends on the lengths.
        einsum!("bhqk,bhkd,hdm->bqm", weights, v, self.output)
    }

    /// The gradient of `Σ dy · forward(x)` by the values and the matrix behind them, for given weights: two of the products
    /// of the layer, backwards.
    pub fn gradient_behind_weights(
        &self,
        weights: &Tensor<f32, 4>,
        v: &Tensor<f32, 4>,
        dy: &Tensor<f32, 3>,
    ) -> (Tensor<f32, 4>, Tensor<f32, 3>) {
        let (_, pullback) =
            einsum_vjp!("bhqk,bhkd,hdm->bqm", weights, v, self.output, wrt = [1, 2]);
        pullback(dy)
    }

    /// The same as [`forward`](Attention::forward) by loops, one number after the other.
    pub fn by_loops(&self, x: &Tensor<f32, 3>, causal: bool) -> Tensor<f32, 3> {
        let [batch, length, model] = *x.shape();
        let [_, heads, features] = *self.query.shape();
        let mut y = Tensor::zeros([batch, length, model]);
        let project = |b: usize, at: usize, matrix: &Tensor<f32, 3>, h: usize, d: usize| -> f32 {
            (0..model).map(|m| x[[b, at, m]] * matrix[[m, h, d]]).sum()
        };
        for (b, h) in (0..batch).flat_map(|b| (0..heads).map(move |h| (b, h))) {
            let rows = |matrix| -> Vec<Vec<f32>> {
                (0..length)
                    .map(|at| {
                        (0..features)
                            .map(|d| project(b, at, matrix, h, d))
                            .collect()
                    })
                    .collect()
            };
            let (queries, keys, values) = (rows(&self.query), rows(&self.key), rows(&self.value));
            for (at, query) in queries.iter().enumerate() {
                let seen = if causal { at + 1 } else { length };
                let scores = keys[..seen].iter().map(|key| {
                    let product: f32 = query.iter().zip(key).map(|(q, k)| q * k).sum();
                    product * self.scale()
                });
                let scores: Vec<f32> = scores.collect();
                let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let total: f32 = scores.iter().map(|s| (s - greatest).exp()).sum();
                for (score, value) in scores.iter().zip(&values) {
                    let weight = (score - greatest).exp() / total;
                    for m in 0..model {
                        let out = (0..features).map(|d| value[d] * self.output[[h, d, m]]);
                        y[[b, at, m]] += weight * out.sum::<f32>();
                    }
                }
            }
        }
        y
    }

    fn scale(&self) -> f32 {
        1.0 / (self.query.shape()[2] as f32).sqrt()
    }
}

/// Numbers from -1 to 1 that look random.
pub fn noise(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as f32 / (1 << 23) as f32 - 1.0
}

/// `exp(scale · w)` over the last axis, divided by its sum.
pub fn softmax(weights: &mut Tensor<f32, 4>, scale: f32, causal: bool) {
    let [_, _, queries, keys] = *weights.shape();
    if keys == 0 {
        return;
    }
    for (i, row) in weights.as_mut_slice().chunks_exact_mut(keys).enumerate() {
        let seen = if causal {
            (i % queries + 1).min(keys)
        } else {
            keys
        };
        let (row, hidden) = row.split_at_mut(seen);
        hidden.fill(0.0);
        let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for w in row.iter_mut() {
            *w = (scale * (*w - greatest)).exp();
            total += *w;
        }
        row.iter_mut().for_each(|w| *w /= total);
    }
}
