//! Tests of what a user sees while compiling: messages, expansions in strange surroundings, other targets.
//!
//! - `ui/`: one program for each mistake, with what the pinned compiler prints;
//! - `fixtures/`: crates that use the macros in ways that could break them, compiled as real projects.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The compiler whose messages `ui/*.stderr` hold, byte for byte.
pub const PINNED: &str = "1.95.0";

/// Whether the compiler of these tests is the pinned one.
pub fn is_pinned() -> bool {
    let output = run(Command::new("rustc").arg("--version"));
    String::from_utf8_lossy(&output.stdout).starts_with(&format!("rustc {PINNED} "))
}

/// Runs a command to its end.
///
/// # Panics
/// If it cannot be started.
pub fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?} does not start: {e}"))
}

/// The folder of this crate.
pub fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    here()
        .parent()
        .expect("a workspace around this crate")
        .to_path_buf()
}

/// A folder for generated projects, under the target folder of the workspace.
pub fn scratch(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), PathBuf::from);
    target.join("ui-tests").join(name)
}

/// The programs of `ui/`, sorted.
///
/// # Panics
/// If the folder cannot be read.
pub fn programs() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(here().join("ui")).expect("ui/ is there");
    let mut files: Vec<PathBuf> = folder
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rs"));
    files.sort();
    files
}

/// Our own lines of a compiler's messages: those of each error up to the place it points at.
///
/// Errors whose words are rustc's own (types that differ, unknown methods) are left out: those words change.
pub fn own_lines(stderr: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut ours = false;
    for line in stderr.lines() {
        let text = line.trim();
        if let Some(message) = text
            .strip_prefix("error: ")
            .or_else(|| text.strip_prefix("error[E0277]: "))
        {
            ours = true;
            lines.push(String::from(message));
        } else if text.is_empty() || text.starts_with("--> ") {
            ours = false;
        } else if ours {
            lines.push(String::from(text));
        }
    }
    lines
}

/// Makes a cargo project in the scratch folder that depends on cteinsum, with the workspace's lock file.
///
/// # Panics
/// If a file cannot be written.
pub fn write_manifest(folder: &Path, manifest: &str) {
    std::fs::create_dir_all(folder).expect("a scratch folder");
    let runtime = workspace().join("runtime");
    let manifest = manifest.replace(
        "../../../runtime",
        &runtime.display().to_string().replace('\\', "/"),
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_lines_are_found() {
        let stderr = "error: no label\n         ij->k\n             ^ did you mean `j`?\n --> ui/x.rs:1:1\n  |\n1 |     x\n\n\
                      error[E0277]: einsum: rank\n --> ui/x.rs:2:1\n\nerror[E0308]: mismatched types\n --> ui/x.rs:3:1\n";
        assert_eq!(
            own_lines(stderr),
            ["no label", "ij->k", "^ did you mean `j`?", "einsum: rank"]
        );
    }
}
