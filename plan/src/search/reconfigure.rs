//! Exact reconfiguration: each step with the steps below it, a window of up to eight tensors, put in their best order.

use super::{
    tree::Growing,
    window::{MOST, Window, per_element},
};
use crate::{
    exact::{Problem, solve},
    model::element,
    spec::Cost,
};

/// Reconfigures below every step, from the leaves upwards, until nothing changes or `splits` splits were looked at.
pub(super) fn reconfigure(tree: &mut Growing, size: usize, splits: u64) {
    let mut window = Window::new();
    loop {
        let mut changed = false;
        for node in tree.upwards() {
            window.open(tree, node, size.min(MOST));
            if window.count < 3 {
                continue;
            }
            if window.splits >= splits {
                return;
            }
            changed |= improve(tree, &mut window);
        }
        if !changed {
            return;
        }
    }
}

/// One pass, upwards: only windows with `stride` steps that no earlier one has changed, and the last one.
pub(super) fn reconfigure_some(tree: &mut Growing, size: usize, stride: u8) {
    let mut window = Window::new();
    let mut since = alloc::vec![0u8; tree.children.len()];
    for node in tree.upwards() {
        let [a, b] = tree.children[node as usize];
        let steps = 1 + since[a as usize].max(since[b as usize]);
        since[node as usize] = steps;
        if steps < stride && node != tree.root {
            continue;
        }
        window.open(tree, node, size.min(MOST));
        if window.count > 2 {
            since[node as usize] = 0;
            improve(tree, &mut window);
        }
    }
}

/// Puts the tensors of a window in their best order, if that is better than theirs.
fn improve(tree: &mut Growing, window: &mut Window) -> bool {
    let mut pairs = [(0, 0); MOST];
    // Rounding is not worth a change.
    let most = window.known(tree) * (1.0 - 1e-9);
    match window.solve(tree, most) {
        Some(cost) if cost >= most => return false,
        Some(_) => window.pairs(&mut pairs),
        None => {
            if !solve_batched(tree, window, most, &mut pairs) {
                return false;
            }
        }
    }
    rebuild(tree, window, &pairs);
    true
}

/// The same by sets of labels: where there is a batch.
fn solve_batched(
    tree: &Growing,
    window: &mut Window,
    most: f64,
    pairs: &mut [(usize, usize); MOST],
) -> bool {
    let node = window.steps()[0];
    // Half as many, four times as long.
    window.splits += 2 * 3u64.pow(window.count as u32);
    let mut problem = Problem::new(window.count);
    for word in 0..tree.words {
        let above = tree.set(node)[word];
        let mut all = 0;
        for &tensor in window.tensors() {
            all |= tree.set(tensor)[word];
        }
        while all != 0 {
            let bit = all.trailing_zeros() as usize;
            all &= all - 1;
            let mut carriers = 0;
            for (at, &tensor) in window.tensors().iter().enumerate() {
                carriers |= ((tree.set(tensor)[word] >> bit & 1) as u32) << at;
            }
            let size = tree.sizes[64 * word + bit];
            if problem.add(carriers, above >> bit & 1 == 1, size).is_none() {
                return false;
            }
        }
    }
    let Some(solution) = solve(&problem, tree.cost, most / per_element(tree.cost)) else {
        return false;
    };
    // The result of the step itself costs the same in any order, and the solver does not count it.
    let own = match (tree.cost, node == tree.root) {
        (Cost::Size, _) | (_, true) => 0.0,
        (cost, false) => element(cost) * problem.volume(problem.kept),
    };
    if solution.cost + own >= most {
        return false;
    }
    for (at, (left, right)) in solution.pairs(window.count).into_iter().enumerate() {
        pairs[at] = (left as usize, right as usize);
    }
    true
}

/// Puts other steps in the place of those of a window.
fn rebuild(tree: &mut Growing, window: &Window, pairs: &[(usize, usize); MOST]) {
    let (words, count) = (tree.words, window.count);
    let node = window.steps()[0];
    // The step at the top keeps its number.
    let mut numbers = [0; 2 * MOST];
    numbers[..count].copy_from_slice(window.tensors());
    for (at, &step) in window.steps().iter().rev().enumerate() {
        numbers[count + at] = step;
    }
    let mut used = [false; 2 * MOST];
    for (at, &(left, right)) in (count..).zip(&pairs[..count - 1]) {
        used[left] = true;
        used[right] = true;
        let (made, a, b) = (numbers[at], numbers[left], numbers[right]);
        for word in 0..words {
            // What is needed above, or by what is not contracted yet.
            let mut needed = tree.set(node)[word];
            for (other, &number) in numbers[..at].iter().enumerate() {
                if !used[other] {
                    needed |= tree.set(number)[word];
                }
            }
            let both = tree.set(a)[word] | tree.set(b)[word];
            // The step at the top keeps its labels, too.
            if made != node {
                tree.sets[made as usize * words + word] = both & needed;
            }
        }
        tree.children[made as usize] = [a, b];
        tree.costs[made as usize] = tree.cost_of(made, a, b);
    }
}
