//! What a given tree costs, without lowering it.

use crate::lists::Listed;
use alloc::vec::Vec;

use crate::{
    model::{element, product, shape},
    spec::{Cost, Label},
};

/// The cost of a tree by the model, without what all orders have in common, and the elements of its largest
/// intermediate (of [`Cost::Size`], the two are the same). Both saturate.
pub(crate) fn evaluate(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
    tree: &[(u32, u32)],
    cost: Cost,
) -> (f64, f64) {
    let size = |label: Label| sizes[usize::from(label)].max(1) as f64;
    let mut users = alloc::vec![0u32; sizes.len()];
    for &label in carried.iter().flatten() {
        users[usize::from(label)] += 1;
    }
    let mut named = alloc::vec![false; sizes.len()];
    for &label in output {
        if !core::mem::replace(&mut named[usize::from(label)], true) {
            users[usize::from(label)] += 1;
        }
    }
    let needed = |labels: &Vec<Label>| -> Vec<Label> {
        let labels = labels.iter().copied();
        labels.filter(|&l| users[usize::from(l)] > 1).listed()
    };
    let mut tensors: Vec<Vec<Label>> = carried.iter().map(needed).listed();
    let mut in_right = alloc::vec![false; sizes.len()];
    let (mut total, mut largest) = (0.0f64, 0.0f64);
    for (at, &(left, right)) in tree.iter().enumerate() {
        let left = core::mem::take(&mut tensors[left as usize]);
        let right = core::mem::take(&mut tensors[right as usize]);
        for &label in &right {
            in_right[usize::from(label)] = true;
        }
        let (mut batch, mut contracted, mut result) = (1.0, 1.0, 1.0);
        let (mut batches, mut contracts, mut left_free) = (false, false, false);
        let mut labels = Vec::with_capacity(left.len() + right.len());
        for &label in &left {
            if core::mem::take(&mut in_right[usize::from(label)]) {
                let users = &mut users[usize::from(label)];
                *users -= 1;
                if *users == 1 {
                    contracts = true;
                    contracted *= size(label);
                    continue;
                }
                batches = true;
                batch *= size(label);
            } else {
                left_free = true;
            }
            result *= size(label);
            labels.push(label);
        }
        let before = labels.len();
        for &label in &right {
            if core::mem::take(&mut in_right[usize::from(label)]) {
                result *= size(label);
                labels.push(label);
            }
        }
        let free = usize::from(left_free) + usize::from(labels.len() > before);
        let [multiply_add, matrix] = product(cost, shape(batches, contracts, free));
        total += multiply_add * (result * contracted) + matrix * batch;
        if at + 1 < tree.len() {
            total += element(cost) * result;
            largest = largest.max(result);
        }
        tensors.push(labels);
    }
    match cost {
        Cost::Size => (largest, largest),
        _ => (total, largest),
    }
}
