//! The procedural macros of cteinsum.
//!
//! Use them through the crate `cteinsum`, whose `einsum!` and `try_einsum!` forward to these with their own path.
//!
//! A call passes through [`call`](mod@call) (tokens to operands and options; [`notation`] reads equations), [`check`] (subscripts to labels),
//! [`plan`] (labels to a contraction tree) and [`emit`] (all of it to tokens, with [`constant`], [`bind`] and [`axes`]); [`expand`] joins them.
#![forbid(unsafe_code)]
#![allow(rustdoc::private_intra_doc_links)] // the index of modules is for readers of the source

mod axes;
mod bind;
mod call;
mod check;
mod choice;
mod constant;
#[cfg(feature = "gradient")]
mod derivative;
mod emit;
mod errors;
mod expand;
mod explain;
mod factor;
mod literal;
mod notation;
mod options;
mod plan;
mod tokens;

use emit::Mode;
use proc_macro::TokenStream;

/// What `cteinsum::einsum!` forwards to: `[$crate] "…", operand, …, name = value, …`, or `[$crate]; …` for all else.
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    expand::expand(input.into(), Mode::Panic).into()
}

/// What `cteinsum::try_einsum!` forwards to; see [`einsum!`](macro@einsum).
#[proc_macro]
pub fn try_einsum(input: TokenStream) -> TokenStream {
    expand::expand(input.into(), Mode::Try).into()
}

/// What `cteinsum::einsum_plan!` forwards to: `[$crate] "…", name = value, …`.
#[cfg(feature = "report")]
#[proc_macro]
pub fn einsum_plan(input: TokenStream) -> TokenStream {
    expand::expand_plan(input.into()).into()
}

/// What `cteinsum::einsum_vjp!` forwards to; see [`einsum!`](macro@einsum).
#[cfg(feature = "gradient")]
#[proc_macro]
pub fn einsum_vjp(input: TokenStream) -> TokenStream {
    derivative::vjp(input.into(), Mode::Panic).into()
}

/// What `cteinsum::try_einsum_vjp!` forwards to; see [`einsum!`](macro@einsum).
#[cfg(feature = "gradient")]
#[proc_macro]
pub fn try_einsum_vjp(input: TokenStream) -> TokenStream {
    derivative::vjp(input.into(), Mode::Try).into()
}

/// What `cteinsum::einsum_jvp!` forwards to; see [`einsum!`](macro@einsum).
#[cfg(feature = "gradient")]
#[proc_macro]
pub fn einsum_jvp(input: TokenStream) -> TokenStream {
    derivative::jvp(input.into(), Mode::Panic).into()
}

/// What `cteinsum::try_einsum_jvp!` forwards to; see [`einsum!`](macro@einsum).
#[cfg(feature = "gradient")]
#[proc_macro]
pub fn try_einsum_jvp(input: TokenStream) -> TokenStream {
    derivative::jvp(input.into(), Mode::Try).into()
}
