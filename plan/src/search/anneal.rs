//! Simulated annealing by rotations: `((c·d)·b)` becomes `((c·b)·d)` or `((d·b)·c)`.

use alloc::vec::Vec;

use super::{
    random::Random,
    tree::{Growing, merge},
};
use crate::spec::{Cost, Label};

/// Entries of a table of factors.
const FACTORS: usize = 256;
/// Temperatures from the first sweep to the last, as the power of two that a random factor is spread over.
const HOT: f64 = 1.0;
const COLD: f64 = 0.05;

/// Sweeps over all steps, colder each time. The steps changed in a rotation are two; the new pair of costs is taken if it
/// is smaller than the old one times a random factor.
pub(super) fn anneal(tree: &mut Growing, sweeps: usize, random: &mut Random) {
    if tree.leaves < 3 || tree.cost == Cost::Size {
        return;
    }
    let logs = logarithms();
    for sweep in 0..sweeps {
        // Linear, and the last sweep is cold.
        let left = (sweeps - 1 - sweep) as f64 / sweeps as f64;
        let temperature = COLD + (HOT - COLD) * left;
        let factors = logs.map(|log| exp2(log * temperature));
        for node in tree.upwards() {
            rotate(tree, node, &factors, random);
        }
    }
}

/// Tries one rotation below a step.
fn rotate(tree: &mut Growing, node: u32, factors: &[f64; FACTORS], random: &mut Random) {
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
    let mut grand = tree.children[inner as usize];
    if swap == 1 {
        grand.reverse();
    }
    let [c, d] = grand;
    // The new inner step contracts c with b; what it keeps is what d or the outer result still needs.
    let kept = kept(tree, c, b, d, node);
    let old = tree.costs[node as usize] + tree.costs[inner as usize];
    let labels = &tree.labels;
    let lower = tree.step(&labels[c as usize], &labels[b as usize], &kept, false);
    let is_root = node == tree.root;
    let upper = tree.step(&kept, &labels[d as usize], &labels[node as usize], is_root);
    let factor = factors[(bits >> 32) as usize % FACTORS];
    if lower + upper > old * factor {
        return;
    }
    tree.labels[inner as usize] = kept;
    tree.children[inner as usize] = [c, b];
    tree.children[node as usize] = [inner, d];
    tree.costs[inner as usize] = lower;
    tree.costs[node as usize] = upper;
}

/// The labels that a contraction of `a` and `b` keeps: those of `sibling` or of the result above both.
fn kept(tree: &Growing, a: u32, b: u32, sibling: u32, above: u32) -> Vec<Label> {
    let (sibling, above) = (&tree.labels[sibling as usize], &tree.labels[above as usize]);
    let (a, b) = (&tree.labels[a as usize], &tree.labels[b as usize]);
    let mut kept = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    merge(a, b, |label, both| {
        while i < sibling.len() && sibling[i] < label {
            i += 1;
        }
        while j < above.len() && above[j] < label {
            j += 1;
        }
        if !both || sibling.get(i) == Some(&label) || above.get(j) == Some(&label) {
            kept.push(label);
        }
    });
    kept
}

/// Minus the binary logarithms of (k + 1/2) / 256, from the table's own powers: by bisection with [`exp2`].
fn logarithms() -> [f64; FACTORS] {
    let mut logs = [0.0; FACTORS];
    for (k, log) in logs.iter_mut().enumerate() {
        let target = FACTORS as f64 / (k as f64 + 0.5);
        let (mut low, mut high) = (0.0, 16.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if exp2(middle) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        *log = low;
    }
    logs
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
        let logs = logarithms();
        assert!(logs.windows(2).all(|pair| pair[0] > pair[1]));
        assert!((logs[0] - 9.0).abs() < 1e-6);
    }
}
