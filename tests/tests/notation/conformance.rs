//! Every case of the data in index notation, against the stored values and against the string form, bit by bit.

use cteinsum::{Einsum, EinsumError, Engine, Tensor, einsum, try_einsum};
use cteinsum_tests::access::{dyn_view, dyn_views, dynamic, element, tensor, view};
use cteinsum_tests::data::{self, Invalid};
use cteinsum_tests::layout::{Laid, Layout, lay_elements};
use cteinsum_tests::oracle::Dense;
use cteinsum_tests::outcome::{Failures, Outcome, same, same_bits};
use cteinsum_tests::random::Random;

type Call = fn(&[Laid<f64>], &mut Engine) -> Outcome<f64>;
type Refused = fn(&[Laid<f64>]) -> Option<EinsumError>;

mod generated {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/notation.rs"));
}
mod errors {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/notation_errors.rs"));
}

/// Contract: I1, I3
#[test]
fn every_case_in_index_notation() {
    let cases = data::valid();
    let mut engine = Engine::serial();
    let mut failures = Failures::new();
    for &(n, call) in generated::TABLE {
        let case = &cases[n];
        if case.values.is_some() {
            continue;
        }
        let describe = || format!("{} {:?} of {:?}", case.id, case.spec, case.shapes);
        failures.check(describe, || {
            let shapes = case.shapes.iter().enumerate();
            let laid: Vec<Laid<f64>> = shapes
                .map(|(k, shape)| {
                    let dense = data::operand(k, shape, |n, k| data::rule(n, k) as f64);
                    lay_elements(shape, &dense.values, &Layout::Hostile, f64::NAN)
                })
                .collect();
            let stored = Dense {
                shape: case.out_shape.clone(),
                values: case.out.clone(),
            };
            if !same(&call(&laid, &mut engine), &stored) {
                return Err("other values than those stored".to_owned());
            }
            // A sum of two terms rounds for itself.
            if n % 6 == 5 {
                return Ok(());
            }
            let mut random = Random(n as u64);
            let laid: Vec<Laid<f64>> = (case.shapes.iter())
                .map(|shape| {
                    let values = random.reals(shape.iter().product());
                    lay_elements(shape, &values, &Layout::Row, f64::NAN)
                })
                .collect();
            let einsum = Einsum::parse(&case.spec).map_err(|e| e.to_string())?;
            let string = einsum.contract(&mut engine, &dyn_views(&laid));
            let string = dynamic(string.map_err(|e| e.to_string())?);
            if same_bits(&call(&laid, &mut engine), &string) {
                Ok(())
            } else {
                Err("other bits than those of the string form".to_owned())
            }
        });
    }
    failures.finish(1190);
}

/// What shapes alone make wrong is an error of the same kind, whose picture is of the term in index notation.
#[test]
fn every_refused_shape_in_index_notation() {
    let refused: Vec<Invalid> = data::invalid().into_iter().filter(|c| !c.compile).collect();
    assert_eq!(refused.len(), errors::TABLE.len());
    let mut failures = Failures::new();
    for &(n, call) in errors::TABLE {
        let case = &refused[n];
        failures.check(
            || format!("{} {:?}", case.id, case.spec),
            || {
                let laid: Vec<Laid<f64>> = (case.shapes.iter().flatten().enumerate())
                    .map(|(k, shape)| {
                        let dense = data::operand(k, shape, |n, k| data::rule(n, k) as f64);
                        lay_elements(shape, &dense.values, &Layout::Row, f64::NAN)
                    })
                    .collect();
                let Some(found) = call(&laid) else {
                    return Err("no error".to_owned());
                };
                let mut engine = Engine::serial();
                let einsum = Einsum::parse(&case.spec).map_err(|e| e.to_string())?;
                let expected = einsum.contract(&mut engine, &dyn_views(&laid)).err();
                let expected = expected.ok_or("no error of the string form")?;
                if core::mem::discriminant(&found) != core::mem::discriminant(&expected) {
                    return Err(format!("{found}\nnot\n{expected}"));
                }
                let text = found.to_string();
                let carets = text.lines().nth(2).is_some_and(|line| line.contains('^'));
                if carets { Ok(()) } else { Err(text) }
            },
        );
    }
    failures.finish(10);
}
