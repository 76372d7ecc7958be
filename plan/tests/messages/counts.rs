//! The number of operands.

use crate::says;

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
            "    ^ operand 1 has no term: terms are separated by `,`",
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
