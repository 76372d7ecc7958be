//! Numbers as `concat!` prints them.

/// The text that `concat!` makes of a number: integers in base ten, floats as written, neither with a suffix.
pub(super) fn value(token: &str) -> Option<String> {
    let plain = token.replace('_', "");
    let (radix, digits) = match plain.as_bytes() {
        [b'0', b'x', ..] => (16, &plain[2..]),
        [b'0', b'o', ..] => (8, &plain[2..]),
        [b'0', b'b', ..] => (2, &plain[2..]),
        [b'0'..=b'9', ..] => (10, &plain[..]),
        _ => return None,
    };
    let is_float = radix == 10
        && (digits.contains(['.', 'e', 'E']) || digits.ends_with("f32") || digits.ends_with("f64"));
    if is_float {
        return Some(String::from(
            digits.trim_end_matches("f32").trim_end_matches("f64"),
        ));
    }
    let end = digits.find(['i', 'u']).unwrap_or(digits.len());
    u128::from_str_radix(&digits[..end], radix)
        .ok()
        .map(|n| n.to_string())
}
