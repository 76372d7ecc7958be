//! The spec on one line, and the carets.

use cteinsum_plan::{Span, picture};

use crate::says;

#[test]
fn carets_stand_under_what_is_shown() {
    // Two columns each, white space and marks as escapes.
    says(
        "甲乙,乙丙->甲z",
        2,
        &[
            "output label `z` is in no input",
            "    甲乙,乙丙->甲z",
            "                 ^ did you mean `丙`?",
        ],
    );
    says(
        "i\tj,\n jk->iz",
        2,
        &[
            "output label `z` is in no input",
            r"    i\tj,\n jk->iz",
            "                 ^ did you mean `k`?",
        ],
    );
    says(
        "i\u{301}j->ij",
        1,
        &[
            r"expected a label, `,` or `->`, found `\u{301}`",
            r"    i\u{301}j->ij",
            "     ^^^^^^^ a combining mark: a label is one character",
        ],
    );
    says(
        "i\u{200b}->i",
        1,
        &[
            r"expected a label, `,` or `->`, found `\u{200b}`",
            r"    i\u{200b}->i",
            "     ^^^^^^^^ an invisible character: remove it",
        ],
    );
    says(
        "\u{202e}i->i",
        1,
        &[
            r"expected a label, `,` or `->`, found `\u{202e}`",
            r"    \u{202e}i->i",
            "    ^^^^^^^^ an invisible character: remove it",
        ],
    );
    says(
        "🙂->",
        1,
        &[
            "expected a label, `,` or `->`, found `🙂` (U+1F642)",
            "    🙂->",
            "    ^^ a label is one letter or digit",
        ],
    );
    says(
        "i\u{3000}j\u{a0}->ij\0",
        1,
        &[
            r"expected a label, found `\0`",
            r"    i\u{3000}j\u{a0}->ij\0",
            "                        ^^ a control character: remove it",
        ],
    );
}

#[test]
fn pictures() {
    assert_eq!(
        picture("ij,jk->ik", &[Span::new(1, 2), Span::new(3, 4)], ""),
        "    ij,jk->ik\n     ^ ^"
    );
    assert_eq!(
        picture("ij", &[Span::empty(2)], "here"),
        "    ij\n      ^ here"
    );
    assert_eq!(picture("", &[], ""), "");
    // Nothing to point at: no line for it.
    assert_eq!(picture("ij,k", &[], ""), "    ij,k");
    // Spans beyond the text or inside a character still mark something.
    assert_eq!(picture("甲j", &[Span::new(1, 2)], ""), "    甲j\n    ^^");
    assert_eq!(picture("ij", &[Span::new(7, 9)], ""), "    ij\n      ^");
    let reversed = Span { start: 2, end: 1 };
    assert_eq!(picture("ij,k", &[reversed], ""), "    ij,k\n      ^");
    // Of a long text, what is around the places.
    let long = format!("{}->z", vec!["ij"; 100].join(","));
    let shown = picture(
        &long,
        &[Span::new(60, 62), Span::new(long.len() - 1, long.len())],
        "no",
    );
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[0],
        "    …,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij,ij…ij,ij,ij,ij,ij,ij,ij,ij,ij,ij->z"
    );
    let caret = |at: usize| lines[1].chars().nth(at).unwrap();
    let under = |at: usize| lines[0].chars().nth(at).unwrap();
    let marked: Vec<char> = (0..lines[1].chars().count())
        .filter(|&at| caret(at) == '^')
        .map(under)
        .collect();
    assert_eq!(marked, ['i', 'j', 'z'], "{shown}");
}
