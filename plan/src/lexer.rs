//! Tokens, and the first kind of mistake: what is no token.

use alloc::{string::String, vec::Vec};

use crate::{
    diagnostic::{Diagnostic, Mistake},
    lookalike::{
        is_arrow, is_arrow_piece, is_bracket, is_combining, is_comma, is_dots, is_greater,
        is_hyphen, is_left_arrow, is_prime, is_separator, round_bracket,
    },
    picture::shown,
    spec::Span,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Label,
    Ellipsis,
    Comma,
    Open,
    Close,
    Arrow,
    /// A mistake that was meant as `->`; not `sure` if it may have been something else, or points to the left.
    BadArrow {
        sure: bool,
    },
    /// A mistake that was meant as `,`.
    BadComma,
    /// A mistake that may have meant anything.
    Junk,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    pub(crate) tokens: Vec<Token>,
    pub(crate) mistakes: Vec<Diagnostic>,
    brackets: Vec<Span>,
    after_arrow: bool,
}

/// Splits the text into tokens; what is none becomes a mistake and a token that says what it was taken for.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        text,
        at: 0,
        tokens: Vec::new(),
        mistakes: Vec::new(),
        brackets: Vec::new(),
        after_arrow: false,
    };
    while let Some(c) = lexer.peek() {
        lexer.token(c);
    }
    // Brackets are one habit, however many there are.
    if let [first, rest @ ..] = lexer.brackets.as_slice() {
        let found = String::from(&text[first.start..first.end]);
        let mistake = Mistake::BadCharacter {
            found,
            output: false,
        };
        let help = "a term is its labels alone; only `(` and `)` group terms";
        lexer.mistakes.push(
            Diagnostic::new(mistake, *first)
                .also(rest.iter().copied())
                .with_help(help),
        );
    }
    (lexer.tokens, lexer.mistakes)
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The longest run of characters from here that satisfy `of`.
    fn run(&self, from: usize, of: impl Fn(char) -> bool) -> Span {
        let rest = &self.text[from..];
        Span::new(from, from + rest.find(|c| !of(c)).unwrap_or(rest.len()))
    }

    fn found(&self, span: Span) -> String {
        String::from(&self.text[span.start..span.end])
    }

    fn push(&mut self, kind: Kind, span: Span) {
        self.after_arrow |= matches!(kind, Kind::Arrow | Kind::BadArrow { .. });
        self.tokens.push(Token { kind, span });
        self.at = span.end;
    }

    fn wrong(&mut self, kind: Kind, span: Span, mistake: Mistake, help: Option<String>) {
        self.mistakes
            .push(Diagnostic::new(mistake, span).with(help));
        self.push(kind, span);
    }

    fn token(&mut self, c: char) {
        let one = Span::new(self.at, self.at + c.len_utf8());
        match c {
            ',' => self.push(Kind::Comma, one),
            '(' => self.push(Kind::Open, one),
            ')' => self.push(Kind::Close, one),
            '.' => self.dots(),
            _ if c.is_whitespace() => self.at = one.end,
            _ if c.is_alphanumeric() => self.push(Kind::Label, one),
            _ if is_arrow_piece(c) => self.arrow(),
            _ if is_arrow(c) => self.bad_arrow(one, is_left_arrow(c)),
            _ if is_bracket(c) => {
                self.brackets.push(one);
                self.push(Kind::Junk, one);
            }
            _ => self.bad(c, one),
        }
    }

    /// `...`, or dots that are not.
    fn dots(&mut self) {
        let whole = |run: Span| (run.end - run.start).is_multiple_of(3);
        let first = self.run(self.at, |c| c == '.');
        if whole(first) {
            // Several in a row are a mistake of another kind, which the term sees.
            for start in (first.start..first.end).step_by(3) {
                self.push(Kind::Ellipsis, Span::new(start, start + 3));
            }
            return;
        }
        // Dots with nothing but white space between them are one mistake.
        let mut lone = alloc::vec![first];
        loop {
            let end = lone[lone.len() - 1].end;
            let next = self.run(self.run(end, char::is_whitespace).end, |c| c == '.');
            if next.start == next.end || whole(next) {
                break;
            }
            lone.push(next);
        }
        let span = lone[0].to(lone[lone.len() - 1]);
        let dots: usize = lone.iter().map(|run| run.end - run.start).sum();
        let help = match (dots, lone.len()) {
            (3, 2..) => "`...` is one token, without white space inside",
            (1, _) => "terms are separated by `,`; `...` stands for any number of axes",
            _ => "`...` stands for any number of axes",
        };
        let found = self.found(span);
        self.wrong(
            Kind::Junk,
            span,
            Mistake::LoneDots { found },
            Some(help.into()),
        );
    }

    /// `->`, or what is made of similar signs.
    fn arrow(&mut self) {
        let run = self.run(self.at, is_arrow_piece);
        let found = &self.text[run.start..run.end];
        if found.len().is_multiple_of(2) && found.as_bytes().chunks(2).all(|pair| pair == b"->") {
            for start in (run.start..run.end).step_by(2) {
                self.push(Kind::Arrow, Span::new(start, start + 2));
            }
            return;
        }
        let signed = self.text[run.end..]
            .chars()
            .next()
            .is_some_and(char::is_numeric);
        if signed
            && found
                .strip_prefix("->")
                .is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_hyphen))
        {
            return self.push(Kind::Arrow, Span::new(run.start, run.start + 2));
        }
        if signed && found.chars().all(is_hyphen) {
            let help = "a label is one letter or digit and has no sign";
            return self.bad_character(Kind::Junk, run, Some(help.into()));
        }
        if !found
            .chars()
            .any(|c| is_hyphen(c) || is_greater(c) || c == '<')
        {
            return self.bad_character(
                Kind::Junk,
                run,
                Some("`->` stands before the output".into()),
            );
        }
        // `- >`: the two halves of an arrow, apart.
        let second = self.run(self.run(run.end, char::is_whitespace).end, is_greater);
        if found.chars().all(is_hyphen) && second.start < second.end {
            let whole = run.to(second);
            let help = "`->` is one token, without white space inside";
            let found = self.found(whole);
            return self.wrong(
                Kind::BadArrow { sure: true },
                whole,
                Mistake::BadArrow { found },
                Some(help.into()),
            );
        }
        let back = found.contains('<') && !found.chars().any(is_greater);
        self.bad_arrow(run, back);
    }

    fn bad_arrow(&mut self, span: Span, back: bool) {
        let help = if back {
            "the output comes last: `inputs->output`"
        } else {
            "did you mean `->`?"
        };
        let found = self.found(span);
        let sure = !back && !found.chars().all(is_hyphen);
        self.wrong(
            Kind::BadArrow { sure },
            span,
            Mistake::BadArrow { found },
            Some(help.into()),
        );
    }

    fn bad_character(&mut self, kind: Kind, span: Span, help: Option<String>) {
        let mistake = Mistake::BadCharacter {
            found: self.found(span),
            output: self.after_arrow,
        };
        self.wrong(kind, span, mistake, help);
    }

    fn bad(&mut self, c: char, one: Span) {
        let run = self.run(self.at, |next| next == c);
        if let Some(round) = round_bracket(c) {
            let kind = if round == '(' {
                Kind::Open
            } else {
                Kind::Close
            };
            return self.bad_character(kind, one, Some(alloc::format!("did you mean `{round}`?")));
        }
        if is_comma(c) {
            return self.bad_character(Kind::BadComma, one, Some("did you mean `,`?".into()));
        }
        if is_dots(c) {
            let found = self.found(run);
            return self.wrong(
                Kind::Junk,
                run,
                Mistake::LoneDots { found },
                Some("did you mean `...`?".into()),
            );
        }
        let help = if is_separator(c) && !self.after_arrow {
            "terms are separated by `,`"
        } else if is_prime(c) {
            "a label is one letter or digit, without primes and quotes"
        } else if is_combining(c) {
            "a combining mark: a label is one character"
        } else if c.is_control() {
            "a control character: remove it"
        } else if shown(c).len() > c.len_utf8() {
            // Shown as an escape, so neither seen nor typed on purpose.
            "an invisible character: remove it"
        } else {
            "a label is one letter or digit"
        };
        self.bad_character(Kind::Junk, run, Some(help.into()));
    }
}
