//! What the macros refuse while compiling, seen by running the compiler on a text.

use cteinsum_tests::data;
use cteinsum_tests::rustc::errors;

const START: &str =
    "#![allow(unused)]\nuse cteinsum::{einsum, try_einsum, Tensor, DynTensor, Einsum, Engine};\n";

/// Compiles one function for each body; gives the messages of the errors in each.
fn refusals(bodies: &[String]) -> Vec<Vec<String>> {
    let mut source = START.to_owned();
    let mut lines = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        lines.push(source.lines().count() + 1);
        let body = body.replace('\n', " ");
        source.push_str(&format!(
            "fn f{n}(a: &Tensor<f64, 2>, b: &Tensor<f64, 2>, c: &Tensor<f64, 2>, v: &Tensor<f64, 1>, e: &mut Engine) {{ {body} }}\n"
        ));
    }
    let mut found = vec![Vec::new(); bodies.len()];
    for error in errors(&source) {
        let body = lines.iter().position(|&l| l == error.line);
        let body =
            body.unwrap_or_else(|| panic!("an error outside of all calls:\n{}", error.rendered));
        found[body].push(error.rendered);
    }
    found
}

#[track_caller]
fn all_refused(bodies: &[&str]) -> Vec<String> {
    let bodies: Vec<String> = bodies.iter().map(|b| (*b).to_owned()).collect();
    let found = refusals(&bodies);
    (bodies.iter().zip(found))
        .map(|(body, messages)| {
            assert_eq!(
                messages.len(),
                1,
                "{body}: {} errors\n{}",
                messages.len(),
                messages.join("\n")
            );
            messages[0].clone()
        })
        .collect()
}

#[track_caller]
fn all_accepted(bodies: &[&str]) {
    let bodies: Vec<String> = bodies.iter().map(|b| (*b).to_owned()).collect();
    for (body, messages) in bodies.iter().zip(refusals(&bodies)) {
        assert!(messages.is_empty(), "{body}: {}", messages.join("\n"));
    }
}

/// Contract: X1
#[test]
fn what_text_and_count_settle_is_a_compile_error() {
    let cases: Vec<_> = data::invalid().into_iter().filter(|c| c.compile).collect();
    assert_eq!(cases.len(), 78);
    let mut bodies = Vec::new();
    for case in &cases {
        // Operands of the rank that the case says, so that nothing but the subscripts is wrong.
        let ranks: Vec<usize> = match &case.shapes {
            Some(shapes) => shapes.iter().map(Vec::len).collect(),
            None => vec![2; case.operands],
        };
        let operands: String = ranks
            .iter()
            .map(|r| format!(", Tensor::<f64, {r}>::zeros([1; {r}])"))
            .collect();
        bodies.push(format!("let _ = einsum!({:?}{operands});", case.spec));
    }
    for (case, messages) in cases.iter().zip(refusals(&bodies)) {
        let accepted = !case.firm
            && (case.class == "duplicate-output-label"
                || case.spec == "1->1"
                || case.spec == "i1j->ij");
        let told = messages.join("\n");
        if accepted {
            // `i1j` is a term of three labels here, given a tensor of rank 2: not the subscripts' fault.
            assert!(
                messages.is_empty() || case.spec == "i1j->ij",
                "{}: {told}",
                case.id
            );
        } else {
            assert!(
                !messages.is_empty(),
                "{} {:?} was accepted",
                case.id,
                case.spec
            );
            let no_second =
                told.matches("mismatched types").count() + told.matches("E0277").count();
            assert_eq!(
                no_second, 0,
                "{} {:?} has errors beside its own:\n{told}",
                case.id, case.spec
            );
        }
    }
}

/// Contract: X5
#[test]
fn a_wrong_rank_is_a_compile_error_at_the_operand() {
    let told = all_refused(&[
        "einsum!(\"ijk,jk->ik\", a, b);",
        "einsum!(\"ij,jkl->ik\", a, b);",
        "einsum!(\"i,ij->\", a, b);",
        "einsum!(\"ij,j->i\", v, v);",
        "einsum!(\"ijk...->...\", a);",
        "einsum!(\"->\", a);",
        "einsum!(\"ij,->ij\", a, v);",
    ]);
    for (message, operand) in told.iter().zip(["a", "b", "a", "v", "a", "a", "v"]) {
        let caret = message.lines().find(|l| l.contains('^')).expect("a caret");
        let above = message
            .lines()
            .zip(message.lines().skip(1))
            .find(|(_, l)| *l == caret)
            .expect("a line")
            .0;
        let at: Vec<char> = above
            .chars()
            .skip(caret.chars().position(|c| c == '^').expect("a caret"))
            .collect();
        let pointed: String = at.iter().collect();
        assert!(
            pointed.starts_with(operand),
            "points at {pointed:?}:\n{message}"
        );
    }
}

/// Contract: T4
#[test]
fn another_element_type_is_a_compile_error() {
    all_refused(&[
        "einsum!(\"ij,jk->ik\", a, Tensor::<f32, 2>::zeros([1, 1]));",
        "einsum!(\"ij,j->i\", a, Tensor::<i64, 1>::zeros([1]));",
        "einsum!(\"ij,->ij\", a, 1.0f32);",
        "einsum!(\"i,i,i->\", v, v, Tensor::<f32, 1>::zeros([1]));",
        "einsum!(\"i,i->\", v, Tensor::<cteinsum::Complex<f32>, 1>::zeros([1]));",
    ]);
    all_accepted(&[
        "let c: Tensor<f64, 2> = einsum!(\"ij,jk->ik\", a, b);",
        "let c = einsum!(\"ij,->ij\", a, 1.0);",
    ]);
}

/// Contract: P11
#[test]
fn parentheses_and_an_order_are_refused() {
    all_refused(&[
        "einsum!(\"(ij,jk),kl->il\", a, b, c, order = left_to_right);",
        "einsum!(\"(ij,jk),kl->il\", a, b, c, order = [(0, 1), (0, 1)]);",
        "einsum!(\"ij,(jk,kl)->il\", a, b, c, order = greedy);",
    ]);
}

/// Contract: O9
#[test]
fn unknown_and_repeated_options_are_refused() {
    let told = all_refused(&[
        "einsum!(\"ij->\", a, ordre = greedy);",
        "einsum!(\"ij,jk->ik\", a, b, threads = 2);",
        "einsum!(\"ij,jk->ik\", a, b, order = greedy, order = greedy);",
        "einsum!(\"ij,jk->ik\", a, b, engine = e, engine = e);",
        "einsum!(\"ij,jk->ik\", a, order = greedy, b);",
        "einsum!(\"ij,jk->ik\", a, b, order = fastest);",
    ]);
    for name in ["order", "engine"] {
        assert!(
            told[1].contains(name),
            "does not list what there is:\n{}",
            told[1]
        );
    }
}

/// Contract: P7, P8
#[test]
fn impossible_orders_are_refused() {
    all_refused(&[
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = [(0, 1)]);",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = [(0, 1), (0, 1), (0, 1)]);",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = [(0, 3), (0, 1)]);",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = [(1, 1), (0, 1)]);",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = [(0, 1), (0, 2)]);",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = tree([(0, 1), (0, 2)]));",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = tree([(0, 1), (3, 3)]));",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = tree([(0, 4), (3, 1)]));",
        "einsum!(\"ij,jk,kl->il\", a, b, c, order = tree([(0, 1)]));",
    ]);
}

/// Contract: S8
#[test]
fn subscripts_are_literals() {
    let told = all_refused(&[
        "const SPEC: &str = \"ij->ji\"; einsum!(SPEC, a);",
        "let spec = String::new(); einsum!(spec, a);",
        "einsum!(b\"ij->ji\", a);",
        "einsum!('i', v);",
        "einsum!(1, v);",
    ]);
    assert!(told[0].contains("Einsum::parse"), "{}", told[0]);
}

/// Contract: E5
#[test]
fn an_ellipsis_left_out_is_a_compile_error_where_ranks_are_types() {
    all_refused(&[
        "let x: Tensor<f64, 1> = einsum!(\"...i->i\", a);",
        "let x: f64 = einsum!(\"i...->\", a);",
    ]);
    all_accepted(&["let x: Tensor<f64, 1> = einsum!(\"...i->i\", v);"]);
}

/// Contract: X2
#[test]
fn one_message_for_each_mistake() {
    let bodies = vec!["let _ = einsum!(\"i&j,jk..->i,zk\", a, b);".to_owned()];
    let found = refusals(&bodies);
    assert_eq!(found[0].len(), 4, "{}", found[0].join("\n"));
}
