//! Vectors from iterators, in a plain loop.
//!
//! `collect` of the standard library chooses by traits among ways to allocate and to extend, ten functions for every closure,
//! and was a fifth of what an unoptimised build of this crate compiled. The lists here are short.

use alloc::string::String;
use alloc::vec::Vec;

/// [`listed`](Listed::listed) for every iterator.
#[doc(hidden)]
pub trait Listed: Iterator + Sized {
    /// All items.
    fn listed(self) -> Vec<Self::Item> {
        let mut list = Vec::with_capacity(self.size_hint().0);
        for item in self {
            list.push(item);
        }
        list
    }
}
impl<I: Iterator> Listed for I {}

/// The parts, with `between` between each two.
pub(crate) fn joined<S: AsRef<str>>(parts: &[S], between: &str) -> String {
    let mut text = String::new();
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            text.push_str(between);
        }
        text.push_str(part.as_ref());
    }
    text
}
