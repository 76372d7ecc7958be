//! The mistakes of one call, collected so that all are reported at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One mistake: where it stands and what to say.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// The mistakes of a call in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    pub(crate) fn push(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(Error {
            span,
            message: message.into(),
        });
    }

    /// The mistakes of a later stage, after these.
    pub(crate) fn append(&mut self, later: Errors) {
        self.0.extend(later.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One `compile_error!` for each mistake.
    ///
    /// Every token has the span of the mistake: rustc reports at the span from the path to the closing delimiter.
    pub(crate) fn into_compile_errors(self) -> Vec<TokenStream> {
        self.0
            .into_iter()
            .map(|Error { span, message }| quote_spanned!(span=> ::core::compile_error! { #message }))
            .collect()
    }

    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|e| e.message.as_str()).collect()
    }
}

/// The candidate nearest to `word`, if it is near enough to be what was meant.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    candidates
        .iter()
        .map(|c| (distance(word, c), *c))
        .filter(|(d, c)| *d <= 1.max(c.chars().count() / 3))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Levenshtein's distance with transposition of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        let words = ["order", "engine"];
        assert_eq!(nearest("ordre", &words), Some("order"));
        assert_eq!(nearest("oder", &words), Some("order"));
        assert_eq!(nearest("egnine", &words), Some("engine"));
        assert_eq!(nearest("out", &words), None);
        assert_eq!(nearest("", &words), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
