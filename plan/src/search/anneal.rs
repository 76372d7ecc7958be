//! Simulated annealing by rotations: `((c·d)·b)` becomes `((c·b)·d)` or `((d·b)·c)`.

use alloc::vec::Vec;

use super::{random::Random, tree::Growing};
use crate::spec::Cost;

/// Temperatures of the first sweep and of the last: a cost may grow by the inverse of a random number in 0..1 to this power. A
/// hot start leaves little of the tree that it is given, a warm one much.
pub(super) const HOT: f64 = 0.5;
pub(super) const WARM: f64 = 0.25;
const COLD: f64 = 0.02;

/// Sweeps over all steps, colder each time. The steps changed in a rotation are two; the new pair of costs is taken if it
/// is smaller than the old one times a random factor, which is 1 where nothing is hot.
pub(super) fn anneal(tree: &mut Growing, hot: f64, sweeps: usize, random: &mut Random) {
    if tree.leaves < 3 || sweeps == 0 || tree.cost == Cost::Size {
        return;
    }
    let mut kept = alloc::vec![0; tree.words];
    let mut nodes = Vec::new();
    for sweep in 0..sweeps {
        // Linear, and the last sweep is cold.
        let left = (sweeps - 1 - sweep) as f64 / sweeps as f64;
        let temperature = if hot > 0.0 {
            COLD + (hot - COLD) * left
        } else {
            0.0
        };
        tree.upwards_in(&mut nodes);
        for &node in &nodes {
            rotate(tree, node, temperature, random, &mut kept);
        }
    }
}

/// Tries one rotation below a step; `kept` is room for a set of labels.
fn rotate(tree: &mut Growing, node: u32, temperature: f64, random: &mut Random, kept: &mut [u64]) {
    let bits = random.next();
    let (side, swap) = ((bits >> 60 & 1) as usize, (bits >> 61 & 1) as usize);
    let mut children = tree.children[node as usize];
    if tree.is_leaf(children[side]) {
        children.reverse();
        if tree.is_leaf(children[side]) {
            return;
        }
    }
    let (inner, b) = (children[side], children[1 - side]);
    let grand = tree.children[inner as usize];
    let (c, d) = (grand[swap], grand[1 - swap]);
    let (of_b, of_c, of_d, above) = (tree.set(b), tree.set(c), tree.set(d), tree.set(node));
    // The new inner step contracts c with b; it keeps what d or the outer result still needs.
    for (word, kept) in kept.iter_mut().enumerate() {
        *kept = (of_b[word] | of_c[word]) & (of_d[word] | above[word]);
    }
    let old = tree.costs[node as usize] + tree.costs[inner as usize];
    let lower = tree.step(of_c, of_b, kept, false);
    let mut most = old;
    if lower > old {
        if temperature == 0.0 {
            return;
        }
        most *= factor(bits, temperature);
        if lower > most {
            return;
        }
    }
    let upper = tree.step(kept, of_d, above, node == tree.root);
    if lower <= old && lower + upper > old {
        most *= factor(bits, temperature);
    }
    if lower + upper > most {
        return;
    }
    let from = inner as usize * tree.words;
    tree.sets[from..from + tree.words].copy_from_slice(kept);
    tree.children[inner as usize] = [c, b];
    tree.children[node as usize] = [inner, d];
    tree.costs[inner as usize] = lower;
    tree.costs[node as usize] = upper;
}

/// A random number u in 0..1 to the power of minus the temperature.
fn factor(bits: u64, temperature: f64) -> f64 {
    // 20 bits, and the last one so that it is not 0.
    let numerator = (bits >> 31 & 0xf_ffff | 1) as f64;
    exp2(temperature * (20.0 - log2(numerator)))
}

/// The binary logarithm of a number from 1, by its exponent and a series: the same on every machine.
fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as f64 - 1023.0;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let series =
        1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent + 2.0 * z * series * core::f64::consts::LOG2_E
}

/// 2^x for x in 0..1000, by squaring and a polynomial: the same on every machine.
fn exp2(x: f64) -> f64 {
    let whole = x as u64;
    // e^y = (e^(y/8))^8, y below ln 2.
    let y = (x - whole as f64) * (core::f64::consts::LN_2 / 8.0);
    let eighth = 1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0 * (1.0 + y / 5.0))));
    let square = eighth * eighth;
    let fourth = square * square;
    fourth * fourth * f64::from_bits((whole + 1023) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two() {
        for (x, power) in [
            (0.0, 1.0),
            (1.0, 2.0),
            (10.0, 1024.0),
            (0.5, core::f64::consts::SQRT_2),
        ] {
            assert!((exp2(x) / power - 1.0).abs() < 1e-9, "{x}");
        }
        for x in [1.0, 2.0, 3.0, 1023.0, 1024.0, 1e6] {
            assert!((exp2(log2(x)) / x - 1.0).abs() < 1e-4, "{x}");
        }
        // The largest and the smallest number in 0..1.
        assert!((factor(u64::MAX, 0.5) - 1.0).abs() < 1e-5);
        assert!((factor(0, 1.0) / 1_048_576.0 - 1.0).abs() < 1e-9);
    }
}
