//! Small helpers over token streams.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// The tokens of one argument, invisible groups around the whole of it removed.
///
/// A fragment that `macro_rules!` has parsed arrives in a group without delimiters, whose own span is the whole
/// macro call; a macro of the user's may have added more of them.
pub(crate) fn unwrap(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match <[TokenTree; 1]>::try_from(tokens) {
        Ok([TokenTree::Group(group)]) if group.delimiter() == Delimiter::None => {
            unwrap(group.stream().into_iter().collect())
        }
        Ok([token]) => vec![token],
        Err(tokens) => tokens,
    }
}

/// All tokens with the groups without delimiters spliced in place, at every depth.
pub(crate) fn flatten(tokens: impl IntoIterator<Item = TokenTree>) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flat.extend(flatten(group.stream()));
            }
            TokenTree::Group(group) => {
                let inner = flatten(group.stream()).into_iter().collect();
                let mut visible = Group::new(group.delimiter(), inner);
                visible.set_span(group.span());
                flat.push(TokenTree::Group(visible));
            }
            token => flat.push(token),
        }
    }
    flat
}

/// Splits at the commas outside of all groups and of `<…>` with types. One trailing comma ends the last piece.
pub(crate) fn split_commas(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        // Behind an operand `<` compares; elsewhere it opens `<T as Trait>::f` or the rest of `f::<T>`.
        let opens = match tokens[start..at].last() {
            Some(TokenTree::Punct(sign)) => !matches!(sign.as_char(), '?' | '<'),
            before => before.is_none(),
        };
        if is_punct(&tokens[at], ',') {
            pieces.push(tokens[start..at].to_vec());
            start = at + 1;
        } else if opens && is_punct(&tokens[at], '<') {
            at = angles(&tokens, at);
            continue;
        }
        at += 1;
    }
    if start < tokens.len() {
        pieces.push(tokens[start..].to_vec());
    }
    pieces
}

/// The place behind the `>` that closes the `<` here; all tokens if none does.
pub(crate) fn angles(tokens: &[TokenTree], open: usize) -> usize {
    let mut depth = 0;
    for at in open..tokens.len() {
        // The `>` of `->` closes nothing.
        let arrow = at > 0 && is_punct(&tokens[at - 1], '-');
        if is_punct(&tokens[at], '<') {
            depth += 1;
        } else if is_punct(&tokens[at], '>') && !arrow {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

pub(crate) fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

pub(crate) fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(i) if i == name)
}

/// Where an argument stands: all of it where the compiler can join spans, else its first token.
pub(crate) fn span_of(tokens: &[TokenTree]) -> Span {
    let Some(first) = tokens.first() else {
        return Span::call_site();
    };
    let start = leaf(first, false);
    let end = leaf(tokens.last().unwrap_or(first), true);
    start.join(end).unwrap_or(start)
}

/// The span of a token, or of the first or last visible one in a group without delimiters.
fn leaf(token: &TokenTree, last: bool) -> Span {
    if let TokenTree::Group(group) = token
        && group.delimiter() == Delimiter::None
    {
        let mut inner = group.stream().into_iter();
        let inner = if last { inner.last() } else { inner.next() };
        if let Some(inner) = inner {
            return leaf(&inner, last);
        }
    }
    token.span()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn hide(inner: TokenStream) -> TokenTree {
        TokenTree::Group(Group::new(Delimiter::None, inner))
    }

    #[test]
    fn pieces() {
        let count = |s: &str| split_commas(s.parse().unwrap()).len();
        assert_eq!(count(""), 0);
        assert_eq!(count("a"), 1);
        assert_eq!(count("a,"), 1);
        assert_eq!(count("a, f(b, c), [d, e]"), 3);
        assert_eq!(count("a,,b"), 3);
        assert_eq!(count(","), 1);
    }

    #[test]
    fn invisible_groups_vanish() {
        let inner = hide(quote!(x + 1));
        let unwrapped = unwrap(vec![hide(TokenStream::from(inner.clone()))]);
        assert_eq!(unwrapped.len(), 3);
        let inner = TokenStream::from(inner);
        let flat: TokenStream = flatten(quote!([#inner, (#inner)])).into_iter().collect();
        assert_eq!(flat.to_string(), quote!([x + 1, (x + 1)]).to_string());
    }
}
