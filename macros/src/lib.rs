//! The procedural macros of cteinsum.
#![forbid(unsafe_code)]
