//! The conformance data.

use serde_json::Value;

use crate::oracle::Dense;

/// A valid einsum with its result.
#[derive(Clone, Debug)]
pub struct Case {
    /// Stable name.
    pub id: String,
    /// The subscripts.
    pub spec: String,
    /// Shape of each operand.
    pub shapes: Vec<Vec<usize>>,
    /// Shape of the result.
    pub out_shape: Vec<usize>,
    /// Elements of the result, row-major.
    pub out: Vec<f64>,
    /// No product, partial sum or intermediate exceeds this.
    pub bound: f64,
    /// How each operand lies in memory, where the data says so.
    pub layout: Option<Vec<String>>,
    /// Elements of each operand, where they do not follow the rule.
    pub values: Option<Vec<Vec<f64>>>,
}

/// An einsum that must be refused.
#[derive(Clone, Debug)]
pub struct Invalid {
    /// Stable name.
    pub id: String,
    /// The subscripts.
    pub spec: String,
    /// How many operands are passed.
    pub operands: usize,
    /// Their shapes, unless the subscripts alone are at fault.
    pub shapes: Option<Vec<Vec<usize>>>,
    /// The mistake.
    pub class: String,
    /// Whether the subscripts and the operand count settle it.
    pub compile: bool,
    /// Whether every dialect refuses it.
    pub firm: bool,
}

const VALID: &str = include_str!("../data/valid.jsonl");
const INVALID: &str = include_str!("../data/invalid.jsonl");
const FIELD: &str = include_str!("../data/field-cases.jsonl");

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines()
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_str(l).expect("a line of the data"))
}

fn text(line: &Value, key: &str) -> String {
    line[key].as_str().expect(key).to_owned()
}

fn sizes(v: &Value) -> Vec<usize> {
    v.as_array()
        .expect("a shape")
        .iter()
        .map(|n| n.as_u64().expect("a length") as usize)
        .collect()
}

fn shapes(v: &Value) -> Vec<Vec<usize>> {
    v.as_array().expect("shapes").iter().map(sizes).collect()
}

fn numbers(v: &Value) -> Vec<f64> {
    let number = |v: &Value| match v.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some(other) => panic!("unknown value {other}"),
        None => v.as_f64().expect("a number"),
    };
    v.as_array().expect("values").iter().map(number).collect()
}

/// Every valid case: `valid.jsonl`, then the valid ones of `field-cases.jsonl`.
pub fn valid() -> Vec<Case> {
    lines(VALID)
        .chain(lines(FIELD))
        .filter(|l| l.get("class").is_none())
        .map(|l| {
            let spec = text(&l, "spec");
            let shapes = shapes(&l["shapes"]);
            let bound = l["bound"]
                .as_f64()
                .unwrap_or_else(|| crate::oracle::bound(&spec, &shapes, &vec![5.0; shapes.len()]));
            Case {
                id: text(&l, "id"),
                spec,
                out_shape: sizes(&l["out_shape"]),
                out: numbers(&l["out"]),
                bound,
                layout: l.get("layout").map(|v| {
                    let names = v.as_array().expect("layouts").iter();
                    names
                        .map(|s| s.as_str().expect("a layout").to_owned())
                        .collect()
                }),
                values: l
                    .get("values")
                    .map(|v| v.as_array().expect("values").iter().map(numbers).collect()),
                shapes,
            }
        })
        .collect()
}

/// Subscripts, the shapes of the operands, their gradients.
pub type Gradients = (String, Vec<Vec<usize>>, Vec<Vec<f64>>);

/// The subscripts, shapes and gradients of the cases that have some: for operands by the [`rule`], and for
/// `((5 * n + 2) % 7) - 3` as element n of the gradient of the result.
pub fn gradients() -> Vec<Gradients> {
    lines(FIELD)
        .filter(|l| l.get("vjp").is_some())
        .map(|l| {
            let gradients = l["vjp"].as_array().expect("gradients").iter().map(numbers);
            (text(&l, "spec"), shapes(&l["shapes"]), gradients.collect())
        })
        .collect()
}

/// Every invalid case of `invalid.jsonl` and `field-cases.jsonl`.
pub fn invalid() -> Vec<Invalid> {
    lines(INVALID)
        .chain(lines(FIELD))
        .filter(|l| l.get("class").is_some())
        .map(|l| Invalid {
            id: text(&l, "id"),
            spec: text(&l, "spec"),
            operands: l["operands"].as_u64().expect("operands") as usize,
            shapes: (!l["shapes"].is_null()).then(|| shapes(&l["shapes"])),
            class: text(&l, "class"),
            compile: l["when"] == "compile",
            firm: l["firm"].as_bool().unwrap_or(true),
        })
        .collect()
}

/// The operand that the data means: element n of operand k.
pub fn rule(n: usize, k: usize) -> i64 {
    ((7 * n + 3 * k + 1) % 11) as i64 - 5
}

/// Operand k of a shape, by the rule.
pub fn operand<R>(k: usize, shape: &[usize], number: impl Fn(usize, usize) -> R) -> Dense<R> {
    let count = shape.iter().product();
    Dense {
        shape: shape.to_vec(),
        values: (0..count).map(|n| number(n, k)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;

    /// The judge and the stored values agree, so that either catches a mistake of the other.
    #[test]
    fn oracle_gives_the_stored_values() {
        let cases = valid();
        assert_eq!(cases.len(), 1178 + 14);
        for case in cases {
            let operands: Vec<Dense<f64>> = match &case.values {
                None => (case.shapes.iter().enumerate())
                    .map(|(k, s)| operand(k, s, |n, k| rule(n, k) as f64))
                    .collect(),
                Some(values) => (case.shapes.iter().zip(values))
                    .map(|(s, v)| Dense {
                        shape: s.clone(),
                        values: v.clone(),
                    })
                    .collect(),
            };
            let result = oracle::einsum(&case.spec, &operands);
            assert_eq!(result.shape, case.out_shape, "{} {}", case.id, case.spec);
            assert_eq!(result.values, case.out, "{} {}", case.id, case.spec);
        }
    }

    #[test]
    fn invalid_cases_are_all_there() {
        assert_eq!(invalid().len(), 110 + 1);
    }
}
