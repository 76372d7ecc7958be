//! Costs, kinds of steps and summaries.

use cteinsum_plan::{Kind, Order, Program, Subscripts};

fn summary(spec: &str, order: &Order) -> String {
    let checked = Subscripts::parse(spec).unwrap().check().unwrap();
    checked.summary(&checked.tree(order).unwrap())
}

#[test]
fn summaries() {
    for (spec, expected) in [
        ("ij,jk->ik", "einsum ij,jk->ik: gemm, 2·i·j·k flops"),
        (" i j , j k ", "einsum ij,jk->ik: gemm, 2·i·j·k flops"),
        (
            "bij,bjk->bik",
            "einsum bij,bjk->bik: batched gemm, 2·b·i·j·k flops",
        ),
        ("ij,j->i", "einsum ij,j->i: gemv, 2·i·j flops"),
        (
            "bij,bj->bi",
            "einsum bij,bj->bi: batched gemv, 2·b·i·j flops",
        ),
        ("i,i->", "einsum i,i->: dot, 2·i flops"),
        ("bi,bi->b", "einsum bi,bi->b: batched dot, 2·b·i flops"),
        ("i,j->ji", "einsum i,j->ji: outer product, 2·i·j flops"),
        (
            "bi,bj->bij",
            "einsum bi,bj->bij: batched outer product, 2·b·i·j flops",
        ),
        (
            "ij,ij->ij",
            "einsum ij,ij->ij: elementwise product, 2·i·j flops",
        ),
        (
            "ij,j->ij",
            "einsum ij,j->ij: elementwise product, 2·i·j flops",
        ),
        ("i,->i", "einsum i,->i: scaling, 2·i flops"),
        (",", "einsum ,->: scaling, 2 flops"),
        ("ij,kj->i", "einsum ij,kj->i: sum, gemv, j·k + 2·i·j flops"),
        ("ij->ij", "einsum ij->ij: copy"),
        ("ij->ji", "einsum ij->ji: transpose"),
        ("ij->i", "einsum ij->i: sum, i·j flops"),
        ("ii->i", "einsum ii->i: diagonal"),
        ("ii->", "einsum ii->: trace, i flops"),
        ("iij->ji", "einsum iij->ji: diagonal, transpose"),
        ("iij->j", "einsum iij->j: diagonal, sum, i·j flops"),
        ("i->ii", "einsum i->ii: onto the diagonal"),
        ("ij->ii", "einsum ij->ii: sum, onto the diagonal, i·j flops"),
        ("->", "einsum ->: copy"),
        ("12,23->13", "einsum 12,23->13: gemm, 2·[1]·[2]·[3] flops"),
        (
            "...ij,...jk->...ik",
            "einsum ...ij,...jk->...ik: batched gemm, 2·i·j·k·[...] flops",
        ),
        (
            "ij,jk,kl->il",
            "einsum ij,jk,kl->il: (0·1)·2, 2·i·j·k + 2·i·k·l flops",
        ),
        ("(a,a),a->a", "einsum a,a,a->a: (0·1)·2, 4·a flops"),
        (
            "i\u{1161},\u{1161}k->ik",
            r"einsum i\u{1161},\u{1161}k->ik: gemm, 2·i·\u{1161}·k flops",
        ),
    ] {
        assert_eq!(summary(spec, &Order::Greedy), expected);
    }
}

#[test]
fn long_summaries_are_short() {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let pair = |w: &[char]| format!("{}{}", w[0], w[1]);
    let chain: Vec<String> = letters.windows(2).map(pair).collect();
    let text = summary(&format!("{}->aZ", chain.join(",")), &Order::Greedy);
    assert!(text.starts_with("einsum ab,bc,cd,"), "{text}");
    assert!(text.contains("…: 51 operands, about 2·a·b·c + "), "{text}");
    assert!(text.ends_with(" + … flops"), "{text}");
    assert!(text.chars().count() < 220, "{text}");
    let all: String = letters.iter().collect();
    let split: Vec<String> = letters.iter().map(char::to_string).collect();
    let text = summary(&format!("{}->{all}", split.join(",")), &Order::Greedy);
    assert!(
        text.ends_with(": 52 operands, flops of degree 52"),
        "{text}"
    );
}

fn program(spec: &str, order: &Order) -> Program {
    let checked = Subscripts::parse(spec).unwrap().check().unwrap();
    checked.program(&checked.tree(order).unwrap())
}

#[test]
fn known_costs() {
    // The coarse-graining step of the Levin-Nave renormalization, all sizes 4.
    let trg = program("war,abu,bgl,gwd->ruld", &Order::Greedy);
    let fours = [4; 8];
    assert_eq!(trg.cost(&fours).multiply_adds, 6144);
    assert_eq!(trg.largest(&fours), 256);
    assert_eq!(trg.peak(&fours), 512);
    assert_eq!(trg.flops().at(&fours), 2 * 6144);
    // Six matrices and a vector.
    let chain = "ab,bc,cd,de,ef,fg,g->a";
    let sizes = [256; 8];
    let steps = |order: &Order| program(chain, order).cost(&sizes).multiply_adds;
    assert_eq!(steps(&Order::Greedy), 6 * 256 * 256);
    assert_eq!(steps(&Order::LeftToRight), 5 * 256 * 256 * 256 + 256 * 256);
    let path = program(chain, &Order::Path(vec![vec![0, 1]; 6]));
    assert_eq!(path.cost(&sizes).multiply_adds, 6 * 256 * 256 * 256);
    assert_eq!(path.largest(&sizes), 256 * 256 * 256);
}

#[test]
fn intermediates_live_until_they_are_read() {
    // Sizes of intermediates i·k, then i·l, then nothing but the result.
    let sizes = [2, 3, 5, 7, 11, 0];
    let chain = program("ij,jk,kl,lm->im", &Order::LeftToRight);
    assert_eq!(chain.peak(&sizes), 2 * 5 + 2 * 7);
    let bushy = program(
        "ij,jk,kl,lm->im",
        &Order::Tree(vec![(0, 1), (2, 3), (4, 5)]),
    );
    assert_eq!(bushy.peak(&sizes), 2 * 5 + 5 * 11);
    assert_eq!(program("ij,jk->ik", &Order::Greedy).peak(&sizes), 0);
    assert_eq!(program("ij->", &Order::Greedy).peak(&sizes), 0);
    assert_eq!(program("ij->", &Order::Greedy).cost(&sizes).additions, 6);
}

#[test]
fn costs_saturate() {
    let p = program("ij,jk,kl->il", &Order::Greedy);
    let huge = [usize::MAX; 5];
    assert_eq!(p.cost(&huge).multiply_adds, u64::MAX);
    assert_eq!(p.cost(&huge).flops(), u64::MAX);
    assert_eq!(
        (p.largest(&huge), p.peak(&huge), p.flops().at(&huge)),
        (u64::MAX, u64::MAX, u64::MAX)
    );
    // Nothing is nothing, however large the rest.
    assert_eq!(
        p.cost(&[usize::MAX, 0, usize::MAX, usize::MAX, 1])
            .multiply_adds,
        u64::MAX
    );
    assert_eq!(
        p.steps[0]
            .cost(&[usize::MAX, 0, usize::MAX, usize::MAX, 1])
            .multiply_adds,
        0
    );
}

#[test]
fn kinds() {
    let kind = |spec: &str| program(spec, &Order::Greedy).steps[0].kind();
    assert_eq!(kind("ij,jk->ik"), Kind::Gemm);
    // What is free and not kept is summed before the product.
    assert_eq!(kind("ij,jk->"), Kind::Dot);
    assert_eq!(kind("ij,k->"), Kind::Scale);
    assert_eq!(kind("ij,ik->i"), Kind::Elementwise);
    assert_eq!(kind("ij->j"), Kind::Sum);
}
