//! The contract, sentence by sentence: `docs/contract.md` holds the sentences, a `Contract:` line above each test
//! names those that it would refute.

mod elements;
mod ellipsis;
mod errors;
mod labels;
mod lengths;
mod names;
mod operands;
mod order;
mod refusals;
mod result;
mod subscripts;

use cteinsum::{Einsum, Engine, Tensor};
use cteinsum_tests::access::{dyn_views, dynamic};
use cteinsum_tests::data;
use cteinsum_tests::layout::{Laid, Layout, lay};
use cteinsum_tests::oracle::{self, Dense};

/// A tensor of the numbers that the conformance data uses, as operand k.
fn numbers<const N: usize>(k: usize, shape: [usize; N]) -> Tensor<i64, N> {
    let count = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|n| data::rule(n, k)).collect())
}

/// Shape and elements of an einsum by `Einsum::parse`, after a comparison with the naive loop.
fn parsed(subscripts: &str, shapes: &[&[usize]]) -> Dense<i64> {
    let operands: Vec<Dense<i128>> = (shapes.iter().enumerate())
        .map(|(k, s)| data::operand(k, s, |n, k| i128::from(data::rule(n, k))))
        .collect();
    let laid: Vec<Laid<i64>> = operands.iter().map(|o| lay(o, &Layout::Row)).collect();
    let einsum = Einsum::parse(subscripts).expect("valid subscripts");
    let result = einsum
        .contract(&mut Engine::serial(), &dyn_views(&laid))
        .expect("shapes that fit");
    let result = dynamic(result);
    let expected = oracle::einsum(subscripts, &operands);
    let values: Vec<i64> = expected.values.iter().map(|&x| x as i64).collect();
    assert_eq!(result.shape, expected.shape, "{subscripts} {shapes:?}");
    assert_eq!(result.values, values, "{subscripts} {shapes:?}");
    result
}

/// The message with which `Einsum::parse` refuses subscripts.
fn refused(subscripts: &str) -> String {
    match Einsum::parse(subscripts) {
        Ok(_) => panic!("{subscripts:?} was accepted"),
        Err(error) => error.to_string(),
    }
}

/// The message with which shapes are refused.
fn shapes_refused(subscripts: &str, shapes: &[&[usize]]) -> String {
    let laid: Vec<Laid<i64>> = (shapes.iter().enumerate())
        .map(|(k, s)| {
            lay(
                &data::operand(k, s, |n, k| i128::from(data::rule(n, k))),
                &Layout::Row,
            )
        })
        .collect();
    let einsum = Einsum::parse(subscripts).expect("valid subscripts");
    match einsum.contract(&mut Engine::serial(), &dyn_views(&laid)) {
        Ok(result) => panic!("{subscripts} {shapes:?} gave {result:?}"),
        Err(error) => error.to_string(),
    }
}
