//! Arrows, dots, commas and other signs.

use crate::{messages, says};

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
fn one_arrow_is_enough() {
    says(
        "ij->i-",
        1,
        &[
            "expected `->`, found `-`",
            "    ij->i-",
            "         ^ the subscripts have an arrow already",
        ],
    );
    says(
        "ij→i⇒j",
        1,
        &[
            "expected `->`, found `→` (U+2192)",
            "    ij→i⇒j",
            "      ^ did you mean `->`?",
            "expected `->`, found `⇒` (U+21D2)",
            "    ij→i⇒j",
            "        ^ the subscripts have an arrow already",
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
            "     ^^ a label is one letter or digit",
            "expected a label, `,` or `->`, found `$`",
            "    i##,j$->ij",
            "         ^ a label is one letter or digit",
        ],
    );
}
