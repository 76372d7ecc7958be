//! Index notation: what is read of an equation, whatever its tokens.

use super::never_panics::Random;
use super::*;

/// Pieces of equations, and some that belong to none.
const PIECES: [&str; 40] = [
    "a",
    "b.c",
    "f(x)",
    "g::<A, B>(y)?",
    "(a + b)",
    "{ w[0] }",
    "2.0",
    "-1",
    "conj",
    "<T as U>::f()",
    "[i, j]",
    "[row, col]",
    "[]",
    "[..]",
    "[..., i]",
    "[i j]",
    "[0]",
    "[i, , j]",
    "[self, _]",
    "[r#in, i]",
    "=",
    "+=",
    "-=",
    "*=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "..",
    "?",
    ".",
    "::",
    "<",
    ",",
    ";",
    "(",
    "order = greedy",
    "engine = e",
];

#[test]
fn any_tokens_expand_or_are_refused() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut refused, mut read) = (0, 0);
    for round in 0..20_000 {
        let mut text = String::from(["c[i, j] = ", "[row, col] = ", ""][random.below(3)]);
        let mut open = 0;
        for _ in 0..random.below(12) {
            match PIECES[random.below(PIECES.len())] {
                "(" => {
                    text.push('(');
                    open += 1;
                }
                piece => text.push_str(piece),
            }
            text.push(' ');
            if open > 0 && random.below(3) == 0 {
                text.push(')');
                open -= 1;
            }
        }
        text.push_str(&")".repeat(open));
        let mode = if round % 2 == 0 {
            Mode::Panic
        } else {
            Mode::Try
        };
        let tokens: TokenStream = format!("[krate]; {text}").parse().expect("tokens");
        let mistakes = messages(expand(tokens, mode));
        assert!(mistakes.iter().all(|m| !m.is_empty()), "{text}");
        if mistakes.is_empty() {
            read += 1;
        } else {
            refused += 1;
        }
    }
    assert!(
        refused > 1000 && read > 20,
        "{refused} refused, {read} read"
    );
}

/// A random equation that is right, and how many operands and terms it has.
struct Right {
    random: Random,
    operands: usize,
    terms: usize,
}

impl Right {
    fn operand(&mut self) -> String {
        self.operands += 1;
        let base = [
            "a",
            "self.b",
            "f::<A, B>(x, y)",
            "(a + b)",
            "d[n]",
            "e()?.g",
            "m![x]",
            "{ h }",
        ];
        let base = base[self.random.below(base.len())];
        let more = ["", ", k", ", r#loop", ", .."][self.random.below(4)];
        let operand = format!("{base}[row, col{more}]");
        if self.random.below(4) == 0 {
            format!("conj({operand})")
        } else {
            operand
        }
    }

    fn scalar(&mut self) -> &'static str {
        let all = [
            "2.0",
            "alpha",
            "(x + y)",
            "n.powi(2)",
            "(w[0])",
            "{ w[i] }",
            "-3",
        ];
        all[self.random.below(all.len())]
    }

    fn product(&mut self, depth: usize) -> String {
        let mut text = match self.random.below(3) {
            0 => format!("{} * ", self.scalar()),
            1 => String::from("-"),
            _ => String::new(),
        };
        for factor in 0..1 + self.random.below(3) {
            if factor > 0 {
                text += " * ";
            }
            text += &if depth > 0 && self.random.below(3) == 0 {
                format!("({})", self.product(depth - 1))
            } else {
                self.operand()
            };
        }
        if self.random.below(3) == 0 {
            text += &format!(" / {}", self.scalar());
        }
        text
    }

    fn sum(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for term in 0..1 + self.random.below(3) {
            if term > 0 {
                text += [" + ", " - "][self.random.below(2)];
            }
            text += &if depth > 0 && self.random.below(4) == 0 {
                format!("{} * ({})", self.scalar(), self.sum(depth - 1))
            } else {
                self.terms += 1;
                self.product(depth)
            };
        }
        text
    }
}

#[test]
fn right_equations_are_read_whole() {
    let mut right = Right {
        random: Random(0x9E37_79B9_7F4A_7C15),
        operands: 0,
        terms: 0,
    };
    for _ in 0..2000 {
        (right.operands, right.terms) = (0, 0);
        let left = ["[row, col]", "c[col, row]", "self.c[row, col]"][right.random.below(3)];
        let sum = right.sum(2);
        let call = format!("einsum!({left} = {sum})");
        let expansion = expansion(&call);
        assert_eq!(messages(expansion.clone()), [""; 0], "{call}");
        let text = expansion.to_string();
        assert_eq!(text.matches("const SPEC").count(), right.terms, "{call}");
        let operands = (0..)
            .take_while(|i| text.contains(&format!("let (op{i} ")))
            .count();
        assert_eq!(operands, right.operands, "{call}\n{text}");
    }
}

#[test]
fn deep_parentheses_are_refused() {
    let call = |depth: usize| {
        format!(
            "einsum!([i] = {}a[i]{})",
            "(".repeat(depth),
            ")".repeat(depth)
        )
    };
    assert!(messages(expansion(&call(60))).is_empty());
    assert_eq!(
        messages(expansion(&call(70))),
        ["parentheses are nested too deeply"]
    );
}

#[test]
fn a_text_for_messages() {
    let text = |call: &str| {
        let expansion = expansion(call).to_string();
        let (_, rest) = expansion
            .split_once("spec (\"")
            .or(expansion.split_once("Spec :: new (\""))
            .expect("a constant");
        rest.split('"').next().expect("the text").to_owned()
    };
    assert_eq!(text("einsum!([i, k] = a[i, j] * b[j, k])"), "ij,jk->ik");
    assert_eq!(
        text("einsum!(c[i] = a[i, j] * (b[j, .., k] * d[k]))"),
        "ij,(j...k,k)->i"
    );
    assert_eq!(text("einsum!([] = x[ñ] * y[ñ] * z[])"), "ñ,ñ,->");
    assert_eq!(
        text("einsum!([row, col] = a[row, mid] * (b[mid, ...] * d[col]))"),
        "[row, mid], ([mid, ...], [col]) -> [row, col]"
    );
    assert_eq!(text("einsum!([r#in] = x[in, k])"), "[in, k] -> [in]");
}
