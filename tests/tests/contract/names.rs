//! The names in the document and the names at the tests are the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && !chars.as_str().is_empty()
        && chars.all(|c| c.is_ascii_digit())
}

/// The sentences of the document: `- **S1** Text.`
fn document() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contract.md");
    let text = std::fs::read_to_string(path).expect("docs/contract.md");
    let mut sentences = BTreeMap::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("- **")) {
        let (name, sentence) = line.split_once("** ").expect("a name, then a sentence");
        assert!(is_name(name), "{name} is no name");
        assert!(
            sentence.ends_with('.') || sentence.ends_with("`."),
            "{name} is no sentence"
        );
        let twice = sentences.insert(name.to_owned(), sentence.to_owned());
        assert!(twice.is_none(), "{name} stands twice");
    }
    sentences
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Every `/// Contract: S1, S2` that stands above a test, with the place.
fn named_by_tests() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        &mut files,
    );
    let mut names = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a test file");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (i, line) in lines.iter().enumerate() {
            let Some(list) = line.strip_prefix("/// Contract:") else {
                continue;
            };
            let place = format!("{}:{}", file.display(), i + 1);
            let next = lines[i..].iter().find(|l| !l.starts_with("///"));
            assert_eq!(next, Some(&"#[test]"), "{place} stands above no test");
            for name in list.split(',').map(|n| n.trim().trim_end_matches('.')) {
                assert!(is_name(name), "{place}: {name:?} is no name");
                names.insert(name.to_owned(), place.clone());
            }
        }
    }
    names
}

#[test]
fn every_sentence_has_a_test_and_every_name_a_sentence() {
    let document = document();
    let tests = named_by_tests();
    assert!(document.len() >= 80, "only {} sentences", document.len());
    let untested: Vec<_> = document
        .keys()
        .filter(|n| !tests.contains_key(*n))
        .collect();
    assert!(untested.is_empty(), "no test names {untested:?}");
    let unknown: Vec<_> = tests
        .iter()
        .filter(|(n, _)| !document.contains_key(*n))
        .collect();
    assert!(unknown.is_empty(), "no sentence has the names {unknown:?}");
}
