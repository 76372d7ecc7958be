//! Every invalid case of the data is refused, for the reason that the data gives.

use cteinsum::{Einsum, EinsumError, Engine, try_einsum};
use cteinsum_plan::Subscripts;
use cteinsum_tests::access::{dyn_view, dyn_views};
use cteinsum_tests::data::{self, Invalid};
use cteinsum_tests::layout::{Laid, Layout, lay};

type Refused = fn(&[Laid<f64>]) -> Option<EinsumError>;

mod shape_errors {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/shape_errors.rs"));
}

fn operands(case: &Invalid) -> Vec<Laid<f64>> {
    let shapes = case.shapes.as_ref().expect("shapes");
    (shapes.iter().enumerate())
        .map(|(k, shape)| {
            let dense = data::operand(k, shape, |n, k| i128::from(data::rule(n, k)));
            lay(&dense, &Layout::Row)
        })
        .collect()
}

/// Cases that some dialect refuses and this one gives a meaning: repeated outputs and digits as labels.
fn accepted(case: &Invalid) -> bool {
    !case.firm
        && (case.class == "duplicate-output-label"
            || ["1->1", "i1j->ij"].contains(&case.spec.as_str()))
}

/// The classes of all mistakes in a text with a number of operands.
fn classes(case: &Invalid) -> Vec<String> {
    let parsed = match Subscripts::parse(&case.spec) {
        Ok(parsed) => parsed,
        Err(mistakes) => {
            return mistakes
                .iter()
                .map(|d| d.mistake.class().to_owned())
                .collect();
        }
    };
    let mut found: Vec<_> = match parsed.check() {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes
            .iter()
            .map(|d| d.mistake.class().to_owned())
            .collect(),
    };
    if let Err(mistake) = parsed.check_count(case.operands) {
        found.push(mistake.mistake.class().to_owned());
    }
    found
}

#[test]
fn text_and_count_are_refused_for_the_reason_given() {
    let mut seen = 0;
    for case in data::invalid().iter().filter(|c| c.compile) {
        seen += 1;
        let classes = classes(case);
        if accepted(case) {
            assert!(
                classes.is_empty(),
                "{} {:?}: {classes:?}",
                case.id,
                case.spec
            );
        } else if case.spec == "a->1" {
            // A digit is a label here, which makes the fault another one.
            assert_eq!(classes, ["unknown-output-label"]);
        } else {
            assert!(
                classes.contains(&case.class),
                "{} {:?}: {classes:?}",
                case.id,
                case.spec
            );
        }
    }
    assert_eq!(seen, 78);
}

#[test]
fn text_and_count_are_errors_of_einsum() {
    for case in data::invalid().iter().filter(|c| c.compile) {
        let laid: Vec<Laid<f64>> = match case.shapes {
            Some(_) => operands(case),
            None => continue,
        };
        let result = Einsum::parse(&case.spec)
            .and_then(|e| e.contract(&mut Engine::serial(), &dyn_views(&laid)));
        assert_eq!(
            result.is_ok(),
            accepted(case),
            "{} {:?}: {result:?}",
            case.id,
            case.spec
        );
    }
}

/// What the message of a refused case must contain.
fn parts(case: &Invalid) -> &'static [&'static str] {
    match case.class.as_str() {
        "size-mismatch" => &["label '", "operand ", ") but ", "axis"],
        "diagonal-size-mismatch" => &["'", "operand 0", "axis"],
        "rank-mismatch" | "ellipsis-too-few-dims" => &["operand "],
        "ellipsis-broadcast-mismatch" => &["...", "operand ", "axis"],
        "ellipsis-missing-in-output" => &["..."],
        other => panic!("unknown class {other}"),
    }
}

#[test]
fn shapes_are_refused_by_both() {
    let cases: Vec<_> = data::invalid().into_iter().filter(|c| !c.compile).collect();
    assert_eq!((cases.len(), shape_errors::TABLE.len()), (33, 33));
    for &(n, call) in shape_errors::TABLE {
        let case = &cases[n];
        let laid = operands(case);
        let macros =
            call(&laid).unwrap_or_else(|| panic!("{} {:?} was accepted", case.id, case.spec));
        let parsed = Einsum::parse(&case.spec)
            .expect("valid subscripts")
            .contract(&mut Engine::serial(), &dyn_views(&laid))
            .expect_err("the shapes");
        let message = macros.to_string();
        assert_eq!(message, parsed.to_string(), "{}", case.id);
        for part in parts(case) {
            assert!(
                message.contains(part),
                "{} {:?}: no {part:?} in\n{message}",
                case.id,
                case.spec
            );
        }
        assert!(
            message.contains(case.spec.trim()),
            "{}: no subscripts in\n{message}",
            case.id
        );
    }
}
