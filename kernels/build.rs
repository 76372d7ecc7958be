//! Decides whether the kernels are compiled to be fast.

use std::env::var;

/// Whether a value is one of those that Cargo lists for the target.
fn has(list: &str, value: &str) -> bool {
    var(list).is_ok_and(|list| list.split(',').any(|one| one == value))
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CTEINSUM_ALL_KERNELS");
    println!("cargo::rustc-check-cfg=cfg(optimised, x86_vectors, neon_vectors)");
    // Without optimisation every vector instruction is a call, slower than a plain loop, a loop that is spelled out for
    // registers is no faster than a short one, and these kernels take two thirds of the time of the build. This
    // project's own tests want them nevertheless.
    let optimised = var("OPT_LEVEL").is_ok_and(|level| level != "0");
    if optimised || var("CTEINSUM_ALL_KERNELS").is_ok_and(|all| all == "1") {
        println!("cargo::rustc-cfg=optimised");
        match var("CARGO_CFG_TARGET_ARCH").as_deref() {
            Ok("x86_64") => println!("cargo::rustc-cfg=x86_vectors"),
            // Part of the architecture: nothing to find out at run time. The order of lanes in memory is taken for granted.
            Ok("aarch64")
                if has("CARGO_CFG_TARGET_FEATURE", "neon")
                    && has("CARGO_CFG_TARGET_ENDIAN", "little") =>
            {
                println!("cargo::rustc-cfg=neon_vectors");
            }
            _ => {}
        }
    }
}
