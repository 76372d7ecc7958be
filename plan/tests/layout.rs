//! The axes of intermediates: what their readers find.

mod common;

use std::collections::BTreeSet;

use common::Random;
use cteinsum_plan::{Label, Order, Program, Step, Subscripts};

fn results(spec: &str, order: &Order) -> Vec<String> {
    let checked = Subscripts::parse(spec).unwrap().check().unwrap();
    let program = checked.program(&checked.tree(order).unwrap());
    let name = |l: &Label| checked.names[usize::from(*l)].as_str();
    program
        .steps
        .iter()
        .map(|step| step.result.iter().map(name).collect())
        .collect()
}

#[test]
fn known_layouts() {
    // Rows of a left operand, contracted labels inside.
    assert_eq!(results("ij,jk,kl->il", &Order::LeftToRight), ["ik", "il"]);
    // A right operand has them outside.
    assert_eq!(results("ij,(jk,kl)->il", &Order::Greedy), ["jl", "il"]);
    // The free labels as the output wants them, the contracted ones in one order on both sides.
    assert_eq!(
        results("(war,abu),(bgl,gwd)->ruld", &Order::Greedy),
        ["ruwb", "wbld", "ruld"]
    );
    // In the order of a sibling that is an operand.
    assert_eq!(results("(ia,aj),jik->k", &Order::Greedy), ["ji", "k"]);
    assert_eq!(results("(ia,aj),ijk->k", &Order::Greedy), ["ij", "k"]);
    // Batch labels outermost.
    assert_eq!(
        results("(bij,bjk),bkl->bil", &Order::Greedy),
        ["bik", "bil"]
    );
    assert_eq!(
        results("(ijb,jkb),bkl->ilb", &Order::Greedy),
        ["bik", "ilb"]
    );
    // The writer chooses which group is the inner one: k, l are neighbours in its operand only after i.
    assert_eq!(results("ia,akl,kl->i", &Order::LeftToRight), ["ikl", "i"]);
}

/// Labels of a group in the order of a tensor.
fn within(tensor: &[Label], group: &[Label]) -> Vec<Label> {
    tensor
        .iter()
        .copied()
        .filter(|l| group.contains(l))
        .collect()
}

/// The labels of a group stand together.
fn together(tensor: &[Label], group: &[Label]) -> bool {
    group.len() < 2
        || tensor
            .windows(group.len())
            .any(|w| w.iter().all(|l| group.contains(l)))
}

#[test]
fn intermediates_suit_their_readers() {
    let mut random = Random::new(9);
    let mut steps_seen = 0;
    for _ in 0..4000 {
        let operands = 3 + random.below(6);
        let labels = 3 + random.below(12);
        let mut term = |most: usize| {
            let mut seen = BTreeSet::new();
            let mut term: Vec<Label> = (0..random.below(most))
                .map(|_| random.below(labels) as Label)
                .collect();
            term.retain(|l| seen.insert(*l));
            term
        };
        let carried: Vec<Vec<Label>> = (0..operands).map(|_| term(6)).collect();
        let output = term(6);
        let sizes = vec![2; labels];
        let mut live: Vec<u32> = (0..operands as u32).collect();
        let mut pairs = Vec::new();
        while live.len() > 1 {
            let (a, b) = (
                live.swap_remove(random.below(live.len())),
                live.swap_remove(random.below(live.len())),
            );
            live.push((operands + pairs.len()) as u32);
            pairs.push((a, b));
        }
        let tree = Order::Tree(pairs)
            .tree(&carried, &output, &sizes, None)
            .unwrap();
        let program = Program::lower(&carried, &output, &tree.0);
        // Lowering looks at nothing but its arguments.
        assert_eq!(program, Program::lower(&carried, &output, &tree.0));
        for step in &program.steps {
            let Step {
                left,
                right: Some(right),
                left_labels,
                right_labels,
                ..
            } = step
            else {
                panic!("{step:?}")
            };
            for (id, tensor, free) in [
                (left, left_labels, &step.left_free),
                (right, right_labels, &step.right_free),
            ] {
                if *id < operands {
                    continue;
                }
                steps_seen += 1;
                assert_eq!(
                    tensor[..step.batch.len()],
                    step.batch[..],
                    "batch labels are outermost: {step:?}"
                );
                assert!(
                    together(tensor, &step.contracted) && together(tensor, free),
                    "{step:?}"
                );
                assert_eq!(
                    within(tensor, free),
                    *free,
                    "free labels in the order of the result: {step:?}"
                );
                let contracted = within(tensor, &step.contracted);
                let other = if id == left {
                    right_labels
                } else {
                    left_labels
                };
                assert_eq!(
                    within(other, &step.contracted),
                    contracted,
                    "one order on both sides: {step:?}"
                );
            }
        }
    }
    assert!(steps_seen > 10_000);
}
