//! Attention against loops, and its gradient against differences.

use cteinsum::{Tensor, einsum};
use cteinsum_examples::attention::{Attention, noise, softmax};

fn sample<const N: usize>(shape: [usize; N], mut state: u32) -> Tensor<f32, N> {
    Tensor::from_fn(shape, |_| noise(&mut state))
}

#[test]
fn forward_is_what_the_loops_give() {
    for (batch, length, model, heads) in [(1, 1, 1, 1), (2, 5, 6, 3), (3, 17, 24, 2)] {
        let layer = Attention::sample(model, heads, model / heads);
        let x = sample([batch, length, model], 9);
        for causal in [false, true] {
            let (found, expected) = (layer.forward(&x, causal), layer.by_loops(&x, causal));
            for (a, b) in found.iter().zip(expected.iter()) {
                assert!((a - b).abs() < 1e-5, "{a} {b}");
            }
        }
    }
}

#[test]
fn no_position_sees_a_later_one() {
    let layer = Attention::sample(8, 2, 4);
    let mut x = sample([1, 6, 8], 3);
    let before = layer.forward(&x, true);
    x[[0, 4, 0]] += 1.0;
    let after = layer.forward(&x, true);
    for at in 0..6 {
        let same = (0..8).all(|m| before[[0, at, m]] == after[[0, at, m]]);
        assert_eq!(same, at < 4, "position {at}");
    }
}

/// The products behind the weights are linear in the values: the difference quotient is exact but for rounding.
#[test]
fn the_gradient_is_that_of_differences() {
    let layer = Attention::sample(6, 2, 3);
    let mut weights = sample([1, 2, 4, 4], 1);
    softmax(&mut weights, 1.0, true);
    let mut v = sample([1, 2, 4, 3], 2);
    let dy = sample([1, 4, 6], 3);
    let loss = |v: &Tensor<f32, 4>| -> f32 {
        einsum!("bhqk,bhkd,hdm,bqm->", weights, v, layer.output, dy)
    };
    let (dv, _) = layer.gradient_behind_weights(&weights, &v, &dy);
    for at in [[0, 0, 0, 0], [0, 1, 3, 2], [0, 1, 2, 1]] {
        let before = loss(&v);
        v[at] += 1.0;
        let difference = loss(&v) - before;
        v[at] -= 1.0;
        assert!(
            (difference - dv[at]).abs() < 1e-4,
            "{difference} {}",
            dv[at]
        );
    }
}
