//! The examples of the README compile and run.
#![allow(unused_variables, missing_docs)]

include!(concat!(env!("OUT_DIR"), "/readme.rs"));
