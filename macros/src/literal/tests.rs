use super::*;
use proc_macro2::TokenStream;

fn read_text(source: &str) -> Result<SpecText, Vec<String>> {
    let tokens: TokenStream = source.parse().unwrap();
    let mut errors = Errors::default();
    match read(tokens.into_iter().collect(), &mut errors) {
        Some(text) => {
            assert!(errors.is_empty());
            Ok(text)
        }
        None => Err(errors.messages().iter().map(|m| String::from(*m)).collect()),
    }
}

fn value(source: &str) -> String {
    read_text(source).unwrap().value
}

fn first_error(source: &str) -> String {
    read_text(source).unwrap_err().remove(0)
}

#[test]
fn strings() {
    assert_eq!(value(r#""ij,jk->ik""#), "ij,jk->ik");
    assert_eq!(value(r###"r"ij""###), "ij");
    assert_eq!(value(r####"r##"i"#j"##"####), "i\"#j");
    assert_eq!(value(r#""""#), "");
    assert_eq!(
        value(r#""\u{3b1}\x69\n\t\\\"\'\0\u{00_03_b2}""#),
        "αi\n\t\\\"'\0β"
    );
    assert_eq!(value("\"ij,\\\n      jk\""), "ij,jk");
}

#[test]
fn concatenations() {
    assert_eq!(
        value(r#"concat!("ij", ",jk", "->", 'i', "k",)"#),
        "ij,jk->ik"
    );
    assert_eq!(value(r#"::core::concat!("i", concat!["j", r"k"])"#), "ijk");
    assert_eq!(
        value(r#"std::concat!(1, 0x1_0u8, 007, true, -3, 1_0.5f32)"#),
        "1167true-310.5"
    );
    assert_eq!(value("concat!()"), "");
    // What rustc makes of it, so that the two cannot drift apart.
    assert_eq!(
        value(r#"concat!(0b101, 0o17, 1_000u64, 2.50, 'α')"#),
        concat!(0b101, 0o17, 1_000u64, 2.50, 'α')
    );
}

#[test]
fn refusals() {
    assert!(first_error("SPEC").contains("found `SPEC`"));
    assert!(first_error("SPEC").contains("`Einsum::parse`"));
    assert!(first_error("format!(\"ij\")").contains("found `format!`"));
    assert!(first_error("&s").contains("found a reference"));
    assert!(first_error("specs::A").contains("found `specs::A`"));
    assert!(first_error("spec()").contains("found an expression"));
    assert!(first_error("b\"ij\"").contains("found a byte string"));
    assert!(first_error("br\"ij\"").contains("found a byte string"));
    assert!(first_error("c\"ij\"").contains("found a C string"));
    assert!(first_error("b'i'").contains("found a byte"));
    assert!(first_error("'i'").contains("found a character"));
    assert!(first_error("3").contains("found a number"));
    assert!(first_error("concat!(\"i\", J)").contains("expected a literal in `concat!`"));
    assert!(first_error("concat!(\"i\", b\"j\")").contains("found a byte string"));
    assert!(first_error("\"ij\"foo").contains("no suffix"));
    assert_eq!(
        read_text("concat!(A, \"i\", B)").unwrap_err().len(),
        2,
        "every mistake"
    );
}

/// The source that some bytes of the value came from, by the map alone.
fn source(text: &str, bytes: Range<usize>) -> String {
    let decoded = Decoded::new(text, false).unwrap();
    String::from(&text[decoded.offsets[bytes.start]..decoded.offsets[bytes.end]])
}

#[test]
fn bytes_map_to_the_token() {
    assert_eq!(source(r#""ij,jk""#, 0..2), "ij");
    assert_eq!(source(r#""ij,jk""#, 3..5), "jk");
    assert_eq!(source(r##"r#"ij,jk"#"##, 3..5), "jk");
    assert_eq!(source(r#""i\u{3b1}k""#, 1..3), r"\u{3b1}");
    assert_eq!(source(r#""i\u{3b1}k""#, 3..4), "k");
    assert_eq!(source(r#""\x69j""#, 0..1), r"\x69");
    assert_eq!(source(r#""ξα->α""#, 2..4), "α");
    assert_eq!(source("\"i,\\\n   j\"", 2..3), "j");
}
