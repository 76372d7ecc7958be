use std::vec;
use std::vec::Vec;

use super::*;

/// The labels of `"ij,jk->ik"`, by letter.
fn read(text: &str) -> (Vec<Vec<Label>>, Vec<Label>) {
    let (inputs, output) = text.split_once("->").unwrap();
    let labels = |term: &str| {
        let mut labels: Vec<Label> = Vec::new();
        for byte in term.bytes() {
            let label = Label::from(byte - b'a');
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    };
    (inputs.split(',').map(labels).collect(), labels(output))
}

fn trees(operands: usize) -> Vec<Vec<(u32, u32)>> {
    let mut trees = Vec::new();
    let live = (0..operands as u32).collect();
    all_trees(live, &mut Vec::new(), operands as u32, &mut |tree| {
        trees.push(tree.to_vec())
    });
    trees
}

/// Double factorials: the rooted binary trees with labelled leaves. (Of five, three come twice.)
#[test]
fn every_tree_is_visited() {
    for (operands, visits, count) in [(1, 1, 1), (2, 1, 1), (3, 3, 3), (4, 15, 15), (5, 108, 105)] {
        let trees = trees(operands);
        assert_eq!(trees.len(), visits, "{operands} operands");
        // A tree is the set of the sets of operands that its tensors hold.
        let mut sets: Vec<Vec<u32>> = trees
            .iter()
            .map(|tree| {
                let mut held: Vec<u32> = (0..operands).map(|p| 1 << p).collect();
                for &(left, right) in tree {
                    held.push(held[left as usize] | held[right as usize]);
                }
                held.sort();
                held
            })
            .collect();
        sets.sort();
        sets.dedup();
        assert_eq!(sets.len(), count, "{operands} operands");
    }
}

#[test]
fn all_gradients_cost_at_most_twice_the_einsum() {
    let specs = [
        "ij,jk->ik",
        "ij,jk,kl->il",
        "war,abu,bgl,gwd->ruld",
        "ab,bc,cd,de,ef->af",
        "ij,ik,il->jkl",
        "i,i,i->",
        "ij,jk->",
        "a,b,c,d->abcd",
        "ijk,ijl,ikl,jkl->",
        "abc,abd,ace,bcf->def",
    ];
    let mut seed = 1u64;
    for spec in specs {
        let (carried, output) = read(spec);
        for tree in trees(carried.len()) {
            let sizes: Vec<usize> = (0..26)
                .map(|_| {
                    seed = seed
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    2 + (seed >> 60) as usize
                })
                .collect();
            let all = Gradient::new(&carried, &output, &tree, &vec![true; carried.len()]);
            let forward = all.forward.cost(&sizes).multiply_adds;
            let total = all.cost(&sizes).multiply_adds;
            assert!(
                total * 10 <= forward * 31,
                "{spec} {tree:?}: {total} > 3.1 · {forward}"
            );
            assert_eq!(total, 3 * forward, "{spec} {tree:?}");
        }
    }
}

/// Any einsum of up to nine operands along any tree: labels in one operand and in many, in the output or not, operands
/// without labels, labels of length 1 that not all carry.
#[test]
fn random_trees_keep_to_the_limit() {
    let mut seed = 7u64;
    let mut below = |n: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut hyper = 0;
    for case in 0..20_000 {
        let operands = 2 + below(8);
        let names = 1 + below(9);
        let carried: Vec<Vec<Label>> = (0..operands)
            .map(|_| {
                let axes = below(5);
                let mut term: Vec<Label> = (0..axes).map(|_| below(names) as Label).collect();
                let mut distinct = Vec::new();
                term.retain(|l| {
                    !distinct.contains(l) && {
                        distinct.push(*l);
                        true
                    }
                });
                term
            })
            .collect();
        let known: Vec<Label> = (0..names as Label)
            .filter(|l| carried.iter().any(|term| term.contains(l)))
            .collect();
        hyper += known
            .iter()
            .filter(|l| carried.iter().filter(|term| term.contains(l)).count() > 2)
            .count();
        let output: Vec<Label> = known.iter().copied().filter(|_| below(3) == 0).collect();
        let sizes: Vec<usize> = (0..names).map(|_| 1 + below(7)).collect();
        let mut live: Vec<u32> = (0..operands as u32).collect();
        let mut tree = Vec::new();
        while live.len() > 1 {
            let (a, b) = (below(live.len()), below(live.len() - 1));
            let (a, b) = if b >= a { (a, b + 1) } else { (b, a) };
            tree.push((live[a], live[b]));
            live[a] = (operands + tree.len() - 1) as u32;
            live.remove(b);
        }
        let mut wanted: Vec<bool> = (0..operands).map(|_| below(2) == 0).collect();
        if case % 2 == 0 {
            wanted.fill(true);
        }
        let gradient = Gradient::new(&carried, &output, &tree, &wanted);
        let (forward, all) = (gradient.forward.cost(&sizes), gradient.cost(&sizes));
        let what = std::format!("{carried:?} -> {output:?} along {tree:?}, {sizes:?}, {wanted:?}");
        assert!(
            10 * all.multiply_adds <= 31 * forward.multiply_adds,
            "{what}"
        );
        assert!(10 * all.additions <= 31 * forward.additions, "{what}");
        if case % 2 == 0 {
            assert_eq!(all.multiply_adds, 3 * forward.multiply_adds, "{what}");
        }
    }
    assert!(hyper > 1000, "labels of three operands and more: {hyper}");
}

/// The product of a step backward, lowered anew, falls into the groups that are derived from the step forward.
#[test]
fn steps_backward_are_einsums_of_their_own() {
    let (carried, output) = read("abx,bcy,cda->bd");
    for tree in trees(3) {
        let gradient = Gradient::new(&carried, &output, &tree, &[true; 3]);
        assert_eq!(gradient.backward.len(), 4);
        for backward in &gradient.backward {
            let step = &backward.step;
            let labels = [step.left_labels.clone(), step.right_labels.clone()];
            let lowered = Program::lower(&labels, &step.result, &[(0, 1)]);
            let sorted = |labels: &[Label]| {
                let mut labels = labels.to_vec();
                labels.sort();
                labels
            };
            let lowered = &lowered.steps[0];
            assert_eq!(sorted(&lowered.batch), sorted(&step.batch));
            assert_eq!(sorted(&lowered.contracted), sorted(&step.contracted));
            assert_eq!(sorted(&lowered.left_free), sorted(&step.left_free));
            assert_eq!(sorted(&lowered.right_free), sorted(&step.right_free));
            assert_eq!(sorted(&lowered.right_summed), sorted(&step.right_summed));
            assert!(lowered.left_summed.is_empty());
        }
    }
}

/// `war,abu->ruwb` would write rows that no operand has: as it is read in both ways, it lies as it is written best.
#[test]
fn what_is_read_both_ways_is_written_in_rows_of_an_operand() {
    let (carried, output) = read("war,abu,bgl,gwd->ruld");
    let tree = [(0, 1), (2, 3), (4, 5)];
    let forward = Program::lower(&carried, &output, &tree);
    for (wanted, first) in [
        ([true; 4], "wbru"),
        ([false, false, true, false], "wbru"),
        // The product of the first two is not read backward.
        ([true, true, false, false], "ruwb"),
        ([false; 4], "ruwb"),
    ] {
        let steps = Gradient::new(&carried, &output, &tree, &wanted)
            .forward
            .steps;
        assert_eq!(
            steps[0].result,
            read(&[first, "->"].concat()).0[0],
            "{wanted:?}"
        );
        assert_eq!(steps[1..2], forward.steps[1..2], "{wanted:?}");
        assert_eq!(steps[2].result, output);
        if first == "ruwb" {
            assert_eq!(steps, forward.steps);
        }
    }
}

#[test]
fn what_is_not_wanted_is_pruned() {
    let (carried, output) = read("ij,jk,kl->il");
    let tree = [(0, 1), (3, 2)];
    let of = |wanted: [bool; 3]| {
        let gradient = Gradient::new(&carried, &output, &tree, &wanted);
        let of: Vec<usize> = gradient.backward.iter().map(|b| b.of).collect();
        (of, gradient.saved)
    };
    assert_eq!(
        of([true; 3]),
        (vec![3, 2, 0, 1], vec![true, true, true, true, false])
    );
    assert_eq!(
        of([false, false, true]),
        (vec![2], vec![false, false, false, true, false])
    );
    assert_eq!(
        of([true, false, false]),
        (vec![3, 0], vec![false, true, true, false, false])
    );
    assert_eq!(of([false; 3]), (vec![], vec![false; 5]));
}

/// A chain of a small, a large and a small matrix: with the gradient of the first alone, the last two are better
/// contracted first, although the einsum itself does not care.
#[test]
fn the_order_is_that_of_forward_and_backward_together() {
    let (carried, output) = read("ab,bc,cd->ad");
    let sizes = [8usize, 8, 8, 8];
    let wanted = [true, false, false];
    let best = gradient_tree(&carried, &output, &sizes, &wanted, Cost::Flops).unwrap();
    assert_eq!(best.0, [(1, 2), (0, 3)]);
    let cost = |tree: &[(u32, u32)]| {
        Gradient::new(&carried, &output, tree, &wanted)
            .cost(&sizes)
            .multiply_adds
    };
    assert_eq!(cost(&best.0), 3 * 512);
    assert_eq!(cost(&[(0, 1), (3, 2)]), 4 * 512);
    for tree in trees(3) {
        assert!(cost(&best.0) <= cost(&tree));
    }
}

#[test]
fn beyond_five_operands_nothing_is_chosen() {
    let (carried, output) = read("ab,bc,cd,de,ef,fg->ag");
    assert!(gradient_tree(&carried, &output, &[2; 8], &[true; 6], Cost::Time).is_none());
}
