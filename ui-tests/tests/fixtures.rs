//! Crates that use the macros in ways that could break them, built and run as real projects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use cteinsum_ui_tests::{here, run, scratch, write_manifest};

/// The fixtures as one cargo workspace in the scratch folder, written once.
fn fixtures() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(write);
    &FOLDER
}

fn write() -> PathBuf {
    let workspace = scratch("fixtures");
    let mut members = Vec::new();
    let mut folders: Vec<PathBuf> = fs::read_dir(here().join("fixtures"))
        .expect("fixtures/ is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.sort();
    for folder in folders {
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let target = workspace.join(&name);
        copy(&folder, &target);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        write_manifest(&target, &manifest);
        members.push(format!("\"{name}\""));
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.dev]\ndebug = false\n",
        members.join(", ")
    );
    write_manifest(&workspace, &manifest);
    workspace
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a scratch folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else if fs::read(entry.path()).ok() != fs::read(&target).ok() {
            // Only what differs, so that cargo has nothing to do the next time.
            fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .arg("--offline")
        .env("CARGO_TARGET_DIR", scratch("target"))
        .env_remove("RUSTFLAGS")
        .env_remove("CTEINSUM_EXPLAIN")
        .current_dir(folder);
    command
}

fn cargo(arguments: &[&str], folder: &Path) -> Result<(), String> {
    let output = run(&mut command(arguments, folder));
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "cargo {}:\n{}\n{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// One test, because cargo locks the target folder anyhow.
#[test]
fn fixtures_compile_and_run() {
    let workspace = fixtures();
    let mut failures = Vec::new();
    failures.extend(cargo(&["build", "--workspace"], workspace).err());
    for name in [
        "renamed",
        "keyword-name",
        "hygiene",
        "edition-2018",
        "no-default-features",
        "thousand-operands",
    ] {
        failures.extend(cargo(&["run", "--quiet", "--package", name], workspace).err());
    }
    if run(Command::new(env!("CARGO")).args(["clippy", "--version"]))
        .status
        .success()
    {
        failures.extend(cargo(&["clippy", "--package", "hygiene"], workspace).err());
    } else {
        println!("clippy is not installed: its lints are not tried");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What the compiler says of `explained`: cargo repeats it where nothing is compiled again.
#[test]
fn plans_are_printed_while_a_program_compiles() {
    let said = |mut command: Command| {
        let output = run(&mut command);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    };
    let text = said(command(&["build", "--package", "explained"], fixtures()));
    let place = "explained/src/main.rs:7:31: einsum ij,jk,kl->il\n";
    assert!(text.contains(place), "{text}");
    assert!(text.contains("= 128 flops: 64 multiply-adds\n"), "{text}");
    assert!(!text.contains("einsum ij,jk->ik"), "{text}");
    // Other artifacts than those of `build`.
    let mut check = command(&["check", "--package", "explained"], fixtures());
    check.env("CTEINSUM_EXPLAIN", "1");
    let text = said(check);
    assert!(text.contains(place), "{text}");
    assert!(text.contains("main.rs:8:25: einsum ij,jk->ik\n"), "{text}");
}

#[test]
fn other_targets_check() {
    let listed = run(Command::new("rustc").args(["--print", "sysroot"]));
    let sysroot = PathBuf::from(String::from_utf8_lossy(&listed.stdout).trim());
    for target in ["wasm32-unknown-unknown", "aarch64-unknown-linux-gnu"] {
        if !sysroot.join("lib/rustlib").join(target).is_dir() {
            println!("target {target} is not installed: not checked");
            continue;
        }
        let workspace = fixtures();
        cargo(
            &[
                "check",
                "--package",
                "no-default-features",
                "--target",
                target,
            ],
            workspace,
        )
        .unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// A program that has neither `std` nor an allocator: it would not link if cteinsum had.
#[test]
fn a_program_without_std_and_alloc_runs() {
    let folder = scratch("no-std");
    copy(&here().join("no-std"), &folder);
    let manifest = fs::read_to_string(here().join("no-std/Cargo.toml")).expect("a manifest");
    write_manifest(&folder, &manifest);
    for profile in ["dev", "release"] {
        let output = run(Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline", "--profile", profile])
            .env("CARGO_TARGET_DIR", scratch("target-no-std"))
            .env("RUSTFLAGS", "--cfg cteinsum_no_std")
            .current_dir(&folder));
        assert!(
            output.status.success(),
            "{:?}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
