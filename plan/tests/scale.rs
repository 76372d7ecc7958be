//! Large networks, in a debug build as a proc macro runs in one.

use std::time::{Duration, Instant};

use cteinsum_plan::{Label, Order, Program, Subscripts, greedy};

/// The work of the default order is a fraction of this even on a slow and busy machine.
const BOUND: Duration = Duration::from_secs(5);

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let took = start.elapsed();
    println!("{what}: {took:?}");
    assert!(took < BOUND, "{what} took {took:?}");
    result
}

/// The n-th label of a spec: a letter.
fn letter(n: usize) -> char {
    ('\u{4e00}'..).nth(n).unwrap()
}

#[test]
fn a_thousand_operands_from_text_to_program() {
    let chain: Vec<String> = (0..1000)
        .map(|p| format!("{}{}", letter(p), letter(p + 1)))
        .collect();
    let spec = format!("{}->{}{}", chain.join(","), letter(0), letter(1000));
    timed("chain of 1000", || {
        let (subscripts, mistakes) = Subscripts::diagnose(&spec, 1000);
        assert!(mistakes.is_empty());
        let checked = subscripts.check().unwrap();
        let tree = checked.tree(&Order::Greedy).unwrap();
        assert_eq!(tree.0.len(), 999);
        let summary = checked.summary(&tree);
        assert!(summary.chars().count() < 300, "{summary}");
        // Two labels in every intermediate: no outer products in between.
        let program = checked.program(&tree);
        assert_eq!(program.largest(&vec![2; 1002]), 4);
        assert_eq!(program.cost(&vec![2; 1002]).multiply_adds, 999 * 8);
    });
}

#[test]
fn a_label_in_a_thousand_operands() {
    // One label in all, one of its own in each, which the output keeps for the first two alone.
    let mut carried: Vec<Vec<Label>> = (0..1000).map(|p| vec![0, p + 1]).collect();
    timed("star of 1000, legs summed", || {
        greedy(&carried, &[1, 2], &[2; 1001], None)
    });
    let output: Vec<Label> = (1..=1000).collect();
    let tree = timed("star of 1000, legs kept", || {
        greedy(&carried, &output, &[2; 1001], None)
    });
    assert_eq!(tree.0.len(), 999);
    timed("lowering it", || Program::lower(&carried, &output, &tree.0));
    // Neighbours share a label, too.
    for (p, labels) in carried.iter_mut().enumerate() {
        *labels = vec![0, p as Label + 1, p as Label + 2];
    }
    let tree = timed("wheel of 1000", || greedy(&carried, &[], &[2; 1002], None));
    let program = timed("lowering it", || Program::lower(&carried, &[], &tree.0));
    assert!(program.largest(&[2; 1002]) <= 8);
}

#[test]
fn all_operands_share_many_labels() {
    let carried: Vec<Vec<Label>> = (0..400)
        .map(|p| (0..20).map(|l| (p + l * l) % 60).collect())
        .collect();
    timed("400 dense operands", || {
        greedy(&carried, &[0, 1], &[2; 60], None)
    });
    // Without any shared label: outer products alone.
    let carried: Vec<Vec<Label>> = (0..1000).map(|p| vec![p]).collect();
    let output: Vec<Label> = (0..1000).collect();
    let tree = timed("outer product of 1000", || {
        greedy(&carried, &output, &[2; 1000], None)
    });
    // The smallest first makes a balanced tree.
    let program = timed("lowering it", || Program::lower(&carried, &output, &tree.0));
    assert!(program.steps[500].result.len() <= 8);
}

#[test]
fn deep_parentheses() {
    let depth = 20_000;
    let spec = format!("{}a{}->", "(a,".repeat(depth), ")".repeat(depth));
    let spec = timed("parsing 20000 nested parentheses", || {
        Subscripts::parse(&spec)
    })
    .unwrap();
    let tree = timed("their tree", || spec.check().unwrap().tree(&Order::Greedy)).unwrap();
    assert_eq!(tree.0.len(), depth);
    assert!(tree.text(depth + 1).starts_with("0·(1·(2·("));
    let open = "(".repeat(100_000);
    let (_, mistakes) = timed("100000 open parentheses", || Subscripts::parse_lossy(&open));
    assert_eq!(mistakes.len(), 100_000);
}

#[test]
fn texts_that_are_all_mistakes() {
    for piece in [
        ".", "...", "... ", ". ", "- ", "->", "-", "@", "@#", "[", ",", ")", "a(", "()", "->,",
        "->b", "…",
    ] {
        let text = piece.repeat(20_000 / piece.len());
        let (_, mistakes) = timed(piece, || Subscripts::diagnose(&text, 3));
        if let Some(last) = mistakes.last() {
            timed(piece, || last.render(&text));
        }
    }
}
