//! The greedy order against its definition.

mod common;

use std::collections::BTreeSet;

use common::Random;
use cteinsum_plan::{Label, greedy};

/// What greedy is defined to be, looked up afresh in every step.
fn rescanning_greedy(
    carried: &[Vec<Label>],
    output: &[Label],
    sizes: &[usize],
) -> Vec<BTreeSet<usize>> {
    type Key = (bool, u128, u128, (u128, usize));
    type Tensor = (usize, BTreeSet<Label>, BTreeSet<usize>);
    let size = |labels: &BTreeSet<Label>| {
        labels
            .iter()
            .map(|&l| sizes[usize::from(l)].max(1) as u128)
            .product::<u128>()
    };
    let mut live: Vec<Tensor> = carried
        .iter()
        .enumerate()
        .map(|(p, l)| (p, l.iter().copied().collect(), [p].into()))
        .collect();
    let needed = |label: &Label, others: &[&Tensor]| {
        output.contains(label) || others.iter().any(|t| t.1.contains(label))
    };
    // Own labels are summed first.
    for at in 0..live.len() {
        let others: Vec<&Tensor> = live.iter().filter(|t| t.0 != live[at].0).collect();
        let kept = live[at]
            .1
            .iter()
            .copied()
            .filter(|l| needed(l, &others))
            .collect();
        live[at].1 = kept;
    }
    let mut next = carried.len();
    let mut made = Vec::new();
    while live.len() > 1 {
        let mut best: Option<(Key, usize, usize, BTreeSet<Label>)> = None;
        for a in 0..live.len() {
            for b in a + 1..live.len() {
                let others: Vec<&Tensor> = live
                    .iter()
                    .filter(|t| t.0 != live[a].0 && t.0 != live[b].0)
                    .collect();
                let all = &live[a].1 | &live[b].1;
                let result: BTreeSet<Label> =
                    all.iter().copied().filter(|l| needed(l, &others)).collect();
                let outer = live[a].1.is_disjoint(&live[b].1);
                // An outer product has the two smallest: those are the smallest result with the lowest tensors.
                let mut both = [(size(&live[a].1), live[a].0), (size(&live[b].1), live[b].0)];
                both.sort_unstable();
                let key = if outer {
                    (true, both[0].0, both[0].1 as u128, both[1])
                } else {
                    (
                        false,
                        size(&result),
                        size(&all),
                        (live[a].0 as u128, live[b].0),
                    )
                };
                if best.as_ref().is_none_or(|(known, ..)| key < *known) {
                    best = Some((key, a, b, result));
                }
            }
        }
        let (_, a, b, result) = best.unwrap();
        let right = live.remove(b);
        let left = live.remove(a);
        let leaves = &left.2 | &right.2;
        made.push(leaves.clone());
        live.push((next, result, leaves));
        live.sort_by_key(|t| t.0);
        next += 1;
    }
    made
}

#[test]
fn greedy_is_what_it_says() {
    let mut random = Random::new(11);
    for round in 0..3000 {
        let operands = 2 + random.below(9);
        let labels = 1 + random.below(12);
        let sizes: Vec<usize> = (0..labels)
            .map(|_| *random.pick(&[2, 3, 4, 5, 7, 16, 1, 0, 100]))
            .collect();
        let sizes = if random.chance(40) {
            vec![2; labels]
        } else {
            sizes
        };
        let mut term = |most: usize| {
            let mut term: Vec<Label> = (0..random.below(most))
                .map(|_| random.below(labels) as Label)
                .collect();
            let mut seen = BTreeSet::new();
            term.retain(|l| seen.insert(*l));
            term
        };
        let carried: Vec<Vec<Label>> = (0..operands).map(|_| term(4)).collect();
        let output = term(4);
        let tree = greedy(&carried, &output, &sizes, None);
        let mut leaves: Vec<BTreeSet<usize>> = (0..operands).map(|p| [p].into()).collect();
        for (left, right) in &tree.0 {
            let union = &leaves[*left as usize] | &leaves[*right as usize];
            assert!(leaves[*left as usize].first() < leaves[*right as usize].first());
            leaves.push(union);
        }
        let expected = rescanning_greedy(&carried, &output, &sizes);
        assert_eq!(
            &leaves[operands..],
            expected,
            "round {round}: {carried:?}->{output:?} {sizes:?}"
        );
    }
}
