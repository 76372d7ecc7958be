//! Writes the conformance data as Rust: every case a literal call of the macros.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

mod notation;

/// Cases in a module: small modules compile in parallel.
const CASES_IN_MODULE: usize = 40;

struct Case {
    spec: String,
    ranks: Vec<usize>,
    out_rank: usize,
    out_shape: Vec<u64>,
    bound: f64,
}

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=data");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("OUT_DIR"));
    let valid = lines(&data.join("valid.jsonl"));
    let field = lines(&data.join("field-cases.jsonl"));
    let invalid = lines(&data.join("invalid.jsonl"));
    let all = || valid.iter().chain(&field);
    let cases: Vec<Case> = (all().filter(|l| l.get("class").is_none()).map(case)).collect();
    let refused: Vec<Case> = (invalid.iter().chain(&field))
        .filter(|l| l["when"] == "shape")
        .map(case)
        .collect();
    let write = |name: &str, text: String| std::fs::write(out.join(name), text).expect("a file");
    write("static_ranks.rs", static_ranks(&cases));
    write("dynamic_ranks.rs", dynamic_ranks(&cases));
    write("plain_calls.rs", plain_calls(&cases));
    write("orders.rs", orders(&cases));
    write("shape_errors.rs", shape_errors(&refused));
    write("notation.rs", notation::cases(&cases));
    write("notation_errors.rs", notation::refused(&refused));
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    println!("cargo::rerun-if-changed={}", readme.display());
    let readme = std::fs::read_to_string(readme).expect("the README");
    write("readme.rs", examples(&readme));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/notation.md");
    println!("cargo::rerun-if-changed={}", page.display());
    let page = std::fs::read_to_string(page).expect("the page on the notations");
    write(
        "notation_page.rs",
        format!("{{\n{}}}\n", blocks(&page).collect::<String>()),
    );
}

/// The examples of a document, each as a test: its lines in a function that may use `?`.
fn examples(document: &str) -> String {
    let mut text = String::new();
    for (n, code) in blocks(document).enumerate() {
        let _ = write!(
            text,
            "#[test]\nfn example_{n}() -> Result<(), Box<dyn std::error::Error>> {{\n{code}\nOk(())\n}}\n"
        );
    }
    text
}

fn blocks(document: &str) -> impl Iterator<Item = &str> {
    let blocks = document.split("```rust\n").skip(1);
    blocks.map(|block| block.split("```").next().expect("the end of a block"))
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the data");
    text.lines()
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_str(l).expect("a line of the data"))
        .collect()
}

fn case(line: &Value) -> Case {
    let shapes = line["shapes"].as_array().expect("shapes");
    let out_shape = line["out_shape"].as_array();
    Case {
        spec: line["spec"].as_str().expect("spec").to_owned(),
        ranks: (shapes.iter().map(|s| s.as_array().expect("a shape").len())).collect(),
        out_rank: out_shape.map_or(0, Vec::len),
        out_shape: (out_shape.into_iter().flatten())
            .map(|n| n.as_u64().expect("a length"))
            .collect(),
        bound: line["bound"].as_f64().unwrap_or(0.0),
    }
}

/// The modules of a file: `function` writes case n, `entry` its line in the table.
fn modules(
    cases: &[(usize, &Case)],
    row: &str,
    function: impl Fn(usize, &Case) -> String,
    entry: impl Fn(usize, &Case) -> String,
) -> String {
    let mut text = String::new();
    let mut table = String::new();
    for (m, chunk) in cases.chunks(CASES_IN_MODULE).enumerate() {
        writeln!(text, "mod m{m} {{\nuse super::*;").expect("text");
        for &(n, case) in chunk {
            text.push_str(&function(n, case));
            writeln!(
                table,
                "    {},",
                entry(n, case).replace("@", &format!("m{m}::c{n}"))
            )
            .expect("text");
        }
        text.push_str("}\n");
    }
    writeln!(text, "pub(super) static TABLE: &[{row}] = &[\n{table}];").expect("text");
    text
}

/// `tensor` or `element`: what a result of this rank is.
fn kind(rank: usize) -> &'static str {
    if rank == 0 { "element" } else { "tensor" }
}

fn operands(case: &Case, operand: impl Fn(usize, usize) -> String) -> String {
    let list = case.ranks.iter().enumerate();
    list.map(|(k, &rank)| format!(", {}", operand(k, rank)))
        .collect()
}

/// Every case, operands of static rank, an engine given, generic over the element type.
fn static_ranks(cases: &[Case]) -> String {
    let cases: Vec<_> = cases.iter().enumerate().collect();
    modules(
        &cases,
        "Row",
        |n, case| {
            format!(
                "pub(super) fn c{n}<T: Element>(o: &[Laid<T>], e: &mut Engine) -> Outcome<T> {{\n    \
                 {}(einsum!({:?}{}, engine = e))\n}}\n",
                kind(case.out_rank),
                case.spec,
                operands(case, |k, rank| format!("view::<T, {rank}>(o, {k})")),
            )
        },
        |n, case| {
            let f32 = if case.bound < f64::from(1 << 24) {
                "Some(@)"
            } else {
                "None"
            };
            format!("Row {{ case: {n}, f64: @, f32: {f32}, i32: @, i64: @, c64: @ }}")
        },
    )
}

/// A sample with operands of dynamic rank, through `try_einsum!`, and with some operands static.
fn dynamic_ranks(cases: &[Case]) -> String {
    let sample: Vec<_> = (cases.iter().enumerate())
        .filter(|(n, case)| n.is_multiple_of(5) || case.spec.contains("...") && n.is_multiple_of(2))
        .collect();
    modules(
        &sample,
        "(usize, Try)",
        |n, case| {
            let input = case.spec.split("->").next().unwrap_or("");
            let terms: Vec<&str> = input.split(',').collect();
            let output = case.spec.split("->").nth(1);
            let implicit_dots = output.is_none() && input.contains("...");
            let dots = output.is_some_and(|o| o.contains("...")) || implicit_dots;
            // Every third case mixes dynamic and static operands.
            let dynamic = |k: usize| !n.is_multiple_of(3) || k.is_multiple_of(2);
            let any = input.contains("...") && (0..terms.len()).any(dynamic);
            let kind = match (dots && any, case.out_rank) {
                (true, _) => "dynamic",
                (false, rank) => kind(rank),
            };
            format!(
                "pub(super) fn c{n}(o: &[Laid<f64>]) -> Result<Outcome<f64>, EinsumError> {{\n    \
                 Ok({kind}(try_einsum!({:?}{})?))\n}}\n",
                case.spec,
                operands(case, |k, rank| if dynamic(k) {
                    format!("dyn_view(o, {k})")
                } else {
                    format!("view::<f64, {rank}>(o, {k})")
                }),
            )
        },
        |n, _| format!("({n}, @)"),
    )
}

/// A sample with owned tensors and no option: the calls as most people write them.
fn plain_calls(cases: &[Case]) -> String {
    let sample: Vec<_> = cases
        .iter()
        .enumerate()
        .filter(|(n, _)| n % 4 == 1)
        .collect();
    modules(
        &sample,
        "(usize, Plain)",
        |n, case| {
            format!(
                "pub(super) fn c{n}(o: &[Laid<f64>]) -> Outcome<f64> {{\n    {}(einsum!({:?}{}))\n}}\n",
                kind(case.out_rank),
                case.spec,
                operands(case, |k, rank| format!("owned::<f64, {rank}>(o, {k})")),
            )
        },
        |n, _| format!("({n}, @)"),
    )
}

/// Networks of three and more operands, each in several orders.
fn orders(cases: &[Case]) -> String {
    let sample: Vec<_> = (cases.iter().enumerate())
        .filter(|(n, case)| case.ranks.len() > 2 && n.is_multiple_of(3))
        .collect();
    modules(
        &sample,
        "(usize, [Plain; 5])",
        |n, case| {
            let count = case.ranks.len();
            let mut text = String::new();
            let first: Vec<String> = (1..count).map(|_| "(0, 1)".to_owned()).collect();
            // From the back: the last two, and again and again.
            let path: Vec<String> = (1..count)
                .map(|s| format!("({}, {})", count - s - 1, count - s))
                .collect();
            let mut live: Vec<usize> = (0..count).collect();
            let mut tree = Vec::new();
            for s in 0..count - 1 {
                let right = live.remove((7 * n + 3 * s) % live.len());
                let left = live.remove((5 * n + s) % live.len());
                tree.push(format!("({left}, {right})"));
                live.push(count + s);
            }
            let list = [
                "left_to_right".to_owned(),
                format!("[{}]", first.join(", ")),
                format!("[{}]", path.join(", ")),
                format!("tree([{}])", tree.join(", ")),
                "greedy".to_owned(),
            ];
            for (i, order) in list.iter().enumerate() {
                write!(
                    text,
                    "fn c{n}_{i}(o: &[Laid<f64>]) -> Outcome<f64> {{\n    {}(einsum!({:?}{}, order = {order}))\n}}\n",
                    kind(case.out_rank),
                    case.spec,
                    operands(case, |k, rank| format!("view::<f64, {rank}>(o, {k})")),
                )
                .expect("text");
            }
            writeln!(
                text,
                "pub(super) static c{n}: [Plain; 5] = [c{n}_0, c{n}_1, c{n}_2, c{n}_3, c{n}_4];"
            )
            .expect("text");
            text
        },
        |n, _| format!("({n}, @)"),
    )
}

/// Cases that only the shapes make wrong, with operands of dynamic rank.
fn shape_errors(refused: &[Case]) -> String {
    let all: Vec<_> = refused.iter().enumerate().collect();
    modules(
        &all,
        "(usize, Refused)",
        |n, case| {
            format!(
                "pub(super) fn c{n}(o: &[Laid<f64>]) -> Option<EinsumError> {{\n    try_einsum!({:?}{}).err()\n}}\n",
                case.spec,
                operands(case, |k, _| format!("dyn_view(o, {k})")),
            )
        },
        |n, _| format!("({n}, @)"),
    )
}
