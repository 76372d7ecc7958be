//! Any text at all: nothing panics, and what is accepted means what it says.

mod common;

use common::Random;
use cteinsum_plan::{Order, Subscripts, TermRef, axis_span, label_names, picture, term_span};

/// What is likely to upset a parser: its own signs, look-alikes, white space, marks, wide and broken characters.
const ALPHABET: &[&str] = &[
    "i",
    "j",
    "k",
    "I",
    "1",
    "а",
    "α",
    "é",
    "e\u{301}",
    "甲",
    "ㅏ",
    "\u{1161}",
    "ｉ",
    "𝐢",
    "(",
    ")",
    ",",
    ".",
    "...",
    "->",
    "-",
    ">",
    "<",
    "=",
    " ",
    "\t",
    "\n",
    "\u{3000}",
    "\u{a0}",
    "\u{200b}",
    "\u{feff}",
    "\u{202e}",
    "\0",
    "\u{7f}",
    "→",
    "⇒",
    "←",
    "－",
    "＞",
    "，",
    "、",
    "；",
    ";",
    ":",
    "（",
    "）",
    "[",
    "]",
    "{",
    "}",
    "…",
    "⋯",
    "·",
    "’",
    "'",
    "\"",
    "\\",
    "🙂",
    "👩‍👧",
    "*",
    "@",
    "_",
    "$",
    "\u{10ffff}",
    "\u{fffd}",
    "ß",
    "ﬁ",
    "²",
    "Ⅷ",
    "—",
    "–",
];

fn text(random: &mut Random, longest: usize, pieces: &[&str]) -> String {
    let length = random.below(longest + 1);
    (0..length).map(|_| *random.pick(pieces)).collect()
}

/// Everything that can be asked of a text.
fn exercise(text: &str, operands: usize) -> bool {
    let (subscripts, mistakes) = Subscripts::diagnose(text, operands);
    for pair in mistakes.windows(2) {
        assert!(pair[0].span <= pair[1].span, "{text:?}: in order of place");
        assert_ne!(
            (pair[0].span, &pair[0].mistake),
            (pair[1].span, &pair[1].mistake),
            "{text:?}: said twice"
        );
    }
    for mistake in &mistakes {
        for span in [&mistake.span].into_iter().chain(&mistake.also) {
            assert!(
                text.get(span.start..span.end).is_some(),
                "{text:?}: {mistake:?} is not inside"
            );
        }
        let rendered = mistake.render(text);
        let lines: Vec<&str> = rendered.split('\n').collect();
        assert_eq!(lines.len(), 3, "{text:?}: {rendered:?}");
        assert!(
            !rendered.chars().any(|c| c.is_control() && c != '\n'),
            "{rendered:?}"
        );
        assert!(lines[2].contains('^'));
        assert!(
            !lines[0].ends_with('.') || lines[0].ends_with("..."),
            "no full stop: {}",
            lines[0]
        );
        assert!(!lines[0].starts_with(char::is_uppercase));
    }
    let _ = (
        subscripts.output_rank(),
        subscripts.has_ellipsis(),
        subscripts.has_parentheses(),
    );
    let names = label_names(text);
    for operand in 0..subscripts.inputs().len().min(4) {
        for axis in 0..3 {
            if let Some(span) = axis_span(text, TermRef::Input(operand), axis, 3) {
                assert!(text.get(span.start..span.end).is_some());
            }
        }
        // What begins with a bracket is read as the text of integer labels.
        assert!(
            text.trim_start_matches('(').starts_with('[')
                || term_span(text, TermRef::Input(operand)).is_some()
        );
    }
    let parsed = Subscripts::parse(text);
    if !mistakes.is_empty() {
        return false;
    }
    let checked = parsed.expect("no mistakes").check().expect("no mistakes");
    assert_eq!(checked.names, names);
    assert_eq!(checked.inputs.len(), operands);
    for order in [Order::Greedy, Order::LeftToRight] {
        if let Ok(tree) = checked.tree(&order) {
            assert_eq!(tree.0.len() + 1, operands);
            assert!(checked.summary(&tree).starts_with("einsum "));
        } else {
            assert!(checked.groups.is_some());
        }
    }
    // White space between tokens means nothing: the same with none, and with more.
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let again = Subscripts::parse(&bare).unwrap().check().unwrap();
    assert_eq!(
        (&again.inputs, &again.output, &again.groups),
        (&checked.inputs, &checked.output, &checked.groups)
    );
    let mut spaced = String::from("\u{2003}");
    for token in bare.replace("...", "…").replace("->", "→").chars() {
        spaced.push_str(match token {
            '…' => "...",
            '→' => "->",
            _ => "",
        });
        if !matches!(token, '…' | '→') {
            spaced.push(token);
        }
        spaced.push_str(" \n");
    }
    let again = Subscripts::parse(&spaced).unwrap().check().unwrap();
    assert_eq!(
        (&again.inputs, &again.output, &again.groups),
        (&checked.inputs, &checked.output, &checked.groups)
    );
    true
}

#[test]
fn random_texts() {
    let mut random = Random::new(3);
    for _ in 0..8_000 {
        let text = text(&mut random, 12, ALPHABET);
        let operands = random.below(4);
        exercise(&text, operands);
    }
}

#[test]
fn random_texts_of_the_notation() {
    let mut random = Random::new(4);
    let mut accepted = 0;
    for _ in 0..10_000 {
        let pieces = ["i", "j", "k", "i", "(", ")", ",", "...", "->", " "];
        let text = text(&mut random, 10, &pieces);
        let operands = 1 + text
            .split("->")
            .next()
            .unwrap_or_default()
            .matches(',')
            .count();
        accepted += usize::from(exercise(&text, operands));
    }
    assert!(
        accepted > 750,
        "{accepted} accepted: too few to mean anything"
    );
}

#[test]
fn mutations_of_right_ones() {
    let mut random = Random::new(5);
    let right = [
        "ij,jk->ik",
        "(ij,jk),kl->il",
        "...ij,...jk->...ik",
        "i,,j->",
        "((a,b),(c,d))",
        "àá,áâ->àâ",
    ];
    for _ in 0..5_000 {
        let mut chars: Vec<char> = random.pick(&right).chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(chars.len() + 1);
            match random.below(3) {
                0 => drop((at < chars.len()).then(|| chars.remove(at))),
                1 => chars
                    .splice(at..at, random.pick(ALPHABET).chars())
                    .for_each(drop),
                _ => {
                    let other = random.below(chars.len().max(1));
                    if at < chars.len() {
                        chars.swap(at, other);
                    }
                }
            }
        }
        let text: String = chars.into_iter().collect();
        exercise(&text, 1 + random.below(4));
    }
}

#[test]
fn pictures_of_anything() {
    let mut random = Random::new(6);
    for _ in 0..3_000 {
        let text = text(&mut random, 60, ALPHABET);
        let mut span = || {
            let (a, b) = (random.below(text.len() + 2), random.below(text.len() + 2));
            cteinsum_plan::Span { start: a, end: b }
        };
        let spans = [span(), span()];
        let picture = picture(&text, &spans, "here");
        let lines: Vec<&str> = picture.split('\n').collect();
        assert_eq!(lines.len(), 2, "{picture:?}");
        assert!(lines[1].ends_with("^ here"), "{picture}");
    }
}
