//! `einsum_plan!`: the plan of a call as a constant.

use cteinsum::{Order, Plan, einsum_plan};

const CHAIN: Plan = einsum_plan!("ij,jk,kl->il");
static TRG: Plan = einsum_plan!("war,abu,bgl,gwd->ruld", minimize = flops);

#[test]
fn a_plan_is_a_constant() {
    let sizes = [("i", 64), ("j", 32), ("k", 1000), ("l", 8)];
    let report = CHAIN.at(sizes);
    assert_eq!(report.path(), [[1, 2], [0, 1]]);
    assert_eq!(report.multiply_adds(), 32 * 1000 * 8 + 64 * 32 * 8);
    assert_eq!(CHAIN.path(), [[0, 1], [0, 1]], "at equal sizes");
    let report = TRG.at(["w", "a", "r", "b", "u", "g", "l", "d"].map(|l| (l, 4)));
    assert_eq!((report.multiply_adds(), report.largest()), (6_144, 256));
    assert!(
        TRG.to_string()
            .starts_with("einsum war,abu,bgl,gwd->ruld\n")
    );
}

#[test]
fn the_options_of_the_macro() {
    let hinted = einsum_plan!("ij,jk,kl->il", sizes = [i = 64, j = 32, k = 1000, l = 8]);
    assert_eq!(hinted.order(), "order = tree([(1, 2), (0, 3)])");
    assert!(
        hinted.to_string().contains("272,384 multiply-adds"),
        "{hinted}"
    );
    // The line to paste, pasted.
    let pasted = einsum_plan!("ij,jk,kl->il", order = tree([(1, 2), (0, 3)]));
    assert_eq!(pasted.tree(), hinted.tree());
    let path = einsum_plan!("ij,jk,kl->il", order = [(1, 2), (0, 1)]);
    assert_eq!(path.tree(), hinted.tree());
    let bounded = einsum_plan!("ij,jk,kl->il", max_intermediate = 7);
    let four = ["i", "j", "k", "l"].map(|l| (l, 4));
    let error = bounded.try_at(four).unwrap_err().to_string();
    assert!(
        error.contains("more than 7 elements") && error.contains("16"),
        "{error}"
    );
    assert_eq!(einsum_plan!("ij,(jk,kl)").tree(), [(1, 2), (0, 3)]);
}

#[test]
fn a_plan_of_index_notation() {
    let plan = einsum_plan!(c[i, l] = a[i, j] * b[j, k] * d[k, l]);
    let report = plan.at([("i", 64), ("j", 32), ("k", 1000), ("l", 8)]);
    assert_eq!(report.path(), [[1, 2], [0, 1]]);
}

/// The macro's plan and the parser's are the same one.
#[test]
fn a_long_search_is_kept_by_its_line() {
    let plan = einsum_plan!(
        "ab,bc,cd,de,ef,fg,ga->",
        order = search(seed = 1, effort = 2),
        sizes = [a = 4, b = 50, c = 3, d = 90, e = 7, f = 11, g = 2]
    );
    let order = Order::Path(plan.path());
    let parsed = cteinsum::Einsum::parse("ab,bc,cd,de,ef,fg,ga->")
        .unwrap()
        .order(order);
    let sizes: &[&[usize]] = &[
        &[4, 50],
        &[50, 3],
        &[3, 90],
        &[90, 7],
        &[7, 11],
        &[11, 2],
        &[2, 4],
    ];
    let prepared = parsed.prepare(sizes).unwrap();
    let names = ["a", "b", "c", "d", "e", "f", "g"]
        .into_iter()
        .zip([4, 50, 3, 90, 7, 11, 2]);
    let by_path = cteinsum_plan::PlanReport::of_spec(&cteinsum_plan::Spec::new(
        "ab,bc,cd,de,ef,fg,ga->",
        plan.spec().inputs,
        plan.spec().output,
        Box::leak(prepared.tree().to_vec().into_boxed_slice()),
    ));
    assert_eq!(
        by_path.at(names.clone()).multiply_adds(),
        plan.at(names).multiply_adds()
    );
}

/// `acc` says how large an element is, and nothing else.
#[test]
fn the_size_of_an_element() {
    const SINGLE: Plan = einsum_plan!("ij,jk,kl->il", acc = f32);
    let sizes = [("i", 64), ("j", 32), ("k", 1000), ("l", 8)];
    let (single, double) = (SINGLE.at(sizes), CHAIN.at(sizes));
    assert_eq!(single.bytes() * 2, double.bytes());
    assert_eq!(single.path(), double.path());
    let complex = einsum_plan!("ij,jk,kl->il", acc = cteinsum::Complex::<f64>);
    assert_eq!(complex.at(sizes).bytes(), 2 * double.bytes());
    let hinted = einsum_plan!("ij,jk->ik", acc = i16, sizes = [i = 3, j = 4, k = 5]);
    assert_eq!(hinted.report().bytes(), 2 * (12 + 20 + 15));
}
