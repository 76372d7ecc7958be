//! The expansions of a dozen calls, as a person would read them: `macros/expansions/`.
//!
//! `UPDATE_EXPANSIONS=1 cargo test -p cteinsum-macros` writes them anew.

use super::*;
use std::path::Path;

const CALLS: [(&str, &str); 27] = [
    ("matrix-product", r#"einsum!("ij,jk->ik", a, b)"#),
    ("dot-product", r#"einsum!("i,i->", x, y)"#),
    ("transpose", r#"einsum!("ij->ji", a)"#),
    ("trace", r#"einsum!("ii", a)"#),
    ("implicit-output", r#"einsum!("ba,ac", a, b)"#),
    ("diagonal-written", r#"einsum!("i->ii", v)"#),
    (
        "batched-with-ellipsis",
        r#"einsum!("...ij,...jk->...ik", a, b)"#,
    ),
    (
        "ellipsis-beside-a-matrix",
        r#"einsum!("...ij,jk->...ik", a, b)"#,
    ),
    ("ellipsis-left-out", r#"einsum!("i...,i->i", a, v)"#),
    ("scaled-by-a-number", r#"einsum!(",ij->ij", 2.0, a)"#),
    (
        "number-beside-ellipsis",
        r#"einsum!("...,...i->...i", -1, a)"#,
    ),
    ("parentheses", r#"einsum!("(ij,jk),kl->il", a, b, c)"#),
    (
        "tensor-renormalization",
        r#"einsum!("war,abu,bgl,gwd->ruld", s0, s1, s2, s3)"#,
    ),
    (
        "cheapest-within-parentheses",
        r#"einsum!("(ij,jk,kl),lm->im", a, b, c, d, minimize = flops, max_intermediate = 1_000_000)"#,
    ),
    (
        "greedy",
        r#"einsum!("ij,jk,kl->il", a, b, c, order = greedy)"#,
    ),
    (
        "left-to-right",
        r#"einsum!("ij,jk,kl->il", a, b, c, order = left_to_right)"#,
    ),
    (
        "engine-and-path",
        r#"try_einsum!("ij,jk,k->i", &a, f::<A, B>(b)?, v + w, engine = &mut engine, order = [(1, 2), (0, 1)])"#,
    ),
    ("scalars", r#"einsum!("->", x)"#),
    ("in-place", r#"einsum!("ij,jk->ik", a, b, out = &mut c)"#),
    ("index-product", "einsum!([i, k] = a[i, j] * b[j, k])"),
    ("index-in-place", "einsum!(c[i, k] = a[i, j] * b[j, k])"),
    (
        "index-accumulated",
        "try_einsum!(c[i, k] += alpha * a[i, j] * conj(b[k, j]), engine = &mut engine)",
    ),
    (
        "index-sum",
        "einsum!(e[i, k] = a[i, j] * b[j, k] - 2.0 * d[k, i])",
    ),
    (
        "index-names",
        "einsum!([row, col] = self.weights[row, mid] * (load::<A, B>(x)?[mid, type] * d[type, col]))",
    ),
    (
        "index-scaled-sum",
        "try_einsum!([..] = -scale / 3.0 * (a[..] + b[..]))",
    ),
    ("index-scalar", "einsum!(s[] = x[i] * y[i])"),
    (
        "in-place-accumulated",
        r#"try_einsum!("...i,...->...i", a, b, beta = 1.0, out = &mut c, engine = &mut engine, alpha = -x)"#,
    ),
];

#[cfg(feature = "gradient")]
#[test]
fn expansions_of_derivatives_read_well() {
    let arguments = |text: &str| -> TokenStream {
        let tokens = text.replace("einsum_vjp!(", "").replace("einsum_jvp!(", "");
        let tokens = tokens
            .trim_start_matches("try_")
            .strip_suffix(')')
            .expect("a call");
        format!("[::cteinsum] {tokens}").parse().expect("tokens")
    };
    let vjp = r#"einsum_vjp!("...ij,jk->...ik", a, b, wrt = [1])"#;
    let jvp = r#"try_einsum_jvp!("ij,jk->ik", (a, da), (b, _), engine = &mut engine)"#;
    assert_golden(&[
        (
            "gradient",
            vjp,
            crate::derivative::vjp(arguments(vjp), Mode::Panic),
        ),
        (
            "tangent",
            jvp,
            crate::derivative::jvp(arguments(jvp), Mode::Try),
        ),
    ]);
}

#[test]
fn expansions_read_well() {
    let calls = CALLS.map(|(name, call)| (name, call, expansion(call)));
    assert_golden(&calls);
}

fn assert_golden(calls: &[(&str, &str, TokenStream)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("expansions");
    let update = std::env::var_os("UPDATE_EXPANSIONS").is_some();
    let mut changed = Vec::new();
    for (name, call, expansion) in calls {
        let path = folder.join(format!("{name}.rs"));
        let text = format!("// {call}\n{}", pretty(expansion.clone()));
        if update {
            std::fs::write(&path, &text).expect("the golden file is written");
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        if golden.replace("\r\n", "\n") != text {
            changed.push(format!("{}:\n{text}", path.display()));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn the_readme_shows_what_is_emitted() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).expect("the README of the workspace");
    let text = pretty(expansion(r#"einsum!("ij,jk,kl->il", a, b, c)"#));
    assert!(readme.contains(&text), "{text}");
}

/// The tokens as a formatted expression.
fn pretty(tokens: TokenStream) -> String {
    let file: syn::File = syn::parse2(quote!(fn example() { #tokens })).expect("an expression");
    let text = prettyplease::unparse(&file);
    let body = text.lines().skip(1).filter(|line| *line != "}");
    body.map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
        .collect()
}
