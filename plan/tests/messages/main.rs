//! The messages as they look: three lines each, the caret under the exact characters.

mod counts;
mod labels;
mod parentheses;
mod pictures;
mod signs;

use cteinsum_plan::Subscripts;

/// All messages for a spec and a number of operands.
fn messages(spec: &str, operands: usize) -> String {
    let (_, mistakes) = Subscripts::diagnose(spec, operands);
    mistakes.iter().map(|m| m.render(spec) + "\n").collect()
}

#[track_caller]
fn says(spec: &str, operands: usize, expected: &[&str]) {
    assert_eq!(
        messages(spec, operands).lines().collect::<Vec<_>>(),
        expected,
        "{spec:?}"
    );
}
