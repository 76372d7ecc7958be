//! From tokens to terms and groups, whatever the tokens.

use crate::lists::Listed;
use alloc::{string::String, vec::Vec};

use crate::{
    diagnostic::{Diagnostic, Mistake},
    groups::{Groups, Member},
    lexer::{Kind, Token, lex},
    sorted::sort_by,
    spec::Span,
    subscripts::{Item, Subscripts, Term},
};

pub(crate) fn parse(text: &str) -> (Subscripts, Vec<Diagnostic>) {
    let (tokens, mistakes) = lex(text);
    let junk = !mistakes.is_empty();
    let mut parser = Parser {
        text,
        mistakes,
        inputs: Vec::new(),
        groups: Vec::new(),
        clear: true,
    };

    let arrow = parser.find_arrow(&tokens);
    let (before, after) = match arrow {
        Some(at) => (&tokens[..at], Some(&tokens[at + 1..])),
        None => (&tokens[..], None),
    };
    let more = |t: &&Token| t.kind == Kind::Arrow;
    let extra: Vec<Span> = after
        .unwrap_or_default()
        .iter()
        .filter(more)
        .map(|t| t.span)
        .listed();
    if let [first, rest @ ..] = extra.as_slice() {
        let mistake = Mistake::DoubleArrow {
            arrows: extra.len() + 1,
        };
        let help = "the output term ends the subscripts";
        parser.mistakes.push(
            Diagnostic::new(mistake, *first)
                .also(rest.iter().copied())
                .with_help(help),
        );
    }
    let after = after.map(|after| {
        after
            .split(|t| t.kind == Kind::Arrow)
            .next()
            .unwrap_or_default()
    });

    let unclosed = parser.read_inputs(before, arrow.map_or(text.len(), |at| tokens[at].span.start));
    let start = arrow.map_or(text.len(), |at| tokens[at].span.end);
    let output = after.map(|after| parser.read_output(after, start, unclosed.last().copied()));
    if output.is_none() {
        parser.report_unclosed(&unclosed);
    } else if !unclosed.is_empty() {
        let joined = parser
            .mistakes
            .iter()
            .any(|m| matches!(m.mistake, Mistake::UnclosedParen { .. }));
        parser.report_unclosed(&unclosed[..unclosed.len() - usize::from(joined)]);
    }
    let unsure = |t: &Token| matches!(t.kind, Kind::Junk | Kind::BadComma | Kind::BadArrow { .. });
    let arrow_clear = arrow.is_none_or(|at| tokens[at].kind != Kind::BadArrow { sure: false });
    let output_mistake = |m: &Diagnostic| {
        matches!(
            m.mistake,
            Mistake::CommaInOutput
                | Mistake::ParensInOutput { .. }
                | Mistake::DoubleArrow { .. }
                | Mistake::TwoEllipses { output: true, .. }
                | Mistake::UnclosedParen {
                    closed_in_output: true
                }
        )
    };
    let output_clear = match after {
        Some(after) => {
            arrow_clear && !after.iter().any(unsure) && !parser.mistakes.iter().any(output_mistake)
        }
        None => !junk && parser.mistakes.is_empty(),
    };
    let inputs_clear = parser.clear && arrow_clear && !before.iter().any(unsure);
    let mut mistakes = parser.mistakes;
    sort_by(&mut mistakes, |a, b| a.span < b.span);
    let groups = (!parser.groups.is_empty()).then(|| Groups::from_list(parser.groups));
    let inputs = parser.inputs;
    (
        Subscripts {
            text: String::from(text),
            inputs,
            groups,
            output,
            inputs_clear,
            output_clear,
            arrow_clear,
        },
        mistakes,
    )
}

struct Parser<'t> {
    text: &'t str,
    mistakes: Vec<Diagnostic>,
    inputs: Vec<Term>,
    groups: Vec<Vec<Member>>,
    /// No mistake so far that leaves the terms in doubt.
    clear: bool,
}

/// An open parenthesis, or the whole list of terms.
struct Frame {
    open: Span,
    members: Vec<Member>,
}

impl Parser<'_> {
    /// The first real arrow; the first that was meant as one if there is none. Others cannot have been meant as arrows.
    fn find_arrow(&mut self, tokens: &[Token]) -> Option<usize> {
        let meant = |t: &Token| matches!(t.kind, Kind::BadArrow { .. });
        let real = tokens.iter().position(|t| t.kind == Kind::Arrow);
        let arrow = real.or_else(|| tokens.iter().position(meant))?;
        for mistake in &mut self.mistakes {
            if matches!(mistake.mistake, Mistake::BadArrow { .. })
                && mistake.span != tokens[arrow].span
            {
                *mistake = mistake
                    .clone()
                    .with_help("the subscripts have an arrow already");
            }
        }
        Some(arrow)
    }

    /// Reads terms and parentheses; returns the parentheses that stay open.
    fn read_inputs(&mut self, tokens: &[Token], end: usize) -> Vec<Span> {
        let mut stack = Vec::new();
        let mut frame = Frame {
            open: Span::empty(0),
            members: Vec::new(),
        };
        let mut items: Vec<Item> = Vec::new();
        let mut start = 0; // where an empty term would stand
        let mut closed = false; // the element ended with `)`: only `,` or `)` may follow
        let mut junk = false; // something unreadable in the element
        for token in tokens {
            let Token { kind, span } = *token;
            let begins = matches!(kind, Kind::Label | Kind::Ellipsis | Kind::Open);
            if begins && (closed || (kind == Kind::Open && !items.is_empty())) {
                self.missing_comma(span);
                self.finish(&mut frame, &mut items, start, closed);
                (closed, junk, start) = (false, false, span.start);
            }
            match kind {
                Kind::Label => items.push(Item {
                    span,
                    ellipsis: false,
                }),
                Kind::Ellipsis => items.push(Item {
                    span,
                    ellipsis: true,
                }),
                Kind::Comma | Kind::BadComma => {
                    self.finish(&mut frame, &mut items, start, closed);
                    (closed, junk) = (false, false);
                }
                Kind::Open => {
                    let outer = core::mem::replace(
                        &mut frame,
                        Frame {
                            open: span,
                            members: Vec::new(),
                        },
                    );
                    stack.push(outer);
                    junk = false;
                }
                Kind::Close => match stack.pop() {
                    None => {
                        self.clear = false;
                        self.mistakes.push(
                            Diagnostic::new(Mistake::UnopenedParen, span)
                                .with_help("nothing is open here"),
                        );
                        continue;
                    }
                    Some(outer) => {
                        if items.is_empty() && frame.members.is_empty() && !closed && !junk {
                            self.empty_parens(frame.open.to(span));
                        }
                        self.finish(&mut frame, &mut items, start, closed);
                        let inner = core::mem::replace(&mut frame, outer);
                        let member = self.group(inner);
                        frame.members.push(member);
                        closed = true;
                    }
                },
                Kind::Junk | Kind::BadArrow { .. } | Kind::Arrow => {
                    junk = true;
                    continue;
                }
            }
            if !matches!(kind, Kind::Label | Kind::Ellipsis) {
                start = span.end;
            }
        }
        let empty_at = if self.inputs.is_empty() && stack.is_empty() {
            start.min(end)
        } else {
            start
        };
        self.finish(&mut frame, &mut items, empty_at, closed);
        let mut unclosed = Vec::new();
        while let Some(outer) = stack.pop() {
            unclosed.push(frame.open);
            let inner = core::mem::replace(&mut frame, outer);
            let member = self.group(inner);
            frame.members.push(member);
        }
        unclosed.reverse();
        self.clear &= unclosed.is_empty();
        // A stray parenthesis is one mistake, whatever stands before it.
        let stray = |m: &Diagnostic| {
            matches!(m.mistake, Mistake::MissingComma { .. })
                && unclosed.binary_search(&m.span).is_ok()
        };
        self.mistakes.retain(|m| !stray(m));
        if !self.groups.is_empty() && frame.members.len() > 1 {
            self.groups.push(frame.members);
        }
        unclosed
    }

    /// Ends an element: a term, unless a group in parentheses has been put down already.
    fn finish(&mut self, frame: &mut Frame, items: &mut Vec<Item>, start: usize, closed: bool) {
        if closed {
            return;
        }
        let items = core::mem::take(items);
        let term = self.term(items, start, false);
        frame
            .members
            .push(Member::Operand(self.inputs.len() as u32));
        self.inputs.push(term);
    }

    /// A pair of parentheses: a group, or nothing if there is one term in it.
    fn group(&mut self, inner: Frame) -> Member {
        match inner.members.as_slice() {
            [one] => *one,
            _ => {
                self.groups.push(inner.members);
                Member::Group(self.groups.len() as u32 - 1)
            }
        }
    }

    fn term(&mut self, mut items: Vec<Item>, start: usize, output: bool) -> Term {
        let dots: Vec<Span> = items.iter().filter(|i| i.ellipsis).map(|i| i.span).listed();
        if let [first, second, rest @ ..] = dots.as_slice() {
            let mistake = Mistake::TwoEllipses {
                output,
                found: dots.len(),
            };
            let help = "one `...` stands for all axes without a label";
            self.mistakes.push(
                Diagnostic::new(mistake, *second)
                    .also(rest.iter().copied())
                    .with_help(help),
            );
            items.retain(|i| !i.ellipsis || i.span == *first);
        }
        let span = match items.as_slice() {
            [] => Span::empty(start),
            [first, ..] => first.span.to(items[items.len() - 1].span),
        };
        Term { items, span }
    }

    fn missing_comma(&mut self, span: Span) {
        self.clear = false;
        let found = String::from(&self.text[span.start..span.end]);
        let help = "terms are separated by `,`";
        self.mistakes
            .push(Diagnostic::new(Mistake::MissingComma { found }, span).with_help(help));
    }

    fn empty_parens(&mut self, span: Span) {
        self.clear = false;
        let help = "an operand without axes has an empty term and needs no parentheses";
        self.mistakes
            .push(Diagnostic::new(Mistake::EmptyParens, span).with_help(help));
    }

    fn report_unclosed(&mut self, open: &[Span]) {
        for &span in open {
            let mistake = Mistake::UnclosedParen {
                closed_in_output: false,
            };
            self.mistakes
                .push(Diagnostic::new(mistake, span).with_help("parentheses close before `->`"));
        }
    }

    /// Reads the output term. `unclosed` is the parenthesis that a `)` may close one arrow too late.
    fn read_output(&mut self, tokens: &[Token], start: usize, unclosed: Option<Span>) -> Term {
        let spans = |of: &[Kind]| -> Vec<Span> {
            tokens
                .iter()
                .filter(|t| of.contains(&t.kind))
                .map(|t| t.span)
                .listed()
        };
        if let [first, rest @ ..] = spans(&[Kind::Comma]).as_slice() {
            let help = "einsum has one output term";
            self.mistakes.push(
                Diagnostic::new(Mistake::CommaInOutput, *first)
                    .also(rest.iter().copied())
                    .with_help(help),
            );
        }
        let parens = spans(&[Kind::Open, Kind::Close]);
        match (parens.as_slice(), unclosed) {
            ([close], Some(open)) if !tokens.iter().any(|t| t.kind == Kind::Open) => {
                let mistake = Mistake::UnclosedParen {
                    closed_in_output: true,
                };
                let help = "parentheses group inputs; the output has none";
                self.mistakes.push(
                    Diagnostic::new(mistake, open)
                        .also([*close])
                        .with_help(help),
                );
            }
            ([first, rest @ ..], _) => {
                let found = self.text[first.start..].chars().next().unwrap_or('(');
                let help = "parentheses group inputs; the output has none";
                self.mistakes.push(
                    Diagnostic::new(Mistake::ParensInOutput { found }, *first)
                        .also(rest.iter().copied())
                        .with_help(help),
                );
            }
            ([], _) => {}
        }
        let items = tokens
            .iter()
            .filter(|t| matches!(t.kind, Kind::Label | Kind::Ellipsis))
            .map(|t| Item {
                span: t.span,
                ellipsis: t.kind == Kind::Ellipsis,
            })
            .listed();
        self.term(items, start, true)
    }
}
