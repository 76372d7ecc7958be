//! Subscripts, networks, costs, orders and contraction trees.
#![no_std]
#![forbid(unsafe_code)]
