//! A call as written: the subscripts, the operands, the options; every token still has its place in the source.

use cteinsum_plan::Subscripts;
use proc_macro2::{Delimiter, Literal, Span, TokenStream, TokenTree};

use crate::errors::Errors;
use crate::literal::{self, SpecText};
use crate::notation::{self, Equation};
use crate::options::{self, Options};
use crate::tokens::{flatten, is_ident, is_punct, span_of, split_commas, unwrap};

/// The arguments of one call.
#[derive(Debug)]
pub(crate) struct Call {
    /// The path of the crate `cteinsum` as the front forwards it: `$crate`.
    pub(crate) krate: TokenStream,
    /// `None` if it could not be read, which has been reported.
    pub(crate) text: Option<SpecText>,
    /// In index notation, instead of the text.
    pub(crate) equation: Option<Equation>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) options: Options,
}

/// An expression that rustc has parsed.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    /// As it came, to be emitted. Groups without delimiters in it hold an expression together (`2.0 * $x`), but only
    /// as long as nobody takes the group around them apart: rustc forgets what they are for.
    pub(crate) expr: TokenStream,
    /// The same, to look at.
    tokens: Vec<TokenTree>,
    pub(crate) span: Span,
    /// Index notation's `conj(…)` around it.
    pub(crate) conj: bool,
}

impl Operand {
    pub(crate) fn new(tokens: Vec<TokenTree>) -> Operand {
        Operand {
            conj: false,
            span: span_of(&tokens),
            expr: tokens.iter().cloned().collect(),
            tokens: unwrap(tokens),
        }
    }

    /// What it is made of.
    #[cfg(feature = "gradient")]
    pub(crate) fn tokens(&self) -> &[TokenTree] {
        &self.tokens
    }

    pub(crate) fn conjugated(self, conj: bool) -> Operand {
        Operand { conj, ..self }
    }

    /// Whether this is one token, a name or a group, so that no operator can bind tighter.
    pub(crate) fn is_atom(&self) -> bool {
        self.tokens.len() == 1
    }

    /// The parts of a tuple or list: `(a, b)`, `&[&a, &b]`, `vec![a, b]`. None for anything else.
    pub(crate) fn parts(&self) -> Option<Vec<String>> {
        let (last, before) = self.tokens.split_last()?;
        let TokenTree::Group(group) = last else {
            return None;
        };
        let wraps = |t: &TokenTree| is_punct(t, '&') || is_punct(t, '!') || is_ident(t, "vec");
        if group.delimiter() == Delimiter::Brace || !before.iter().all(wraps) {
            return None;
        }
        let parts = split_commas(group.stream()).into_iter();
        Some(
            parts
                .map(|part| {
                    part.into_iter()
                        .collect::<TokenStream>()
                        .to_string()
                        .replace("& ", "&")
                })
                .collect(),
        )
    }

    /// Whether the expression ends in `[index]`.
    pub(crate) fn is_indexed_by(&self, index: &str) -> bool {
        let Some(TokenTree::Group(group)) = self.tokens.last() else {
            return false;
        };
        let inner = group.stream().to_string();
        self.tokens.len() > 1 && group.delimiter() == Delimiter::Bracket && inner == index
    }

    /// Takes off indices that are labels, which are no values.
    pub(crate) fn without_labels<'a>(&mut self, mut labels: impl Iterator<Item = &'a str>) {
        if labels.any(|label| self.is_indexed_by(label)) {
            self.tokens.pop();
            self.expr = self.tokens.iter().cloned().collect();
        }
    }

    /// Whether this is a number as it stands, whose type is open: it takes that of the other operands.
    pub(crate) fn is_number(&self) -> bool {
        if self.conj {
            return false;
        }
        match self.tokens.as_slice() {
            [TokenTree::Literal(number)] => is_plain_number(number),
            [minus, TokenTree::Literal(number)] => is_punct(minus, '-') && is_plain_number(number),
            _ => false,
        }
    }
}

/// A number without a suffix: `1.0f32` has a type already, and a mismatch is told as of any operand.
fn is_plain_number(literal: &Literal) -> bool {
    let text = literal.to_string();
    let hexadecimal = text.starts_with("0x");
    let in_suffixes = |c: char| matches!(c, 'i' | 'u') || c == 'f' && !hexadecimal;
    text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(in_suffixes)
}

/// Reads what the front passes on: `[$crate] "…", operand, …, name = value, …`, each argument parsed by rustc as
/// an expression (`name = value` is one as well), or `[$crate]; …` if it does not begin with subscripts or rustc found
/// no list of expressions.
pub(crate) fn parse(input: TokenStream, errors: &mut Errors) -> Call {
    let mut input = input.into_iter().peekable();
    let krate = match input.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => group.stream(),
        _ => TokenStream::new(),
    };
    let mut call = Call {
        krate,
        text: None,
        equation: None,
        operands: Vec::new(),
        options: Options::default(),
    };
    let tokens_only = input.next_if(|t| is_punct(t, ';')).is_some();
    let tokens: Vec<TokenTree> = input.collect();
    let mut arguments = split_commas(tokens.iter().cloned().collect());
    if tokens_only && !tokens.is_empty() {
        let of_text = arguments
            .iter()
            .any(|a| literal::is_string(&unwrap(a.clone())));
        if let [TokenTree::Ident(name), equals, text @ ..] = arguments[0].as_slice()
            && is_punct(equals, '=')
            && literal::is_string(&unwrap(text.to_vec()))
        {
            let message = format!(
                "expected the subscripts, found `{name} = …`\n\
                 the result is the value of the macro: `let {name} = einsum!(\"…\", …)`"
            );
            errors.push(name.span(), message);
            return call;
        }
        if !of_text && notation::is_equation(&arguments[0]) {
            return equation(call, arguments, errors);
        }
        let literal_first =
            matches!(tokens[0], TokenTree::Literal(_)) || is_ident(&tokens[0], "concat");
        if literal_first || gap(&tokens).is_some() {
            let (span, message) = gap(&flatten(tokens)).unwrap_or((
                span_of(&arguments[0]),
                "expected the subscripts, the operands, then options `name = value`, separated by `,`",
            ));
            errors.push(span, message);
            return call;
        }
    }
    if arguments.is_empty() {
        errors.push(
            Span::call_site(),
            "expected the subscripts and the operands, as in `einsum!(\"ij,jk->ik\", a, b)`",
        );
        return call;
    }
    call.text = take_text(&mut arguments, errors);
    for argument in arguments {
        match options::split(&unwrap(argument.clone())) {
            Some((name, value)) => call.options.add(&name, value, errors),
            None => {
                let operand = Operand::new(argument);
                if call.options.any() {
                    errors.push(operand.span, "operands come before the options");
                }
                call.operands.push(operand);
            }
        }
    }
    bare_option(&mut call, errors);
    call.options.check(errors);
    call
}

/// Takes an option without a value for what it was meant as: the name of one in the place of an operand too many.
fn bare_option(call: &mut Call, errors: &mut Errors) {
    let Some((text, last)) = call.text.as_ref().zip(call.operands.last()) else {
        return;
    };
    if let Some(message) = options::bare(&last.tokens) {
        let (subscripts, _) = Subscripts::parse_lossy(&text.value);
        if subscripts.check_count(call.operands.len() - 1).is_ok() {
            errors.push(last.span, message);
            call.operands.pop();
        }
    }
}

/// Reads a call in index notation: an equation, then options.
fn equation(mut call: Call, mut arguments: Vec<Vec<TokenTree>>, errors: &mut Errors) -> Call {
    let options = arguments.split_off(1);
    let factor =
        |a: &&Vec<TokenTree>| notation::is_equation(a) && !a.iter().any(|t| is_punct(t, '='));
    if let Some(factor) = options.iter().find(factor) {
        errors.push(
            span_of(factor),
            "expected `*` before this factor, found `,`\na product is written `[i, k] = a[i, j] * b[j, k]`",
        );
        call.operands = notation::parse(arguments.remove(0), &mut Errors::default()).1;
        return call;
    }
    let (equation, operands) = notation::parse(arguments.remove(0), errors);
    call.operands = operands;
    for argument in options {
        match options::split(&unwrap(argument.clone())) {
            Some((name, value)) => call.options.add(&name, value, errors),
            None => errors.push(
                span_of(&argument),
                options::bare(&unwrap(argument)).unwrap_or_else(|| String::from(
                    "expected an option `name = …` behind the equation\nthe operands stand in the equation",
                )),
            ),
        }
    }
    if let Some(equation) = &equation {
        call.options.of_equation(equation, errors);
    }
    call.equation = equation;
    call
}

/// Takes the subscripts out of the arguments: the first one, or, when that cannot be meant, a string further on.
fn take_text(arguments: &mut Vec<Vec<TokenTree>>, errors: &mut Errors) -> Option<SpecText> {
    let later = arguments
        .iter()
        .skip(1)
        .position(|a| literal::is_string(&unwrap(a.clone())));
    match later {
        Some(before) if !literal::may_be_text(&unwrap(arguments[0].clone())) => {
            let misplaced = arguments.remove(before + 1);
            errors.push(
                span_of(&misplaced),
                "the subscripts come before the operands",
            );
            literal::read(misplaced, errors)
        }
        _ => literal::read(arguments.remove(0), errors),
    }
}

/// Where a list of arguments that rustc could not read goes wrong.
fn gap(tokens: &[TokenTree]) -> Option<(Span, &'static str)> {
    let mut previous: Option<&TokenTree> = None;
    for token in tokens {
        match previous {
            None if is_punct(token, ',') => {
                return Some((token.span(), "expected the subscripts before this `,`"));
            }
            Some(comma) if is_punct(comma, ',') && is_punct(token, ',') => {
                return Some((token.span(), "expected an operand before this `,`"));
            }
            Some(before) if ends_operand(before) && starts_operand(token) => {
                return Some((token.span(), "expected `,` before this argument"));
            }
            _ if is_punct(token, ';') => {
                return Some((token.span(), "expected `,`, found `;`"));
            }
            _ => previous = Some(token),
        }
    }
    None
}

/// A literal or a name; no two of them meet within an expression, keywords apart.
fn starts_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Literal(_) => true,
        TokenTree::Ident(word) => !is_keyword(&word.to_string()),
        _ => false,
    }
}

fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        token => starts_operand(token),
    }
}

fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 26] = [
        "as", "async", "await", "break", "const", "continue", "dyn", "else", "for", "gen", "if",
        "impl", "in", "let", "loop", "match", "move", "mut", "raw", "ref", "return", "static",
        "unsafe", "where", "while", "yield",
    ];
    WORDS.contains(&word)
}
