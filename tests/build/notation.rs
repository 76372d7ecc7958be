//! The cases in index notation: labels that are no identifiers get one, implicit outputs are written out.

use super::{Case, kind, modules};

/// Subscripts as an equation: the index list of the output, and the product on the right.
struct Equation {
    output: String,
    product: String,
}

/// Every second case has long names, `...` for `..`, and so on: `n` chooses.
fn equation(spec: &str, n: usize, operand: impl Fn(usize) -> String) -> Equation {
    let spec: String = spec.split_whitespace().collect();
    let (inputs, output) = match spec.split_once("->") {
        Some((inputs, output)) => (inputs, output.to_owned()),
        None => (spec.as_str(), implicit(&spec)),
    };
    let mut product = String::new();
    let (mut operands, mut term, mut closed) = (0, String::new(), false);
    // A term ends at a comma, at a parenthesis that closes, and at the end.
    for c in inputs.chars().chain([',']) {
        if c == ',' || c == ')' {
            if !closed {
                product += &format!("{}{}", operand(operands), list(&term, n));
                operands += 1;
            }
            term.clear();
        }
        match c {
            ',' => product += " * ",
            '(' | ')' => product.push(c),
            label => term.push(label),
        }
        closed = c == ')';
    }
    Equation {
        output: list(&output, n),
        product: product.trim_end_matches(" * ").to_owned(),
    }
}

/// NumPy's output: `...`, then the labels that stand once, by code point.
fn implicit(inputs: &str) -> String {
    let mut labels: Vec<char> = inputs.chars().filter(|c| c.is_alphanumeric()).collect();
    labels.sort_unstable();
    let once = labels.chunk_by(|a, b| a == b).filter(|run| run.len() == 1);
    let dots = if inputs.contains("...") { "..." } else { "" };
    dots.chars().chain(once.map(|run| run[0])).collect()
}

fn list(term: &str, n: usize) -> String {
    let dots = if n.is_multiple_of(2) { ".." } else { "..." };
    let term = term.replace("...", "…");
    let index = |c: char| match c {
        '…' => dots.to_owned(),
        c if n % 4 > 1 => format!("axis_{:x}", u32::from(c)),
        c if c.is_ascii_alphabetic() => c.to_string(),
        // The raw form is for all words, but says something only of keywords.
        c => format!("r#l{:x}", u32::from(c)),
    };
    format!(
        "[{}]",
        term.chars().map(index).collect::<Vec<_>>().join(", ")
    )
}

/// Every case once: into a new array, into one that is there, or as a sum of two terms.
pub(crate) fn cases(cases: &[Case]) -> String {
    let all: Vec<_> = cases.iter().enumerate().collect();
    modules(
        &all,
        "(usize, Call)",
        |n, case| {
            let operand = |k: usize| format!("view::<f64, {}>(o, {k})", case.ranks[k]);
            let Equation { output, product } = equation(&case.spec, n, operand);
            let kind = kind(case.out_rank);
            let call = match (n % 6, case.out_rank) {
                (0 | 3, _) => format!("{kind}(einsum!({output} = {product}, engine = e))"),
                (5, _) => format!(
                    "let two = 2.0;\n    {kind}(einsum!({output} = two * {product} - {product}, engine = e))"
                ),
                (_, 0) => format!(
                    "let mut c = f64::NAN;\n    einsum!(c{output} = {product}, engine = e);\n    element(c)"
                ),
                (1, rank) => format!(
                    "let mut c = Tensor::<f64, {rank}>::full({:?}, f64::NAN);\n    \
                     einsum!(c{output} = {product}, engine = e);\n    tensor(c)",
                    case.out_shape
                ),
                (_, rank) => format!(
                    "let mut c = Tensor::<f64, {rank}>::zeros({:?});\n    \
                     try_einsum!(c{output} += {product}, engine = e).expect(\"sizes that fit\");\n    tensor(c)",
                    case.out_shape
                ),
            };
            format!(
                "pub(super) fn c{n}(o: &[Laid<f64>], e: &mut Engine) -> Outcome<f64> {{\n    {call}\n}}\n"
            )
        },
        |n, _| format!("({n}, @)"),
    )
}

/// Cases that only the shapes make wrong, with operands of dynamic rank.
pub(crate) fn refused(cases: &[Case]) -> String {
    let all: Vec<_> = cases.iter().enumerate().collect();
    modules(
        &all,
        "(usize, Refused)",
        |n, case| {
            let Equation { output, product } =
                equation(&case.spec, n, |k| format!("dyn_view(o, {k})"));
            format!(
                "pub(super) fn c{n}(o: &[Laid<f64>]) -> Option<EinsumError> {{\n    \
                 try_einsum!({output} = {product}).err()\n}}\n"
            )
        },
        |n, _| format!("({n}, @)"),
    )
}
