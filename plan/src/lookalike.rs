//! Characters that look like others.

/// Single characters that stand for `->` in running text.
pub(crate) fn is_arrow(c: char) -> bool {
    matches!(
        c,
        '←'..='⇿' | '⟰'..='⟿' | '⤀'..='⥿' | '➔' | '➘'..='➯' | '➱'..='➾' | '⬀'..='⬏' | '⬰'..='⯿' | '￩' | '￫' | '►' | '▶' | '▸' | '❯' | '›' | '»'
    )
}

/// An arrow that points the other way.
pub(crate) fn is_left_arrow(c: char) -> bool {
    matches!(c, '←' | '⇐' | '⟵' | '⟸' | '⬅' | '⇦' | '￩' | '↤' | '⟻' | '⇽')
}

/// Pieces of which people make arrows: hyphens, dashes, greater-than signs and the like.
pub(crate) fn is_arrow_piece(c: char) -> bool {
    is_hyphen(c) || is_greater(c) || matches!(c, '=' | '<' | '~' | '＝' | '＜' | '～')
}

/// A hyphen or dash.
pub(crate) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐'..='―' | '−' | '－' | '﹣' | '﹘')
}

/// A greater-than sign.
pub(crate) fn is_greater(c: char) -> bool {
    matches!(c, '>' | '＞' | '﹥' | '˃' | '〉' | '⟩' | '›')
}

/// Signs that are meant as the comma between terms.
pub(crate) fn is_comma(c: char) -> bool {
    matches!(
        c,
        ';' | '，'
            | '、'
            | '､'
            | '﹐'
            | '﹑'
            | '；'
            | '﹔'
            | '‚'
            | '،'
            | '؛'
            | '⸲'
            | '⸴'
            | '\u{37e}'
    )
}

/// Signs that are read as a product or a separation of two operands.
pub(crate) fn is_separator(c: char) -> bool {
    matches!(
        c,
        '*' | '·'
            | '⋅'
            | '∙'
            | '•'
            | '×'
            | '∘'
            | '⊗'
            | '⊙'
            | '@'
            | ':'
            | '|'
            | '/'
            | '&'
            | '+'
            | '＊'
            | '：'
            | '／'
            | '｜'
            | '＋'
            | '・'
    )
}

/// Signs that are meant as dots.
pub(crate) fn is_dots(c: char) -> bool {
    matches!(
        c,
        '…' | '⋯' | '‥' | '．' | '。' | '︙' | '⋮' | '⋰' | '⋱' | '․' | '｡'
    )
}

/// Brackets of other shapes than the round ASCII ones.
pub(crate) fn is_bracket(c: char) -> bool {
    matches!(
        c,
        '[' | ']' | '{' | '}' | '［' | '］' | '｛' | '｝' | '⟦' | '⟧' | '【' | '】' | '〔' | '〕'
    )
}

/// Round brackets that are not the ASCII ones, and the ASCII one each looks like.
pub(crate) fn round_bracket(c: char) -> Option<char> {
    match c {
        '（' | '❨' | '⁽' | '₍' | '⦅' | '﴾' | '﹙' => Some('('),
        '）' | '❩' | '⁾' | '₎' | '⦆' | '﴿' | '﹚' => Some(')'),
        _ => None,
    }
}

/// Signs that prime a letter.
pub(crate) fn is_prime(c: char) -> bool {
    matches!(
        c,
        '\'' | '’' | '‘' | '′' | '″' | '`' | '´' | '‛' | '"' | '“' | '”'
    )
}

/// Marks that combine with the character before them (the usual blocks of them).
pub(crate) fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// Letters that share one shape get one common letter; a letter that looks like no other is its own.
///
/// Greek, Cyrillic, Armenian, full-width and mathematical letters fall on Latin ones, as far as usual fonts draw them
/// alike; `1`, `l` and `I`, and `0` and `O`, are one shape each.
pub(crate) fn shape(c: char) -> char {
    const LIKE: &[(&str, &str)] = &[
        ("аеорсухіјѕһԁԛԝкѵӏ", "aeopcyxijshdqwkvl"),
        ("АВЕКМНОРСТУХІЈЅҺԚԜ", "ABEKMHOPCTYXIJSHQW"),
        ("οναικρυχγτσωϳ", "ovaikpuxytowj"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "ABEZHIKMNOPTYXCj"),
        ("ոսցհօզ", "nugho q"),
        ("ıȷɑɡℓℎℯℊℴ", "ijaglhego"),
        ("ⅠⅤⅩⅬⅭⅮⅯⅰⅴⅹⅼⅽⅾⅿ", "IVXLCDMivxlcdm"),
    ];
    let c = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xff01 + 0x21).unwrap_or(c),
        // Mathematical alphabets: 13 runs of 52 letters, then digits in runs of 10.
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (c as u32 - 0x1d400) % 52;
            char::from_u32(if at < 26 { 0x41 + at } else { 0x61 + at - 26 }).unwrap_or(c)
        }
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_u32(0x30 + (c as u32 - 0x1d7ce) % 10).unwrap_or(c),
        _ => LIKE
            .iter()
            .find_map(|(from, to)| {
                from.chars()
                    .zip(to.chars())
                    .find(|(f, t)| *f == c && *t != ' ')
                    .map(|(_, t)| t)
            })
            .unwrap_or(c),
    };
    match c {
        '1' | 'I' => 'l',
        '0' => 'O',
        c => c,
    }
}
