use std::vec::Vec;

use super::order::{FixedTree, Groups, cheapest, greedy};
use super::{Bound, FixedArray, FixedPlan};
use crate::spec::{Cost, Label, Spec};

/// A chain of matrices: matrix p has labels p and p + 1, label p has length `lengths[p]`.
fn chain<R>(
    lengths: &[usize],
    groups: &[&[u32]],
    use_it: impl FnOnce(&Spec<'_>, &Bound, FixedPlan) -> R,
) -> R {
    let n = lengths.len() - 1;
    let inputs: Vec<[Label; 2]> = (0..n as Label).map(|p| [p, p + 1]).collect();
    let inputs: Vec<&[Label]> = inputs.iter().map(|term| term.as_slice()).collect();
    let tree: Vec<(u32, u32)> = (0..n as u32 - 1).map(|s| (s, s)).collect();
    let output = [0, n as Label];
    let spec = Spec::new("", &inputs, &output, &tree)
        .by_sizes()
        .grouped(groups);
    let arrays: Vec<_> = lengths.windows(2).map(FixedArray::row_major).collect();
    let shape = [lengths[0], lengths[n]];
    let result = FixedArray::row_major(&shape);
    let bound = Bound::new(&spec, &arrays, &result).expect("lengths fit");
    use_it(&spec, &bound, FixedPlan::new(&spec, &arrays, &result))
}

#[test]
fn a_group_of_three_is_ordered_by_its_lengths() {
    let groups: &[&[u32]] = &[&[0, 1, 2], &[4, 3]];
    // (0 1) 2 costs 2·50·2 + 2·2·50, then 3: 2·50·3. The other order within the group costs 25 times as much.
    chain(&[2, 50, 2, 50, 3], groups, |_, _, plan| {
        assert_eq!(plan.work(), 700)
    });
    // And 0 (1 2) here: one tree cannot do for both.
    chain(&[50, 2, 50, 2, 3], groups, |_, _, plan| {
        assert_eq!(plan.work(), 700)
    });
    // Without parentheses 2 meets 3 first.
    chain(&[50, 2, 50, 2, 3], &[], |_, _, plan| {
        assert!(plan.work() <= 700)
    });
    chain(&[50, 20, 30, 2, 3], &[], |_, _, plan| {
        let free = plan.work();
        chain(
            &[50, 20, 30, 2, 3],
            &[&[0, 1], &[2, 3], &[4, 5]],
            |_, _, plan| assert!(plan.work() > free),
        );
    });
}

/// The sets of operands that a tree makes.
fn sets(tree: &FixedTree, operands: usize) -> Vec<usize> {
    let mut sets: Vec<usize> = (0..operands).map(|p| 1 << p).collect();
    for (left, right) in &tree[..operands - 1] {
        let (left, right) = (sets[usize::from(*left)], sets[usize::from(*right)]);
        assert_eq!(left & right, 0);
        sets.push(left | right);
    }
    sets
}

#[test]
fn what_is_in_parentheses_meets_first() {
    let nested: &[&[u32]] = &[&[1, 3], &[0, 6, 5], &[7, 2, 4]];
    let many: &[&[u32]] = &[&[0, 4, 8], &[1, 9, 5], &[10, 11, 2], &[3, 6, 7], &[12, 13]];
    for seed in 0..40 {
        let length = |p: usize| (seed * 31 + p * p * 17 + p * 7) % 6 + 2;
        let lengths: Vec<usize> = (0..7).map(length).collect();
        chain(&lengths, nested, |spec, bound, _| {
            let made = sets(&cheapest(bound, Cost::Time, &Groups::of(spec)), 6);
            for set in [0b001010, 0b101011, 0b111111] {
                assert!(made.contains(&set), "{made:?}");
            }
            assert!(sets(&greedy(bound, &Groups::of(spec)), 6).contains(&0b101011));
        });
        let lengths: Vec<usize> = (0..11).map(length).collect();
        chain(&lengths[..10 + 1], many, |spec, bound, _| {
            let made = sets(&cheapest(bound, Cost::Time, &Groups::of(spec)), 10);
            for set in [
                0b01_0001_0001,
                0b10_0010_0010,
                0b11_0011_0111,
                0b00_1100_1000,
            ] {
                assert!(made.contains(&set), "{made:?}");
            }
        });
    }
}
