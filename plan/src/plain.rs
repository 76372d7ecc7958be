//! What most einsums are, read in one pass: subscripts of labels, commas and an arrow, and shapes of lengths other than 1.
//!
//! Whatever is not plain goes the long way, which also has the words for what is wrong.

use alloc::{string::String, vec::Vec};

use crate::{
    check::Checked,
    sorted::Numbers,
    spec::{ELLIPSIS, Label},
};

impl Checked {
    /// What [`Subscripts::parse`](crate::Subscripts::parse) and [`check`](crate::Subscripts::check) make of subscripts without
    /// a mistake that have an arrow, but no white space, no `...` and no parentheses; `None` for all others.
    pub fn plain(text: &str) -> Option<Checked> {
        let terms = 1 + text.bytes().filter(|&byte| byte == b',').count();
        let mut checked = Checked {
            text: String::from(text),
            names: Vec::with_capacity(2 * terms),
            inputs: Vec::with_capacity(terms),
            output: Vec::new(),
            implicit_output: false,
            groups: None,
        };
        // The label of a character; of those that are not ASCII, by their numbers among them.
        let mut ascii = [ELLIPSIS; 128];
        let mut others = (Numbers::new(), Vec::new());
        let mut term: Vec<Label> = Vec::with_capacity(8);
        let mut ended = false;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                ',' if !ended => {
                    checked.inputs.push(term.clone());
                    term.clear();
                    continue;
                }
                '-' if !ended && chars.next() == Some('>') => {
                    checked.inputs.push(term.clone());
                    term.clear();
                    ended = true;
                    continue;
                }
                _ if !c.is_alphanumeric() => return None,
                _ => {}
            }
            let next = checked.names.len() as Label;
            let label = match ascii.get_mut(c as usize) {
                Some(label) => label,
                None => {
                    let (number, new) = others.0.number(c as usize);
                    if new {
                        others.1.push(ELLIPSIS);
                    }
                    &mut others.1[number]
                }
            };
            if *label == ELLIPSIS {
                // A label that only the output has, or perhaps too many: mistakes.
                if ended || next > 60_000 {
                    return None;
                }
                *label = next;
                checked.names.push(String::from(c));
            }
            term.push(*label);
        }
        checked.output = term;
        ended.then_some(checked)
    }

    /// The size of every label where an operand's axes are the labels of its term and no more has to be said: the shapes fit,
    /// no term has `...`, no term and not the output has a label twice, and no length is 1. [`Checked::inputs`] and
    /// [`Checked::output`] are then what operands and result carry. `None` otherwise: see [`Checked::network`].
    pub fn plain_sizes(&self, shapes: &[&[usize]]) -> Option<Vec<usize>> {
        if shapes.len() != self.inputs.len() || repeats(&self.output) {
            return None;
        }
        // 1 where nothing is known yet.
        let mut sizes = alloc::vec![1; self.names.len()];
        for (term, shape) in self.inputs.iter().zip(shapes) {
            if term.len() != shape.len() || repeats(term) {
                return None;
            }
            for (&label, &length) in term.iter().zip(*shape) {
                let size = sizes.get_mut(usize::from(label))?;
                if *size == 1 {
                    *size = length;
                }
                if *size != length || length == 1 {
                    return None;
                }
            }
        }
        Some(sizes)
    }
}

/// Whether a label is there twice; they are few.
fn repeats(labels: &[Label]) -> bool {
    let mut at = 1;
    while at < labels.len() {
        if labels[..at].contains(&labels[at]) {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Subscripts, search::Random};

    fn long_way(text: &str) -> Option<Checked> {
        Subscripts::parse(text).ok()?.check().ok()
    }

    #[test]
    fn the_same_as_the_long_way() {
        let (mut plain, mut not) = (0, 0);
        for text in [
            "",
            "->",
            ",->",
            "i",
            "i->",
            "a->a->",
            "ii->i",
            "é1,1Δ->Δé",
            "i-j",
            "i>j",
        ] {
            let found = Checked::plain(text);
            assert!(found.is_none() || found == long_way(text), "{text}");
        }
        let mut random = Random::new(11);
        let pieces = [
            "i", "j", "Z", "0", "é", "δ", "字", ",", ",", "->", "->", "...", "(", ")", " ", "-",
            ">", "ij", "i,", "́",
        ];
        for _ in 0..40_000 {
            let mut text = String::new();
            for _ in 0..random.below(9) {
                text.push_str(pieces[random.below(pieces.len() as u64) as usize]);
            }
            let expected = long_way(&text);
            let outside = !text.contains("->") || text.contains([' ', '.', '(', ')']);
            match Checked::plain(&text) {
                Some(found) => {
                    assert_eq!(Some(found), expected, "{text}");
                    plain += 1;
                }
                None => {
                    assert!(expected.is_none() || outside, "{text}");
                    not += 1;
                }
            }
        }
        assert!(plain > 500 && not > 1_000, "{plain} {not}");
    }

    #[test]
    fn the_same_sizes_as_of_a_network() {
        let mut random = Random::new(12);
        let (mut plain, mut not) = (0, 0);
        for text in [
            "ij,jk->ik",
            "i,j,ij->",
            "ii,i->i",
            "ij,jk->iik",
            "...i,i->...",
            ",i->i",
            "ijk->kji",
        ] {
            let checked = Subscripts::parse(text).unwrap().check().unwrap();
            for _ in 0..2_000 {
                let ends = |random: &mut Random| 2 + random.below(3) * random.below(2);
                let shapes: Vec<Vec<usize>> = checked
                    .inputs
                    .iter()
                    .map(|term| {
                        let rank = term.len() + usize::from(random.below(20) == 0);
                        (0..rank)
                            .map(|_| {
                                ends(&mut random) as usize - usize::from(random.below(12) == 0)
                            })
                            .collect()
                    })
                    .collect();
                let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
                let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
                let network = checked.network(&ranks);
                let bound = network.as_ref().map(|network| network.bind(&shapes));
                match checked.plain_sizes(&shapes) {
                    Some(sizes) => {
                        let network = network.as_ref().unwrap();
                        assert_eq!(network.carried(&shapes), checked.inputs);
                        assert_eq!(network.carried_output(&sizes), checked.output);
                        assert_eq!(bound, Ok(Ok(sizes)));
                        plain += 1;
                    }
                    None => {
                        let twice = text.contains("ii") || text.contains('.');
                        let one = shapes.iter().any(|shape| shape.contains(&1));
                        assert!(
                            twice || one || !matches!(bound, Ok(Ok(_))),
                            "{text} {shapes:?}"
                        );
                        not += 1;
                    }
                }
            }
        }
        assert!(plain > 500 && not > 1_000, "{plain} {not}");
        assert!(
            Subscripts::parse("i,i->i")
                .unwrap()
                .check()
                .unwrap()
                .plain_sizes(&[&[2]])
                .is_none()
        );
        let zero = Checked::plain("ij,j->i").unwrap();
        assert_eq!(zero.plain_sizes(&[&[0, 3], &[3]]), Some(alloc::vec![0, 3]));
    }
}
