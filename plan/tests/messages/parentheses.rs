//! Parentheses and other brackets.

use crate::says;

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
