//! The value of a literal, and where in the token each byte of it stands.

use super::number;

/// A decoded literal.
#[derive(Debug, PartialEq)]
pub(super) struct Decoded {
    pub(super) value: String,
    /// See [`Piece`](super::Piece).
    pub(super) offsets: Vec<usize>,
}

impl Decoded {
    /// Decodes the text of a literal token: a string, or what else a `concat!` takes.
    pub(super) fn new(token: &str, in_concat: bool) -> Result<Decoded, String> {
        if token.starts_with('"') {
            return quoted(token, 0, '"');
        }
        if token.starts_with("r\"") || token.starts_with("r#") {
            return raw(token);
        }
        if in_concat && token.starts_with('\'') {
            return quoted(token, 0, '\'');
        }
        if in_concat && let Some(value) = number::value(token) {
            let exact = token.starts_with(&value);
            let offsets = if exact {
                (0..=value.len()).collect()
            } else {
                Vec::new()
            };
            return Ok(Decoded { value, offsets });
        }
        Err(refused(token))
    }

    fn push(&mut self, c: char, at: usize) {
        // All bytes of a character share the start of its source: a span never cuts through one.
        self.offsets.extend(core::iter::repeat_n(at, c.len_utf8()));
        self.value.push(c);
    }
}

fn refused(token: &str) -> String {
    let kind = match token.as_bytes() {
        [b'b', b'\'', ..] => "a byte",
        [b'b', b'"', ..] | [b'b', b'r', ..] => "a byte string",
        [b'c', ..] => "a C string",
        [b'\'', ..] => "a character",
        _ => "a number",
    };
    format!("expected the subscripts as a string literal, found {kind}")
}

/// A string or character with escapes.
fn quoted(token: &str, open: usize, quote: char) -> Result<Decoded, String> {
    let mut decoded = Decoded {
        value: String::new(),
        offsets: Vec::new(),
    };
    let mut chars = token.char_indices().skip(open + 1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            decoded.offsets.push(at);
            return no_suffix(decoded, &token[at + quote.len_utf8()..]);
        }
        if c != '\\' {
            decoded.push(c, at);
            continue;
        }
        let (_, kind) = chars.next().ok_or("unfinished escape")?;
        let c = match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\\' | '\'' | '"' => kind,
            'x' => {
                let hex: String = chars.by_ref().take(2).map(|(_, c)| c).collect();
                u8::from_str_radix(&hex, 16)
                    .map_err(|e| e.to_string())?
                    .into()
            }
            'u' => {
                let digits = chars
                    .by_ref()
                    .map(|(_, c)| c)
                    .skip(1)
                    .take_while(|c| *c != '}');
                let hex: String = digits.filter(|c| *c != '_').collect();
                u32::from_str_radix(&hex, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .ok_or("invalid escape")?
            }
            '\n' => {
                // A line continued: the white space that starts the next line is no part of the value.
                while chars
                    .next_if(|(_, c)| matches!(c, ' ' | '\t' | '\n' | '\r'))
                    .is_some()
                {}
                continue;
            }
            _ => return Err(format!("unknown escape `\\{kind}`")),
        };
        decoded.push(c, at);
    }
    Err(String::from("unfinished literal"))
}

fn raw(token: &str) -> Result<Decoded, String> {
    let hashes = token[1..].bytes().take_while(|b| *b == b'#').count();
    let start = 1 + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    let length = token[start..].find(&close).ok_or("unfinished literal")?;
    let mut decoded = Decoded {
        value: String::new(),
        offsets: Vec::new(),
    };
    for (at, c) in token[start..start + length].char_indices() {
        decoded.push(c, start + at);
    }
    decoded.offsets.push(start + length);
    no_suffix(decoded, &token[start + length + close.len()..])
}

fn no_suffix(decoded: Decoded, suffix: &str) -> Result<Decoded, String> {
    if suffix.is_empty() {
        Ok(decoded)
    } else {
        Err(format!(
            "a string literal takes no suffix, found `{suffix}`"
        ))
    }
}
