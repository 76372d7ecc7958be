//! One program for each mistake: what the compiler says about it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use cteinsum_ui_tests::{is_pinned, own_lines, programs, run, scratch, write_manifest};

#[test]
fn messages() {
    if is_pinned() {
        trybuild::TestCases::new().compile_fail("ui/*.rs");
    } else {
        our_lines_are_in_the_messages();
    }
}

#[test]
fn every_program_has_a_message_of_ours() {
    let programs = programs();
    assert!(programs.len() >= 40, "{} programs", programs.len());
    for program in programs {
        let stderr =
            fs::read_to_string(program.with_extension("stderr")).expect("what is expected");
        assert!(
            !own_lines(&stderr).is_empty() || ["E0308", "E0271"].iter().any(|e| stderr.contains(e)),
            "{}",
            program.display()
        );
    }
}

/// For any other compiler: all programs in one project, checked in one go.
fn our_lines_are_in_the_messages() {
    let folder = scratch("messages");
    let mut manifest = String::from(
        "[package]\nname = \"messages\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ncteinsum = { path = \"../../../runtime\", default-features = false, features = [\"report\", \"gradient\"] }\n",
    );
    for program in programs() {
        let (name, path) = (stem(&program), program.display());
        manifest.push_str(&format!("\n[[bin]]\nname = \"{name}\"\npath = '{path}'\n"));
    }
    write_manifest(&folder, &manifest);
    let output = run(Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--keep-going",
            "--bins",
            "--message-format=json",
        ])
        .env("CARGO_TARGET_DIR", scratch("target"))
        .current_dir(&folder));
    let mut messages: BTreeMap<String, String> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        if let (Some(name), Some(text)) = (
            line["target"]["name"].as_str(),
            line["message"]["rendered"].as_str(),
        ) {
            messages
                .entry(String::from(name))
                .or_default()
                .push_str(text);
        }
    }
    let mut missing = Vec::new();
    for program in programs() {
        let expected =
            fs::read_to_string(program.with_extension("stderr")).expect("what is expected");
        let found = messages.get(&stem(&program)).map_or("", String::as_str);
        for line in own_lines(&expected) {
            if !found.contains(&line) {
                missing.push(format!(
                    "{}: `{line}` is not in\n{found}",
                    program.display()
                ));
            }
        }
    }
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(missing.is_empty(), "{}\n{log}", missing.join("\n"));
}

fn stem(program: &Path) -> String {
    program
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}
