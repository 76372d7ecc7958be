//! The right side of an equation: a sum of products of operands and scalars.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::list::{self, List};
use super::scan;
use crate::call::Operand;
use crate::errors::Errors;
use crate::tokens::{is_ident, is_punct, span_of, unwrap};

/// Parentheses within parentheses that are read.
const DEPTH: usize = 64;

/// What a term is multiplied with.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) value: Value,
    /// Divided by it instead.
    pub(crate) divides: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A literal as it stands.
    Literal(TokenTree),
    /// A scalar of the equation, by number.
    Scalar(usize),
}

/// An expression that is a factor.
#[derive(Debug)]
pub(crate) struct Scalar {
    pub(crate) expr: TokenStream,
    /// How many operands are evaluated before it.
    pub(crate) operands: usize,
}

/// The operands of a term as its parentheses have them.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Operand(usize),
    Group(Vec<Tree>),
}

/// A term while it is read.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) negative: bool,
    pub(super) factors: Vec<Factor>,
    /// `None` if there is no operand in it.
    pub(super) tree: Option<Tree>,
    /// The tree is one in parentheses: what follows is no member of it.
    closed: bool,
}

impl Part {
    fn new(span: Span) -> Part {
        Part {
            span,
            negative: false,
            factors: Vec::new(),
            tree: None,
            closed: false,
        }
    }
}

pub(super) struct Parser<'e> {
    pub(super) operands: Vec<Operand>,
    pub(super) lists: Vec<List>,
    pub(super) scalars: Vec<Scalar>,
    errors: &'e mut Errors,
    depth: usize,
}

impl<'e> Parser<'e> {
    pub(super) fn new(errors: &'e mut Errors) -> Self {
        Parser {
            operands: Vec::new(),
            lists: Vec::new(),
            scalars: Vec::new(),
            errors,
            depth: 0,
        }
    }

    /// All terms; `None` if one could not be read, which has been reported.
    pub(super) fn right_side(&mut self, tokens: &[TokenTree], sign: Span) -> Option<Vec<Part>> {
        let parts = self.sum(tokens, sign)?;
        let mut complete = true;
        for part in parts.iter().filter(|part| part.tree.is_none()) {
            complete = false;
            self.errors.push(
                part.span,
                "expected an operand in this term: `a[i, j]`\n\
                 a term without indices would have no axes to add along",
            );
        }
        complete.then_some(parts)
    }

    fn sum(&mut self, tokens: &[TokenTree], before: Span) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let (mut at, mut negative) = (0, false);
        loop {
            let mut product = self.product(tokens, &mut at, before)?;
            for part in &mut product {
                part.negative ^= negative;
            }
            parts.append(&mut product);
            match tokens.get(at) {
                None => return Some(parts),
                Some(sign) => negative = is_punct(sign, '-'),
            }
            at += 1;
        }
    }

    /// A product up to `+` or `-`. It is one term, or those of a sum in it that scalars multiply.
    fn product(&mut self, tokens: &[TokenTree], at: &mut usize, before: Span) -> Option<Vec<Part>> {
        let start = *at;
        let mut product: Option<Vec<Part>> = None;
        let mut divides = false;
        loop {
            let begin = *at;
            let factor = self.factor(tokens, at, before)?;
            let span = span_of(&tokens[begin..*at]);
            product = Some(match product {
                None => factor,
                Some(product) => self.multiply(product, factor, divides, span)?,
            });
            match tokens.get(*at) {
                Some(sign) if is_punct(sign, '*') => divides = false,
                Some(sign) if is_punct(sign, '/') => divides = true,
                _ => break,
            }
            *at += 1;
        }
        let mut product = product?;
        if let [only] = product.as_mut_slice() {
            only.span = span_of(&tokens[start..*at]);
        }
        Some(product)
    }

    fn multiply(
        &mut self,
        mut left: Vec<Part>,
        mut right: Vec<Part>,
        divides: bool,
        span: Span,
    ) -> Option<Vec<Part>> {
        let scalar = |parts: &[Part]| matches!(parts, [only] if only.tree.is_none());
        if divides && !scalar(&right) {
            // An index list that could not be read may not have been meant as one.
            if self.lists.last().is_none_or(|list| list.clear) {
                self.errors
                    .push(span, "expected a scalar behind `/`, found an operand");
            }
            return None;
        }
        if scalar(&left) && right.len() > 1 {
            core::mem::swap(&mut left, &mut right);
        }
        if left.len() > 1 && !scalar(&right) || right.len() > 1 {
            self.errors.push(
                span,
                "a sum in parentheses can be multiplied by scalars only\n\
                 multiply each of its terms, or compute the sum first: `[…] = …`",
            );
            return None;
        }
        let factor = right.pop()?;
        for part in &mut left {
            part.negative ^= factor.negative;
            let factors = factor.factors.iter().cloned().map(|f| Factor {
                divides: f.divides != divides,
                ..f
            });
            part.factors.extend(factors);
            match (part.tree.take(), factor.tree.clone()) {
                (None, tree) => (part.tree, part.closed) = (tree, factor.closed),
                (tree, None) => part.tree = tree,
                (Some(Tree::Group(mut members)), Some(tree)) if !part.closed => {
                    members.push(tree);
                    part.tree = Some(Tree::Group(members));
                }
                (Some(left), Some(right)) => {
                    part.tree = Some(Tree::Group(vec![left, right]));
                    part.closed = false;
                }
            }
        }
        Some(left)
    }

    fn factor(&mut self, tokens: &[TokenTree], at: &mut usize, before: Span) -> Option<Vec<Part>> {
        let mut negative = false;
        while tokens.get(*at).is_some_and(|t| is_punct(t, '-')) {
            negative = !negative;
            *at += 1;
        }
        let end = match scan::factor(tokens, *at) {
            Ok(end) => end,
            Err((wrong, message)) => {
                let missing = || at.checked_sub(1).and_then(|last| tokens.get(last));
                let (span, message) = match tokens.get(wrong) {
                    Some(token) => (span_of(core::slice::from_ref(token)), message),
                    None => (
                        missing().map_or(before, TokenTree::span),
                        String::from("expected a factor behind this"),
                    ),
                };
                self.errors.push(span, message);
                return None;
            }
        };
        let factor = &tokens[*at..end];
        *at = end;
        let mut parts = self.whole(factor)?;
        for part in &mut parts {
            part.negative ^= negative;
        }
        Some(parts)
    }

    /// A factor without the signs before it.
    fn whole(&mut self, factor: &[TokenTree]) -> Option<Vec<Part>> {
        let span = span_of(factor);
        match factor {
            [TokenTree::Group(group)]
                if is_inner(group.delimiter()) && holds_operand(&inner(group)) =>
            {
                if self.depth == DEPTH {
                    self.errors.push(span, "parentheses are nested too deeply");
                    return None;
                }
                self.depth += 1;
                let parts = self.sum(&inner(group), span);
                self.depth -= 1;
                let mut parts = parts?;
                for part in &mut parts {
                    part.closed = true;
                }
                Some(parts)
            }
            [name @ .., TokenTree::Group(group)]
                if is_conj(name) && holds_operand(&inner(group)) =>
            {
                self.conjugate(&inner(group), span)
            }
            [expr @ .., TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                self.operand(expr, group, false, span)
            }
            _ => self.scalar(factor, span),
        }
    }

    fn conjugate(&mut self, tokens: &[TokenTree], span: Span) -> Option<Vec<Part>> {
        match tokens {
            [expr @ .., TokenTree::Group(group)]
                if group.delimiter() == Delimiter::Bracket
                    && scan::factor(tokens, 0) == Ok(tokens.len()) =>
            {
                self.operand(expr, group, true, span)
            }
            _ => {
                self.errors.push(
                    span,
                    "`conj` takes one operand and its indices: `conj(a[i, j]) * conj(b[j, k])`",
                );
                None
            }
        }
    }

    /// `expr[i, j]`.
    fn operand(
        &mut self,
        expr: &[TokenTree],
        indices: &proc_macro2::Group,
        conj: bool,
        span: Span,
    ) -> Option<Vec<Part>> {
        if expr.is_empty() {
            self.errors
                .push(span, "expected an operand before this index list");
            return None;
        }
        if scan::has_prefix(expr) {
            self.errors.push(
                span_of(expr),
                "an index list binds tighter than `*`, `&` and `!`: put the operand in parentheses, or leave `&` out",
            );
            return None;
        }
        self.refuse_lists(expr)?;
        let list = List::read(indices, self.errors);
        let number = self.operands.len();
        self.operands
            .push(Operand::new(expr.to_vec()).conjugated(conj));
        self.lists.push(list);
        let mut part = Part::new(span);
        part.tree = Some(Tree::Operand(number));
        Some(vec![part])
    }

    fn scalar(&mut self, factor: &[TokenTree], span: Span) -> Option<Vec<Part>> {
        self.refuse_lists(factor)?;
        if let [.., TokenTree::Ident(_), TokenTree::Group(arguments)] = factor
            && is_inner(arguments.delimiter())
            && inner(arguments).windows(2).any(|pair| {
                matches!(pair, [TokenTree::Ident(_), TokenTree::Group(group)]
                    if group.delimiter() == Delimiter::Bracket && list::is_long(group))
            })
        {
            self.errors.push(
                span,
                "a function of elements that is not `conj(a[i, j])`\n\
                 an einsum is a sum of products: write `a.map(…)[i, j]`",
            );
            return None;
        }
        let value = match unwrap(factor.to_vec()).as_slice() {
            [TokenTree::Literal(literal)] => Value::Literal(TokenTree::Literal(literal.clone())),
            _ => {
                self.scalars.push(Scalar {
                    expr: factor.iter().cloned().collect(),
                    operands: self.operands.len(),
                });
                Value::Scalar(self.scalars.len() - 1)
            }
        };
        let mut part = Part::new(span);
        part.factors.push(Factor {
            value,
            divides: false,
            span,
        });
        Some(vec![part])
    }

    /// An index list within an expression.
    fn refuse_lists(&mut self, expr: &[TokenTree]) -> Option<()> {
        let list = expr.iter().skip(1).find_map(|token| match token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket && list::is_long(group) =>
            {
                Some(group)
            }
            _ => None,
        });
        let Some(list) = list else { return Some(()) };
        self.errors.push(
            list.span(),
            "an index list ends its operand\n\
             write the indices last, once: `a.permuted([1, 0])[i, j]`, and `*` between two operands",
        );
        None
    }
}

/// Parentheses, or those that a macro's fragment has around it.
fn is_inner(delimiter: Delimiter) -> bool {
    matches!(delimiter, Delimiter::Parenthesis | Delimiter::None)
}

fn inner(group: &proc_macro2::Group) -> Vec<TokenTree> {
    unwrap(group.stream().into_iter().collect())
}

/// `conj`, by whatever path.
fn is_conj(name: &[TokenTree]) -> bool {
    let [path @ .., last] = name else {
        return false;
    };
    let in_path = |t: &TokenTree| matches!(t, TokenTree::Ident(_)) || is_punct(t, ':');
    let separated = path.last().is_none_or(|t| is_punct(t, ':'));
    matches!(last, TokenTree::Ident(word) if word == "conj")
        && path.iter().all(in_path)
        && separated
}

/// Whether there is an operand with its indices among these tokens, outside of what only belongs to an expression.
fn holds_operand(tokens: &[TokenTree]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let TokenTree::Group(group) = token else {
            return false;
        };
        let before = &tokens[..at];
        let behind = match before.last() {
            None => false,
            Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), '?' | '>'),
            Some(_) => true,
        };
        match group.delimiter() {
            Delimiter::Bracket => behind && list::is_list(group),
            Delimiter::Parenthesis | Delimiter::None => {
                (!behind || before.last().is_some_and(|t| is_ident(t, "conj")))
                    && holds_operand(&inner(group))
            }
            Delimiter::Brace => false,
        }
    })
}
