//! Lowered programs, interpreted as their documentation says, against the definition of einsum.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Array, Random, naive};
use cteinsum_plan::{Groups, Label, Network, Order, OrderError, Program, Step, Subscripts};

/// Sums over `summed`; the result has the other labels in the order given.
fn sum(labels: &[Label], array: &Array, summed: &[Label], sizes: &[usize]) -> (Vec<Label>, Array) {
    let kept: Vec<Label> = labels
        .iter()
        .copied()
        .filter(|l| !summed.contains(l))
        .collect();
    let result = contract_over(&[(labels, array)], summed, &kept, sizes);
    (kept, result)
}

/// For each index of `kept`, the sum over `summed` of the product of the operands.
fn contract_over(
    operands: &[(&[Label], &Array)],
    summed: &[Label],
    kept: &[Label],
    sizes: &[usize],
) -> Array {
    let size = |l: &Label| sizes[usize::from(*l)];
    let mut values: BTreeMap<Label, usize> = BTreeMap::new();
    let inner: Vec<usize> = summed.iter().map(size).collect();
    Array::fill(kept.iter().map(size).collect(), |outer| {
        values.extend(kept.iter().copied().zip(outer.iter().copied()));
        let mut total = 0;
        common::for_each_index(&inner, |index| {
            values.extend(summed.iter().copied().zip(index.iter().copied()));
            let term = |(labels, array): &(&[Label], &Array)| {
                array.at(&labels.iter().map(|l| values[l]).collect::<Vec<_>>())
            };
            total += operands.iter().map(term).product::<i64>();
        });
        total
    })
}

fn set(lists: &[&[Label]]) -> BTreeSet<Label> {
    lists.iter().copied().flatten().copied().collect()
}

/// What the fields of a step promise about each other.
fn check_step(step: &Step, tensors: &[Option<(Vec<Label>, Array)>]) {
    let left = &tensors[step.left].as_ref().expect("used once").0;
    assert_eq!(*left, step.left_labels);
    if let Some(right) = step.right {
        assert_eq!(
            tensors[right].as_ref().expect("used once").0,
            step.right_labels
        );
    } else {
        assert!(step.right_labels.is_empty());
    }
    let shared: BTreeSet<_> = set(&[&step.left_labels])
        .intersection(&set(&[&step.right_labels]))
        .copied()
        .collect();
    assert_eq!(set(&[&step.batch, &step.contracted]), shared);
    assert_eq!(
        set(&[left]),
        &shared | &set(&[&step.left_summed, &step.left_free])
    );
    assert_eq!(
        set(&[&step.right_labels]),
        &shared | &set(&[&step.right_summed, &step.right_free])
    );
    assert_eq!(
        set(&[&step.result]),
        set(&[&step.batch, &step.left_free, &step.right_free])
    );
    let groups = [
        &step.batch,
        &step.contracted,
        &step.left_free,
        &step.right_free,
        &step.left_summed,
        &step.right_summed,
    ];
    let total: usize = groups.iter().map(|g| g.len()).sum();
    assert_eq!(
        total,
        groups
            .iter()
            .flat_map(|g| g.iter())
            .collect::<BTreeSet<_>>()
            .len(),
        "each label in one group"
    );
    assert_eq!(
        step.result.len(),
        step.batch.len() + step.left_free.len() + step.right_free.len()
    );
    // Groups are in the order of the result.
    for group in [&step.batch, &step.left_free, &step.right_free] {
        let in_result: Vec<Label> = step
            .result
            .iter()
            .copied()
            .filter(|l| group.contains(l))
            .collect();
        assert_eq!(in_result, *group);
    }
}

fn interpret(
    program: &Program,
    carried: &[Vec<Label>],
    operands: Vec<Array>,
    sizes: &[usize],
) -> (Vec<Label>, Array) {
    let mut tensors: Vec<Option<(Vec<Label>, Array)>> =
        carried.iter().cloned().zip(operands).map(Some).collect();
    for step in &program.steps {
        check_step(step, &tensors);
        let (labels, array) = tensors[step.left].take().unwrap();
        let (left_labels, left) = sum(&labels, &array, &step.left_summed, sizes);
        let result = match step.right {
            None => contract_over(&[(&left_labels, &left)], &[], &step.result, sizes),
            Some(right) => {
                let (labels, array) = tensors[right].take().unwrap();
                let (right_labels, right) = sum(&labels, &array, &step.right_summed, sizes);
                let operands = [(&left_labels[..], &left), (&right_labels[..], &right)];
                contract_over(&operands, &step.contracted, &step.result, sizes)
            }
        };
        tensors.push(Some((step.result.clone(), result)));
    }
    let last = tensors.pop().flatten().expect("there is a result");
    assert!(tensors.iter().all(Option::is_none), "everything is used");
    last
}

/// The operand without repeated labels and without axes of length 1: what a kernel sees through strides.
fn reduced(labels: &[Label], array: &Array, carried: &[Label], sizes: &[usize]) -> Array {
    Array::fill(
        carried.iter().map(|&l| sizes[usize::from(l)]).collect(),
        |index| {
            let value = |l: &Label| {
                carried
                    .iter()
                    .position(|c| c == l)
                    .map_or(0, |at| index[at])
            };
            array.at(&labels.iter().map(value).collect::<Vec<_>>())
        },
    )
}

struct Case {
    network: Network,
    shapes: Vec<Vec<usize>>,
}

/// Few labels, so that they meet often: hyper-labels, diagonals, outer products, labels in one operand only.
fn random_case(random: &mut Random) -> Case {
    loop {
        let operands = 1 + random.below(7);
        let labels = 1 + random.below(8);
        let sizes: Vec<usize> = (0..labels)
            .map(|_| *random.pick(&[2, 2, 3, 2, 1, 3, 2, 0, 4]))
            .collect();
        let inputs: Vec<Vec<Label>> = (0..operands)
            .map(|_| {
                (0..random.below(5))
                    .map(|_| random.below(labels) as Label)
                    .collect()
            })
            .collect();
        let known: Vec<Label> = inputs.concat();
        let output: Vec<Label> = if known.is_empty() {
            vec![]
        } else {
            (0..random.below(5)).map(|_| *random.pick(&known)).collect()
        };
        let mut shapes = Vec::new();
        for input in &inputs {
            // A label has length 1 in all axes of an operand or in none.
            let ones: BTreeSet<Label> = input
                .iter()
                .copied()
                .filter(|_| random.chance(15))
                .collect();
            shapes.push(
                input
                    .iter()
                    .map(|l| {
                        if ones.contains(l) {
                            1
                        } else {
                            sizes[usize::from(*l)]
                        }
                    })
                    .collect(),
            );
        }
        if sizes.iter().product::<usize>() <= 1500 {
            return Case {
                network: Network {
                    inputs,
                    output,
                    labels,
                    named: labels,
                },
                shapes,
            };
        }
    }
}

/// An order of any kind.
fn random_order(random: &mut Random, operands: usize) -> Order {
    match random.below(4) {
        0 => Order::Greedy,
        1 => Order::LeftToRight,
        2 => {
            let mut path = Vec::new();
            let mut left = operands;
            while left > 1 {
                let take = if random.chance(20) {
                    1 + random.below(left)
                } else {
                    2
                };
                let mut positions = BTreeSet::new();
                while positions.len() < take {
                    positions.insert(random.below(left) as u32);
                }
                path.push(positions.into_iter().collect());
                left -= take - 1;
            }
            Order::Path(path)
        }
        _ => {
            let mut live: Vec<u32> = (0..operands as u32).collect();
            let mut pairs = Vec::new();
            while live.len() > 1 {
                let a = live.swap_remove(random.below(live.len()));
                let b = live.swap_remove(random.below(live.len()));
                live.push((operands + pairs.len()) as u32);
                pairs.push((a, b));
            }
            Order::Tree(pairs)
        }
    }
}

fn judge(case: &Case, order: &Order, groups: Option<&Groups>, context: &str) {
    let Case { network, shapes } = case;
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let sizes = network.bind(&shapes).unwrap();
    let mut value = 0;
    let operands: Vec<Array> = shapes
        .iter()
        .map(|shape| {
            Array::fill(shape.to_vec(), |_| {
                value = (value * 5 + 3) % 17;
                value - 6
            })
        })
        .collect();
    let expected = naive(&network.inputs, &network.output, &sizes, &operands);
    let carried = network.carried(&shapes);
    let tree = order
        .tree(&carried, &network.output, &sizes, groups)
        .unwrap();
    let program = Program::lower(&carried, &network.output, &tree.0);
    let views = network
        .inputs
        .iter()
        .zip(&operands)
        .zip(&carried)
        .map(|((l, a), c)| reduced(l, a, c, &sizes))
        .collect();
    let (labels, array) = interpret(&program, &carried, views, &sizes);
    let distinct: BTreeSet<Label> = labels.iter().copied().collect();
    assert_eq!(distinct.len(), labels.len());
    let written = Array::fill(expected.shape.clone(), |index| {
        let place = |label: &Label| network.output.iter().position(|l| l == label).unwrap();
        let on_diagonal = network
            .output
            .iter()
            .zip(index)
            .all(|(l, &i)| index[place(l)] == i);
        if on_diagonal {
            array.at(&labels.iter().map(|l| index[place(l)]).collect::<Vec<_>>())
        } else {
            0
        }
    });
    assert_eq!(
        written, expected,
        "{context}: {network:?} {shapes:?} {order:?} {tree:?} {program:?}"
    );
}

#[test]
fn random_einsums_in_random_orders() {
    let mut random = Random::new(7);
    for round in 0..6000 {
        let case = random_case(&mut random);
        let order = random_order(&mut random, case.shapes.len());
        judge(&case, &order, None, &format!("round {round}"));
    }
}

#[test]
fn parentheses_are_obeyed() {
    for (spec, tree) in [
        ("(ij,jk),(kl,lm)->im", "(0·1)·(2·3)"),
        ("(ij,(jk,kl)),lm->im", "(0·(1·2))·3"),
        ("ij,(jk,(kl,lm))->im", "0·(1·(2·3))"),
        ("((ij,lm),jk),kl->im", "((0·1)·2)·3"),
        ("((ij,jk,kl),lm)->mi", "((0·1)·2)·3"),
        ("((ij),((jk,kl,lm)))->im", "0·((1·2)·3)"),
        ("(ij,jk),(kl),(lm)->ijklm", "(0·1)·(2·3)"),
        ("(ij,,jk),(,)->ik", "((0·2)·1)·(3·4)"),
    ] {
        let checked = Subscripts::parse(spec).unwrap().check().unwrap();
        assert_eq!(
            checked
                .tree(&Order::Greedy)
                .unwrap()
                .text(checked.inputs.len()),
            tree,
            "{spec}"
        );
        assert_eq!(
            checked.tree(&Order::LeftToRight),
            Err(OrderError::Parentheses)
        );
        let ranks: Vec<usize> = checked.inputs.iter().map(Vec::len).collect();
        let network = checked.network(&ranks).unwrap();
        let shape = |term: &Vec<Label>| {
            term.iter()
                .map(|&l| [2, 3, 4, 2, 3][usize::from(l)])
                .collect()
        };
        let shapes = network.inputs.iter().map(shape).collect();
        judge(
            &Case { network, shapes },
            &Order::Greedy,
            checked.groups.as_ref(),
            spec,
        );
    }
}
