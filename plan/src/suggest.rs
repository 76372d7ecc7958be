//! "Did you mean": the label that a wrong one was probably meant to be.

use crate::lists::{Listed, joined};
use alloc::{format, string::String, vec::Vec};

use crate::{lookalike::shape, picture::quoted};

/// Help for a label of the output that no input has.
///
/// `candidates` are the labels of the inputs that the output does not name yet, with their number of occurrences; the
/// one that is suggested is taken out, so that the next unknown label gets another.
pub(crate) fn unknown_label(
    name: &str,
    candidates: &mut Vec<(&str, usize)>,
    known: &[String],
) -> String {
    if known.is_empty() {
        return String::from("the inputs have no labels");
    }
    let alike = |a: &str, b: &str| a.chars().map(shape).eq(b.chars().map(shape));
    let case = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    if let Some(at) = candidates.iter().position(|(c, _)| alike(name, c)) {
        let (label, _) = candidates.remove(at);
        return match (code(name), code(label)) {
            (Some(wrong), Some(right)) if !name.is_ascii() || !label.is_ascii() => format!(
                "did you mean {}? it is U+{right:04X}, this is U+{wrong:04X}",
                quoted(label)
            ),
            _ => format!("did you mean {}?", quoted(label)),
        };
    }
    // A near letter is a slip of the finger. A label that occurs once is summed unless the output names it: rarely meant.
    let once = |count: usize| count == 1;
    let at = candidates
        .iter()
        .position(|(c, _)| case(name, c))
        .or_else(|| nearest(name, candidates, once))
        .or_else(|| candidates.iter().position(|(_, count)| once(*count)))
        .or_else(|| nearest(name, candidates, |_| true));
    if let Some(at) = at {
        return format!("did you mean {}?", quoted(candidates.remove(at).0));
    }
    let mut list: Vec<String> = known.iter().take(8).map(|name| quoted(name)).listed();
    if known.len() > 8 {
        list.push(String::from("…"));
    }
    format!("the inputs have {}", joined(&list, ", "))
}

/// The candidate nearest by code point, the first of equals, among those whose count will do; none that is far.
fn nearest(
    name: &str,
    candidates: &[(&str, usize)],
    will_do: impl Fn(usize) -> bool,
) -> Option<usize> {
    let suitable = candidates
        .iter()
        .enumerate()
        .filter(|(_, (_, count))| will_do(*count));
    let far = suitable.map(|(at, (label, _))| (distance(name, label), at));
    far.filter(|(far, _)| *far <= 2).min().map(|(_, at)| at)
}

/// Distance of two names of one character each; names of other lengths are far from everything.
fn distance(a: &str, b: &str) -> u32 {
    match (code(a), code(b)) {
        (Some(a), Some(b)) => a.abs_diff(b),
        _ => u32::MAX,
    }
}

fn code(name: &str) -> Option<u32> {
    let mut chars = name.chars();
    chars
        .next()
        .filter(|_| chars.next().is_none())
        .map(u32::from)
}
