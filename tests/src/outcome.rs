//! What a call gave, and the failures of a whole run.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::element::Element;
use crate::oracle::Dense;

/// The result of a call: shape and row-major elements.
pub type Outcome<T> = Dense<T>;

/// Whether a result has the expected shape and elements; NaN stands for any NaN, and the sign of 0 is free.
pub fn same<T: Element>(got: &Outcome<T>, expected: &Dense<T>) -> bool {
    // NaN is what differs from itself.
    #[allow(clippy::eq_op)]
    let nan = |x: T| x != x;
    got.shape == expected.shape
        && got.values.len() == expected.values.len()
        && (got.values.iter().zip(&expected.values)).all(|(&a, &b)| a == b || (nan(a) && nan(b)))
}

/// Whether two results agree to the last bit.
pub fn same_bits<T: Element>(a: &Outcome<T>, b: &Outcome<T>) -> bool {
    a.shape == b.shape
        && a.values.len() == b.values.len()
        && (a.values.iter().zip(&b.values)).all(|(a, b)| a.bits() == b.bits())
}

/// A hash of shape and bits (FNV-1a), to be compared between processes.
pub fn fingerprint<T: Element>(outcome: &Outcome<T>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let sizes = outcome.shape.iter().map(|&n| n as u128);
    for word in sizes.chain(outcome.values.iter().map(|x| x.bits())) {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// Collects failures, so that one run shows them all.
#[derive(Debug, Default)]
pub struct Failures {
    count: usize,
    failed: usize,
    text: String,
}

impl Failures {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs one check; a panic inside is a failure.
    pub fn check(
        &mut self,
        name: impl FnOnce() -> String,
        run: impl FnOnce() -> Result<(), String>,
    ) {
        self.count += 1;
        let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
            let text = (payload.downcast_ref::<String>().cloned())
                .or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panic: {}", text.unwrap_or_default()))
        });
        if let Err(why) = result {
            self.failed += 1;
            if self.failed <= 25 {
                let _ = writeln!(self.text, "{}: {why}", name());
            }
        }
    }

    /// Panics if there was a failure, or fewer checks than the test counts on.
    #[track_caller]
    pub fn finish(self, least: usize) {
        assert!(
            self.failed == 0,
            "{} of {} checks failed, the first:\n{}",
            self.failed,
            self.count,
            self.text
        );
        assert!(
            self.count >= least,
            "only {} checks, not {least}",
            self.count
        );
    }
}
