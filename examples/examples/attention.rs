//! Multi-head attention, checked against the textbook's loops.
//!
//! ```text
//! cargo run --release --example attention
//! cargo run --release --example attention -- 8 512 512 8    # batch, length, features of the model, heads
//! ```
//!
//! The einsums are in `examples/src/attention.rs`.

use cteinsum::Tensor;
use cteinsum_examples::attention::{Attention, noise};
use std::{error::Error, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: attention [batch] [length] [features of the model] [heads, a divisor of the features]";
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| match arguments.next() {
        None => Ok(default),
        Some(text) => text.parse().ok().filter(|&n| n > 0).ok_or(usage),
    };
    let (batch, length, model, heads) = (number(4)?, number(256)?, number(256)?, number(8)?);
    if model % heads != 0 {
        return Err(usage.into());
    }

    for causal in [false, true] {
        let layer = Attention::sample(24, 3, 8);
        let x = sample([2, 17, 24]);
        let (found, expected) = (layer.forward(&x, causal), layer.by_loops(&x, causal));
        let pairs = found.iter().zip(expected.iter());
        let worst = pairs.fold(0.0f32, |worst, (a, b)| worst.max((a - b).abs()));
        if worst > 1e-5 {
            return Err(format!("{worst:e} from the loops").into());
        }
        let seen = if causal {
            "what came before"
        } else {
            "everything"
        };
        println!("2 x 17 positions that see {seen}: within {worst:.1e} of the loops");
    }

    let layer = Attention::sample(model, heads, model / heads);
    let x = sample([batch, length, model]);
    println!("\n{batch} x {length} positions, {model} features, {heads} heads");
    for round in 1..=5 {
        let start = Instant::now();
        let y = layer.forward(&x, true);
        let time = start.elapsed().as_secs_f64();
        let mean = y.iter().map(|v| v * v).sum::<f32>() / y.len() as f32;
        println!(
            "round {round}: {:8.3} ms, mean square {mean:.6}",
            1e3 * time
        );
    }
    Ok(())
}

fn sample(shape: [usize; 3]) -> Tensor<f32, 3> {
    let mut state = 5;
    Tensor::from_fn(shape, |_| noise(&mut state))
}
