//! Decides whether the kernels are compiled to be fast.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CTEINSUM_ALL_KERNELS");
    println!("cargo::rustc-check-cfg=cfg(optimised, x86_vectors)");
    // Without optimisation every vector instruction is a call, slower than a plain loop, a loop that is spelled out for
    // registers is no faster than a short one, and these kernels take two thirds of the time of the build. This
    // project's own tests want them nevertheless.
    let optimised = var("OPT_LEVEL").is_ok_and(|level| level != "0");
    if optimised || var("CTEINSUM_ALL_KERNELS").is_ok_and(|all| all == "1") {
        println!("cargo::rustc-cfg=optimised");
        if var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64") {
            println!("cargo::rustc-cfg=x86_vectors");
        }
    }
}
