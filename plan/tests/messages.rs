//! The messages as they look: three lines each, the caret under the exact characters.

use cteinsum_plan::{Checked, LabelsError, Mistake, Span, Subscripts, picture};

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

#[test]
fn unknown_labels_of_the_output() {
    says(
        "ij,jk->im",
        2,
        &[
            "output label `m` is in no input",
            "    ij,jk->im",
            "            ^ did you mean `k`?",
        ],
    );
    says(
        "i->I",
        1,
        &[
            "output label `I` is in no input",
            "    i->I",
            "       ^ did you mean `i`?",
        ],
    );
    // Cyrillic a in the first term.
    says(
        "аb,bc->ac",
        2,
        &[
            "output label `a` is in no input",
            "    аb,bc->ac",
            "           ^ did you mean `а`? it is U+0430, this is U+0061",
        ],
    );
    // Greek omicron for o, l for 1.
    says(
        "oj,jk->οk",
        2,
        &[
            "output label `ο` is in no input",
            "    oj,jk->οk",
            "           ^ did you mean `o`? it is U+006F, this is U+03BF",
        ],
    );
    says(
        "1j,jk->lk",
        2,
        &[
            "output label `l` is in no input",
            "    1j,jk->lk",
            "           ^ did you mean `1`?",
        ],
    );
    // A repeated one is one mistake.
    says(
        "i->bb",
        1,
        &[
            "output label `b` is in no input",
            "    i->bb",
            "       ^^ did you mean `i`?",
        ],
    );
    // Two different ones get different suggestions.
    says(
        "ij,kl->xy",
        2,
        &[
            "output label `x` is in no input",
            "    ij,kl->xy",
            "           ^ did you mean `i`?",
            "output label `y` is in no input",
            "    ij,kl->xy",
            "            ^ did you mean `j`?",
        ],
    );
    says(
        "ij,ij->ijz",
        2,
        &[
            "output label `z` is in no input",
            "    ij,ij->ijz",
            "             ^ the inputs have `i`, `j`",
        ],
    );
    says(
        ",->a",
        2,
        &[
            "output label `a` is in no input",
            "    ,->a",
            "       ^ the inputs have no labels",
        ],
    );
    says(
        "abcdefghi,abcdefghi->abcdefghi7",
        2,
        &[
            "output label `7` is in no input",
            "    abcdefghi,abcdefghi->abcdefghi7",
            "                                  ^ the inputs have `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`, …",
        ],
    );
}

#[test]
fn operand_counts() {
    says(
        "ij,jk->ik",
        3,
        &[
            "the subscripts have 2 terms, but 3 operands are given",
            "    ij,jk->ik",
            "    ^^ ^^ operand 2 has no term",
        ],
    );
    says(
        "ij,jk,kl->ik",
        1,
        &[
            "the subscripts have 3 terms, but 1 operand is given",
            "    ij,jk,kl->ik",
            "       ^^ ^^ these terms have no operand",
        ],
    );
    says(
        "i",
        4,
        &[
            "the subscripts have 1 term, but 4 operands are given",
            "    i",
            "    ^ operands 1 to 3 have no term",
        ],
    );
    says(
        "i,->i",
        1,
        &[
            "the subscripts have 2 terms, but 1 operand is given",
            "    i,->i",
            "      ^ this term has no operand",
        ],
    );
    says(
        "",
        2,
        &[
            "the subscripts have 1 term, but 2 operands are given",
            "",
            "    ^ operand 1 has no term",
        ],
    );
    says(
        "",
        0,
        &[
            "expected at least one operand, found none",
            "",
            "    ^ empty subscripts are those of one operand without axes",
        ],
    );
    says(
        "->",
        0,
        &[
            "the subscripts have 1 term, but 0 operands are given",
            "    ->",
            "    ^ this term has no operand",
        ],
    );
}

#[test]
fn arrows() {
    for (spec, found, carets) in [
        ("ij,jk→ik", "`→` (U+2192)", "         ^"),
        ("ij,jk⇒ik", "`⇒` (U+21D2)", "         ^"),
        ("ij,jk➔ik", "`➔` (U+2794)", "         ^"),
        ("ij,jk=>ik", "`=>`", "         ^^"),
        ("ij,jk>-ik", "`>-`", "         ^^"),
        ("ij,jk-->ik", "`-->`", "         ^^^"),
        ("ij,jk->>ik", "`->>`", "         ^^^"),
        ("ij,jk—>ik", "`—>`", "         ^^"),
        ("ij,jk－＞ik", "`－＞`", "         ^^^^"),
        ("ij,jk>ik", "`>`", "         ^"),
        ("ij,jk-ik", "`-`", "         ^"),
        ("ij->ij-", "`-`", "          ^"),
    ] {
        let operands = 1 + spec.matches(',').count();
        let lines = [
            format!("expected `->`, found {found}"),
            format!("    {spec}"),
            format!("{carets} did you mean `->`?"),
        ];
        let found = messages(spec, operands);
        assert_eq!(found.lines().take(3).collect::<Vec<_>>(), lines, "{spec}");
        assert_eq!(found.lines().count(), 3, "{found}");
    }
    for (spec, found, carets) in [("ij <- i", "<-", "       ^^"), ("ij=<i", "=<", "      ^^")] {
        says(
            spec,
            1,
            &[
                &format!("expected `->`, found `{found}`"),
                &format!("    {spec}"),
                &format!("{carets} the output comes last: `inputs->output`"),
            ],
        );
    }
    says(
        "ij, jk - > ik",
        2,
        &[
            "expected `->`, found `- >`",
            "    ij, jk - > ik",
            "           ^^^ `->` is one token, without white space inside",
        ],
    );
    says(
        "ij->i->j->k",
        1,
        &[
            "expected one `->`, found 3",
            "    ij->i->j->k",
            "         ^^ ^^ the output term ends the subscripts",
        ],
    );
}

#[test]
fn dots() {
    says(
        ". ..i->i",
        1,
        &[
            "expected `...`, found `. ..`",
            "    . ..i->i",
            "    ^^^^ `...` is one token, without white space inside",
        ],
    );
    says(
        "....i->i",
        1,
        &[
            "expected `...`, found `....`",
            "    ....i->i",
            "    ^^^^ `...` stands for any number of axes",
        ],
    );
    says(
        "ij.jk->ik",
        2,
        &[
            "expected `...`, found `.`",
            "    ij.jk->ik",
            "      ^ terms are separated by `,`; `...` stands for any number of axes",
        ],
    );
    says(
        "…i->i",
        1,
        &[
            "expected `...`, found `…` (U+2026)",
            "    …i->i",
            "    ^ did you mean `...`?",
        ],
    );
    says(
        "...i...->i...j...",
        1,
        &[
            "expected `...` once in a term, found 2",
            "    ...i...->i...j...",
            "        ^^^ one `...` stands for all axes without a label",
            "output label `j` is in no input",
            "    ...i...->i...j...",
            "                 ^ the inputs have `i`",
            "expected `...` once in the output, found 2",
            "    ...i...->i...j...",
            "                  ^^^ one `...` stands for all axes without a label",
        ],
    );
}

#[test]
fn parentheses() {
    says(
        "(ij)(jk)->ik",
        2,
        &[
            "expected `,`, found `(`",
            "    (ij)(jk)->ik",
            "        ^ terms are separated by `,`",
        ],
    );
    says(
        "(ij)k,l->",
        2,
        &[
            "expected `,`, found `k`",
            "    (ij)k,l->",
            "        ^ terms are separated by `,`",
        ],
    );
    says(
        "((ij,jk),kl->il",
        3,
        &[
            "expected a `)` for this `(`, found none",
            "    ((ij,jk),kl->il",
            "    ^ parentheses close before `->`",
        ],
    );
    says(
        "ij,jk)->ik",
        2,
        &[
            "expected a `(` before this `)`, found none",
            "    ij,jk)->ik",
            "         ^ nothing is open here",
        ],
    );
    says(
        "(ij,jk->ik)",
        2,
        &[
            "expected the `)` for this `(` before `->`, found it after",
            "    (ij,jk->ik)",
            "    ^         ^ parentheses group inputs; the output has none",
        ],
    );
    says(
        "ij->(i)j",
        1,
        &[
            "expected a label, found `(`",
            "    ij->(i)j",
            "        ^ ^ parentheses group inputs; the output has none",
        ],
    );
    says(
        "( ),i->i",
        2,
        &[
            "expected a term in the parentheses, found `()`",
            "    ( ),i->i",
            "    ^^^ an operand without axes has an empty term and needs no parentheses",
        ],
    );
    says(
        "[ij],{jk}->[ik]",
        2,
        &[
            "expected a label, `,` or `->`, found `[`",
            "    [ij],{jk}->[ik]",
            "    ^  ^ ^  ^  ^  ^ a term is its labels alone; only `(` and `)` group terms",
        ],
    );
}

#[test]
fn commas_and_characters() {
    says(
        "ij;jk->ik",
        2,
        &[
            "expected a label, `,` or `->`, found `;`",
            "    ij;jk->ik",
            "      ^ did you mean `,`?",
        ],
    );
    says(
        "ij，jk->ik",
        2,
        &[
            "expected a label, `,` or `->`, found `，` (U+FF0C)",
            "    ij，jk->ik",
            "      ^^ did you mean `,`?",
        ],
    );
    says(
        "ij·jk->ik",
        2,
        &[
            "expected a label, `,` or `->`, found `·` (U+00B7)",
            "    ij·jk->ik",
            "      ^ terms are separated by `,`",
        ],
    );
    says(
        "ij->i,j,",
        1,
        &[
            "expected a label, found `,`",
            "    ij->i,j,",
            "         ^ ^ einsum has one output term",
        ],
    );
    says(
        "i’j->ij",
        1,
        &[
            "expected a label, `,` or `->`, found `’` (U+2019)",
            "    i’j->ij",
            "     ^ a label is one letter or digit, without primes and quotes",
        ],
    );
    says(
        "-1->-1",
        1,
        &[
            "expected a label, `,` or `->`, found `-`",
            "    -1->-1",
            "    ^ a label is one letter or digit and has no sign",
            "expected a label, found `-`",
            "    -1->-1",
            "        ^ a label is one letter or digit and has no sign",
        ],
    );
    says(
        "i##,j$->ij",
        2,
        &[
            "expected a label, `,` or `->`, found `##`",
            "    i##,j$->ij",
            "     ^^",
            "expected a label, `,` or `->`, found `$`",
            "    i##,j$->ij",
            "         ^",
        ],
    );
}

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
            "    ^^",
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
    assert_eq!(picture("", &[], ""), "\n");
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

#[test]
fn too_many_labels() {
    let letters: String = ('\0'..=char::MAX)
        .filter(|c| c.is_alphanumeric())
        .take(65_535)
        .collect();
    let end = |n: usize| {
        letters
            .char_indices()
            .nth(n)
            .map_or(letters.len(), |(at, _)| at)
    };
    assert!(
        Subscripts::parse(&letters[..end(65_534)])
            .unwrap()
            .check()
            .is_ok()
    );
    let mistakes = Subscripts::parse(&letters).unwrap().check().unwrap_err();
    assert_eq!(mistakes[0].mistake, Mistake::TooManyLabels);
    assert_eq!(mistakes[0].span.start, end(65_534));
}

#[test]
fn integer_labels() {
    let checked = Checked::from_labels(&[&[10, 0][..], &[0, 7]], &[10, 7, 7]).unwrap();
    assert_eq!(checked.text, "[10,0],[0,7]->[10,7,7]");
    assert_eq!(checked.names, ["10", "0", "7"]);
    assert_eq!(
        (checked.inputs, checked.output),
        (vec![vec![0, 1], vec![1, 2]], vec![0, 2, 2])
    );
    let none: [&[usize]; 0] = [];
    assert_eq!(
        Checked::from_labels(&none, &[]),
        Err(LabelsError::NoOperands)
    );
    let unknown = Checked::from_labels(&[[0, 1]], &[1, 5]).unwrap_err();
    assert_eq!(
        unknown,
        LabelsError::UnknownOutputLabel { axis: 1, label: 5 }
    );
    assert_eq!(
        unknown.to_string(),
        "output label 5 (axis 1) is in no input"
    );
    let many: Vec<usize> = (0..65_535).collect();
    assert_eq!(
        Checked::from_labels(&[&many], &[]),
        Err(LabelsError::TooManyLabels)
    );
    assert!(Checked::from_labels(&[&many[1..]], &[]).is_ok());
}
