//! Labels of the output, and too many of them.

use cteinsum_plan::{Checked, LabelsError, Mistake, Subscripts};

use crate::says;

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
