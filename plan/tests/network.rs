//! Ranks, sizes and explicit orders: what is refused, and whom the error blames.

use cteinsum_plan::{
    AxisSize, Checked, ELLIPSIS, Label, LabelRef, Network, Order, OrderError, RankError, SizeError,
    Span, Spec, Subscripts, TermRef, Tree, axis_span, label_names, term_span,
};

fn checked(spec: &str) -> Checked {
    Subscripts::parse(spec).unwrap().check().unwrap()
}

fn network(spec: &str, ranks: &[usize]) -> Result<Network, RankError> {
    let checked = checked(spec);
    let network = checked.network(ranks);
    // A spec says the same.
    let inputs: Vec<&[Label]> = checked.inputs.iter().map(Vec::as_slice).collect();
    assert_eq!(
        Network::from_spec(&checked.spec(&inputs, &[]), ranks),
        network
    );
    network
}

#[test]
fn labels_in_order_of_appearance() {
    let c = checked("kj,...ik->i...k");
    assert_eq!(c.names, ["k", "j", "i"]);
    assert_eq!(c.inputs, [vec![0, 1], vec![ELLIPSIS, 2, 0]]);
    assert_eq!(c.output, [2, ELLIPSIS, 0]);
    assert!(!c.implicit_output);
    const SPEC: Spec = Spec::new("i->", &[&[0]], &[], &[]);
    assert_eq!(SPEC.inputs, [[0]]);
}

#[test]
fn implicit_outputs() {
    for (spec, output) in [
        ("ij,jk", "ik"),
        ("ba", "ab"),
        ("bA", "Ab"),
        ("ii", ""),
        ("ij,j,j", "i"),
        ("b...a,c", "...abc"),
        ("", ""),
        (",", ""),
        ("(z,y),x", "xyz"),
        ("яж,1Z", "1Zжя"),
        ("a...a", "..."),
    ] {
        let found = checked(spec);
        assert!(found.implicit_output);
        let name = |l: &Label| {
            if *l == ELLIPSIS {
                "..."
            } else {
                &found.names[usize::from(*l)]
            }
        };
        assert_eq!(
            found.output.iter().map(name).collect::<String>(),
            output,
            "{spec}"
        );
    }
}

#[test]
fn ellipsis_is_aligned_from_the_right() {
    let n = network("...ij,j...->i...", &[4, 2]).unwrap();
    assert_eq!(n.inputs, [vec![2, 3, 0, 1], vec![1, 3]]);
    assert_eq!(n.output, [0, 2, 3]);
    assert_eq!((n.labels, n.named), (4, 2));
    assert_eq!(n.label(1), LabelRef::Named(1));
    assert_eq!(n.label(3).to_string(), "the last axis of `...`");
    assert_eq!(
        n.label(2).to_string(),
        "axis 2 of `...`, counted from the right"
    );
    // Covers nothing: may be missing in the output, or stand there alone.
    assert_eq!(network("...i->i", &[1]).unwrap().output, [0]);
    assert_eq!(network("i->...i", &[1]).unwrap().output, [0]);
}

#[test]
fn ranks() {
    let rank = |operand, labels, rank| {
        Err(RankError::Rank {
            operand,
            labels,
            rank,
        })
    };
    assert_eq!(network("ij,jk->ik", &[2, 3]), rank(1, 2, 3));
    assert_eq!(network("iij,jk->ik", &[2, 3]), rank(0, 3, 2));
    assert_eq!(network("", &[1]), rank(0, 0, 1));
    assert_eq!(
        network("i,...jj->", &[1, 1]),
        Err(RankError::TooFewAxes {
            operand: 1,
            labels: 2,
            rank: 1
        })
    );
    assert_eq!(
        network("i...,...j->ij", &[1, 3]),
        Err(RankError::EllipsisNotInOutput {
            operand: 1,
            covered: 2
        })
    );
    assert_eq!(
        network("ij,jk", &[2]),
        Err(RankError::OperandCount {
            terms: 2,
            operands: 1
        })
    );
    assert_eq!(network("i...", &[70_000]), Err(RankError::TooManyLabels));
}

fn bind(spec: &str, shapes: &[&[usize]]) -> Result<Vec<usize>, SizeError> {
    let ranks: Vec<usize> = shapes.iter().map(|s| s.len()).collect();
    network(spec, &ranks).unwrap().bind(shapes)
}

fn axis(operand: usize, axis: usize, size: usize) -> AxisSize {
    AxisSize {
        operand,
        axis,
        size,
    }
}

#[test]
fn sizes_broadcast_across_operands() {
    assert_eq!(bind("ij,jk->ik", &[&[2, 3], &[3, 4]]), Ok(vec![2, 3, 4]));
    assert_eq!(bind("ij,jk->ik", &[&[2, 1], &[3, 1]]), Ok(vec![2, 3, 1]));
    assert_eq!(bind("i,i,i->i", &[&[1], &[5], &[1]]), Ok(vec![5]));
    assert_eq!(bind("i,i->", &[&[0], &[1]]), Ok(vec![0]));
    assert_eq!(bind("ii,i->", &[&[1, 1], &[4]]), Ok(vec![4]));
    assert_eq!(bind("...,...->...", &[&[2, 1], &[7]]), Ok(vec![2, 7]));
    let n = network("iij,j->", &[3, 1]).unwrap();
    assert_eq!(n.carried(&[&[1, 1, 3], &[3]]), [vec![1], vec![1]]);
    assert_eq!(n.carried(&[&[2, 2, 1], &[3]]), [vec![0], vec![1]]);
}

#[test]
fn sizes_blame_the_right_label() {
    let mismatch = |label, first, second| {
        Err(SizeError::Mismatch {
            label,
            first,
            second,
        })
    };
    let diagonal = |label, first, second| {
        Err(SizeError::Diagonal {
            label,
            first,
            second,
        })
    };
    assert_eq!(
        bind("ij,jk->ik", &[&[2, 3], &[4, 5]]),
        mismatch(1, axis(0, 1, 3), axis(1, 0, 4))
    );
    // The operand of length 1 is nobody's fault.
    assert_eq!(
        bind("a,a,a->", &[&[1], &[3], &[4]]),
        mismatch(0, axis(1, 0, 3), axis(2, 0, 4))
    );
    assert_eq!(
        bind("i,i->", &[&[0], &[3]]),
        mismatch(0, axis(0, 0, 0), axis(1, 0, 3))
    );
    // Within an operand nothing broadcasts.
    assert_eq!(
        bind("ii->", &[&[1, 3]]),
        diagonal(0, axis(0, 0, 1), axis(0, 1, 3))
    );
    assert_eq!(
        bind("ii->", &[&[3, 1]]),
        diagonal(0, axis(0, 0, 3), axis(0, 1, 1))
    );
    assert_eq!(
        bind("aabcb,abc", &[&[3, 3, 4, 5, 6], &[3, 4, 5]]),
        diagonal(1, axis(0, 2, 4), axis(0, 4, 6))
    );
    // Axes of `...`: label 1 is the one before the last.
    assert_eq!(
        bind("...a,...->...", &[&[5, 2, 3], &[7, 2]]),
        mismatch(1, axis(0, 0, 5), axis(1, 0, 7))
    );
    // Shapes that the network was not made for.
    let n = network("ij", &[2]).unwrap();
    assert_eq!(
        n.bind(&[&[2]]),
        Err(SizeError::Rank {
            operand: 0,
            expected: 2,
            found: 1
        })
    );
    assert_eq!(
        n.bind(&[]),
        Err(SizeError::Rank {
            operand: 0,
            expected: 2,
            found: 0
        })
    );
    assert_eq!(
        n.bind(&[&[2, 2], &[3]]),
        Err(SizeError::Rank {
            operand: 1,
            expected: 0,
            found: 1
        })
    );
}

#[test]
fn axes_are_found_again_in_the_text() {
    let text = " ( i j..., 甲 ) , -> i ...";
    let at = |term, axis, rank| axis_span(text, term, axis, rank).map(|s| &text[s.start..s.end]);
    assert_eq!(at(TermRef::Input(0), 0, 4), Some("i"));
    assert_eq!(at(TermRef::Input(0), 1, 4), Some("j"));
    assert_eq!(at(TermRef::Input(0), 2, 4), Some("..."));
    assert_eq!(at(TermRef::Input(0), 3, 4), Some("..."));
    assert_eq!(at(TermRef::Input(0), 4, 4), None);
    assert_eq!(at(TermRef::Input(0), 0, 1), None);
    assert_eq!(at(TermRef::Input(1), 0, 1), Some("甲"));
    assert_eq!(at(TermRef::Input(2), 0, 0), None);
    assert_eq!(at(TermRef::Input(3), 0, 1), None);
    assert_eq!(at(TermRef::Output, 1, 2), Some("..."));
    assert_eq!(axis_span("i", TermRef::Output, 0, 1), None);
    assert_eq!(
        term_span("ij,jk->ik", TermRef::Input(1)),
        Some(Span::new(3, 5))
    );
    assert_eq!(
        term_span("ij,jk->ik", TermRef::Output),
        Some(Span::new(7, 9))
    );
    assert_eq!(label_names(text), ["i", "j", "甲"]);

    let numbers = Checked::from_labels(&[&[12, 3][..], &[], &[3, 3, 12]], &[12]).unwrap();
    let at = |term, axis, rank| {
        axis_span(&numbers.text, term, axis, rank).map(|s| &numbers.text[s.start..s.end])
    };
    assert_eq!(at(TermRef::Input(0), 0, 2), Some("12"));
    assert_eq!(at(TermRef::Input(0), 1, 2), Some("3"));
    assert_eq!(at(TermRef::Input(2), 2, 3), Some("12"));
    assert_eq!(at(TermRef::Output, 0, 1), Some("12"));
    assert_eq!(
        term_span(&numbers.text, TermRef::Input(1)).map(|s| s.start),
        Some(8)
    );
    assert_eq!(label_names(&numbers.text), numbers.names);
}

fn order(spec: &str, order: &Order) -> Result<String, OrderError> {
    let checked = checked(spec);
    let operands = checked.inputs.len();
    checked.tree(order).map(|tree| tree.text(operands))
}

fn path(steps: &[&[u32]]) -> Order {
    Order::Path(steps.iter().map(|s| s.to_vec()).collect())
}

#[test]
fn orders() {
    let chain = "ij,jk,kl,lm->im";
    assert_eq!(order(chain, &Order::LeftToRight).unwrap(), "((0·1)·2)·3");
    // Results go to the end of the list.
    assert_eq!(
        order(chain, &path(&[&[0, 1], &[0, 1], &[0, 1]])).unwrap(),
        "(0·1)·(2·3)"
    );
    assert_eq!(
        order(chain, &path(&[&[1, 2], &[0, 2], &[1, 0]])).unwrap(),
        "(0·(1·2))·3"
    );
    // One position moves, three are a group.
    assert_eq!(
        order(chain, &path(&[&[0], &[0, 1], &[2, 0, 1]])).unwrap(),
        "(0·(1·2))·3"
    );
    assert_eq!(
        order(chain, &path(&[&[0, 1, 2, 3]])).unwrap(),
        order(chain, &Order::Auto).unwrap()
    );
    assert_eq!(order("ij", &path(&[&[0]])).unwrap(), "0");
    assert_eq!(order("ij", &path(&[])).unwrap(), "0");
    assert_eq!(order("ij", &Order::Tree(vec![])).unwrap(), "0");
    assert_eq!(order("ij", &Order::LeftToRight).unwrap(), "0");
    assert_eq!(order("ij", &Order::Greedy).unwrap(), "0");
    // Equal trees are equal, whichever way round the pairs are given.
    let tree = checked(chain)
        .tree(&Order::Tree(vec![(2, 3), (1, 0), (4, 5)]))
        .unwrap();
    assert_eq!(tree, Tree(vec![(2, 3), (0, 1), (5, 4)]));
    assert_eq!(
        order("ij,jk,kl->il", &Order::Tree(vec![(0, 1), (3, 2)])).unwrap(),
        "(0·1)·2"
    );
    // Of equals the lowest pair, and outer products last, the smallest first.
    assert_eq!(order("ij,jk,kl->il", &Order::Greedy).unwrap(), "(0·1)·2");
    assert_eq!(
        order("ab,c,de,f->abcdef", &Order::Greedy).unwrap(),
        "(0·2)·(1·3)"
    );
    assert_eq!(
        order("...ij,jk,k...->...i", &Order::Greedy).unwrap(),
        "0·(1·2)"
    );
}

#[test]
fn orders_that_are_none() {
    let chain = "ij,jk,kl->il";
    let refused = |given: Order, expected: OrderError, text: &str| {
        let error = order(chain, &given).unwrap_err();
        assert_eq!(error, expected);
        assert_eq!(error.to_string(), text);
    };
    refused(
        path(&[&[0, 3]]),
        OrderError::NoSuchPosition {
            step: 0,
            position: 3,
            tensors: 3,
        },
        "step 0 of the path takes position 3, but there are 3 tensors then (0 to 2)",
    );
    refused(
        path(&[&[0, 1], &[0, 1], &[0, 1]]),
        OrderError::NoSuchPosition {
            step: 2,
            position: 1,
            tensors: 1,
        },
        "step 2 of the path takes position 1, but there is 1 tensor then (0 to 0)",
    );
    refused(
        path(&[&[1, 1], &[0, 1]]),
        OrderError::PositionTwice {
            step: 0,
            position: 1,
        },
        "step 0 of the path takes position 1 twice",
    );
    refused(
        path(&[&[0, 1], &[]]),
        OrderError::EmptyStep { step: 1 },
        "step 1 of the path is empty",
    );
    refused(
        path(&[&[0, 1]]),
        OrderError::PathTooShort { steps: 1, left: 2 },
        "the path ends after 1 step with 2 tensors left to contract",
    );
    refused(
        Order::Tree(vec![(0, 1)]),
        OrderError::TreeLength {
            steps: 1,
            expected: 2,
        },
        "the tree has 1 step, expected 2: one less than there are operands",
    );
    refused(
        Order::Tree(vec![(0, 3), (1, 2)]),
        OrderError::NoSuchTensor {
            step: 0,
            tensor: 3,
            tensors: 3,
        },
        "step 0 of the tree takes tensor 3, but there are 3 operands and results then (0 to 2)",
    );
    refused(
        Order::Tree(vec![(0, 1), (1, 2)]),
        OrderError::UsedTwice {
            step: 1,
            tensor: 1,
            first: 0,
        },
        "step 1 of the tree takes tensor 1, which step 0 has used up",
    );
    refused(
        Order::Tree(vec![(0, 0), (1, 2)]),
        OrderError::UsedTwice {
            step: 0,
            tensor: 0,
            first: 0,
        },
        "step 0 of the tree contracts tensor 0 with itself",
    );
    assert_eq!(
        order("(ij,jk),kl", &Order::LeftToRight),
        Err(OrderError::Parentheses)
    );
    assert_eq!(
        order("ij", &Order::Tree(vec![(0, 0)])),
        Err(OrderError::TreeLength {
            steps: 1,
            expected: 0
        })
    );
}
