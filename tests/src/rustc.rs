//! Runs the compiler on a text, to see what the macros refuse.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// An error of the compiler.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// First line of its primary span, counted from 1; 0 without one.
    pub line: usize,
    /// Column of the primary span, in characters from 1.
    pub columns: (usize, usize),
    /// The message.
    pub message: String,
    /// All of it, as the compiler prints it.
    pub rendered: String,
}

/// Checks a text as a library crate that can use `cteinsum` and returns the errors, or panics if the compiler
/// cannot be had.
pub fn errors(source: &str) -> Vec<Refusal> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let deps = deps();
    let name = format!(
        "check-{}-{}.rs",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, source).expect("a temporary file");
    let result = run(&file, &deps, &library(&deps));
    std::fs::remove_file(&file).expect("the temporary file");
    result
}

/// The folder of the compiled dependencies: that of the running test.
fn deps() -> PathBuf {
    let test = std::env::current_exe().expect("the test's path");
    let folder = test.parent().expect("its folder");
    if folder.ends_with("deps") {
        folder.to_owned()
    } else {
        folder.join("deps")
    }
}

/// The newest compiled `cteinsum` against which an empty crate compiles.
fn library(deps: &Path) -> PathBuf {
    let mut found: Vec<_> = std::fs::read_dir(deps)
        .expect("the dependencies")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?;
            let ours = name.starts_with("libcteinsum-") && name.ends_with(".rlib");
            let time = path.metadata().ok()?.modified().ok()?;
            ours.then_some((time, path))
        })
        .collect();
    found.sort();
    found.pop().expect("a compiled cteinsum").1
}

fn run(file: &Path, deps: &Path, library: &Path) -> Vec<Refusal> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata"])
        .args(["--crate-name=check", "--error-format=json", "-o"])
        .arg(file.with_extension("rmeta"))
        .arg("-L")
        .arg(format!("dependency={}", deps.display()))
        .arg("--extern")
        .arg(format!("cteinsum={}", library.display()))
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("the compiler runs");
    let _ = std::fs::remove_file(file.with_extension("rmeta"));
    String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|v| v["level"] == "error")
        .filter(|v| {
            // The count of errors at the end is no error of its own.
            let spans = v["spans"].as_array().is_some_and(|s| !s.is_empty());
            spans || !v["message"].as_str().unwrap_or("").starts_with("aborting")
        })
        .map(|v| {
            let spans = v["spans"].as_array().cloned().unwrap_or_default();
            let span = spans.iter().find(|s| s["is_primary"] == true).cloned();
            let number = |key: &str| {
                span.as_ref()
                    .and_then(|s| s[key].as_u64())
                    .map_or(0, |n| n as usize)
            };
            Refusal {
                line: number("line_start"),
                columns: (number("column_start"), number("column_end")),
                message: v["message"].as_str().unwrap_or("").to_owned(),
                rendered: v["rendered"].as_str().unwrap_or("").to_owned(),
            }
        })
        .collect()
}
