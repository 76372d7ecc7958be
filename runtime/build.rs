//! Decides whether the kernels are compiled for the vector instructions of x86 as well.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CTEINSUM_ALL_KERNELS");
    println!("cargo::rustc-check-cfg=cfg(x86_vectors)");
    // Without optimisation every vector instruction is a call, slower than a plain loop, and the kernels of three
    // instruction sets take a quarter of the time of the build. This project's own tests want them nevertheless.
    let optimised = var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let wanted = optimised || var("CTEINSUM_ALL_KERNELS").is_ok();
    if wanted && var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64") {
        println!("cargo::rustc-cfg=x86_vectors");
    }
}
