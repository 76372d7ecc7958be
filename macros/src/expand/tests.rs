//! Expansions as a whole. Those of rejected calls are judged by rustc in `ui-tests`.

mod golden;
mod never_panics;
mod notation;
mod rejected;
mod size;

use super::*;
use proc_macro2::{Delimiter, Group};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Token, punctuated::Punctuated};

/// The expansion of a call whose front forwards `::cteinsum`.
fn expansion(call: &str) -> TokenStream {
    expansion_in(&quote!(::cteinsum), call)
}

/// The expansion of a call whose front forwards this path as `$crate`.
fn expansion_in(krate: &TokenStream, call: &str) -> TokenStream {
    let (mode, arguments) = match call.strip_prefix("try_") {
        Some(rest) => (Mode::Try, rest),
        None => (Mode::Panic, call),
    };
    let arguments = arguments
        .strip_prefix("einsum!(")
        .and_then(|c| c.strip_suffix(')'))
        .expect("a call");
    if arguments.starts_with(';') {
        return expand(
            format!("[{krate}] {arguments}").parse().expect("tokens"),
            mode,
        );
    }
    // As the fronts sort calls: what does not begin with subscripts goes on as it is.
    if !arguments.contains('"') {
        let tokens = format!("[{krate}]; {arguments}");
        return expand(tokens.parse().expect("tokens"), mode);
    }
    // As the front passes them on: each in a group without delimiters.
    let arguments = Punctuated::<syn::Expr, Token![,]>::parse_terminated
        .parse_str(arguments)
        .expect("expressions");
    let groups = arguments
        .iter()
        .map(|a| Group::new(Delimiter::None, a.to_token_stream()));
    expand(quote!([#krate] #(#groups),*), mode)
}

/// What the `compile_error!`s of an expansion say.
fn messages(expansion: TokenStream) -> Vec<String> {
    let mut messages = Vec::new();
    let (mut name, mut last) = (String::new(), String::new());
    for token in expansion {
        if let proc_macro2::TokenTree::Group(group) = &token {
            match group.stream().into_iter().next() {
                Some(proc_macro2::TokenTree::Literal(text))
                    if last == "!" && name == "compile_error" =>
                {
                    let text: syn::LitStr = syn::parse_str(&text.to_string()).expect("a string");
                    messages.push(text.value());
                }
                _ => messages.extend(self::messages(group.stream())),
            }
        }
        name = core::mem::replace(&mut last, token.to_string());
    }
    messages
}
