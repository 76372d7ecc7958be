//! The subscripts on one line, with carets under the places in question.

use crate::lists::Listed;
use alloc::{format, string::String, vec::Vec};

use crate::{spec::Span, width::columns};

/// Columns kept around each span of a text that is too long for one line.
const CONTEXT: usize = 30;
/// Columns up to which a text is shown whole.
const LINE: usize = 120;
const INDENT: &str = "    ";

/// One character as it is shown.
struct Cell {
    start: usize,
    text: String,
    columns: usize,
}

/// The subscripts on one line and `^^^` under the spans, `note` behind the last caret; two lines, indented by four, or
/// one if there is nothing to point at.
///
/// White space other than the blank, control characters, invisible ones and combining marks are shown as escapes, so
/// that each has its own columns; wide characters count two. Of a long text only the surroundings of the spans are
/// shown. Spans that are no character boundaries of `text` are widened to whole characters.
pub fn picture(text: &str, spans: &[Span], note: &str) -> String {
    let mut cells: Vec<Cell> = text
        .char_indices()
        .map(|(start, c)| Cell {
            start,
            text: shown(c),
            columns: 0,
        })
        .listed();
    // The place after the last character can be pointed at, too.
    cells.push(Cell {
        start: text.len(),
        text: String::new(),
        columns: 0,
    });
    for cell in &mut cells {
        cell.columns = cell.text.chars().map(columns).sum();
    }
    let mut marked = alloc::vec![false; cells.len()];
    for span in spans {
        // The character that holds the first byte, up to the one that holds the last; at least one.
        let first = cells.partition_point(|cell| cell.start <= span.start.min(text.len())) - 1;
        let last = cells
            .partition_point(|cell| cell.start < span.end.min(text.len()))
            .max(first + 1);
        marked[first..last].fill(true);
    }
    let visible = window(&cells, &marked);
    let (mut line, mut carets) = (String::from(INDENT), String::from(INDENT));
    let mut gap = false;
    for ((cell, &marked), visible) in cells.iter().zip(&marked).zip(visible) {
        if !visible {
            gap = true;
            continue;
        }
        if core::mem::take(&mut gap) {
            line.push('…');
            carets.push(' ');
        }
        line.push_str(&cell.text);
        let mark = if marked { "^" } else { " " };
        let width = if marked {
            cell.columns.max(1)
        } else {
            cell.columns
        };
        carets.push_str(&mark.repeat(width));
    }
    if gap {
        line.push('…');
    }
    let carets = carets.trim_end();
    let line = line.trim_end_matches(' ');
    if carets.is_empty() && note.is_empty() {
        return line.into();
    }
    let space = if note.is_empty() { "" } else { " " };
    format!("{line}\n{carets}{space}{note}")
}

/// Which cells are shown: all of a short text, else those near a mark.
fn window(cells: &[Cell], marked: &[bool]) -> Vec<bool> {
    let mut ends = Vec::with_capacity(cells.len());
    let mut total = 0;
    for cell in cells {
        total += cell.columns;
        ends.push(total);
    }
    if total <= LINE {
        return alloc::vec![true; cells.len()];
    }
    let mut visible = alloc::vec![false; cells.len()];
    let mut reach = None;
    for at in 0..cells.len() {
        if marked[at] {
            reach = Some(ends[at] + CONTEXT);
        }
        visible[at] = reach.is_some_and(|r| ends[at] <= r);
    }
    let mut reach = None;
    for at in (0..cells.len()).rev() {
        if marked[at] {
            reach = Some(ends[at].saturating_sub(CONTEXT + cells[at].columns));
        }
        visible[at] |= reach.is_some_and(|r| ends[at] >= r);
    }
    if !marked.contains(&true) {
        for (visible, end) in visible.iter_mut().zip(ends) {
            *visible = end <= 2 * CONTEXT;
        }
    }
    visible
}

/// A character as it is shown: itself, or an escape if it would be invisible or combine with its neighbour.
pub(crate) fn shown(c: char) -> String {
    // Jamo vowels and finals join the syllable before them; the fillers are blank.
    let joins = matches!(c, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7ff}' | '\u{115f}' | '\u{3164}' | '\u{ffa0}');
    match c {
        '\'' | '"' | '\\' => String::from(c),
        _ if joins || (c.is_whitespace() && c != ' ') => {
            if matches!(c, '\t' | '\n' | '\r') {
                c.escape_default().collect()
            } else {
                c.escape_unicode().collect()
            }
        }
        _ => c.escape_debug().collect(),
    }
}

/// A short piece of the text in backticks; a lone character that is not ASCII with its code point.
pub(crate) fn quoted(found: &str) -> String {
    let inside: String = found.chars().map(shown).collect();
    let mut chars = found.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if !c.is_ascii() && !c.is_alphanumeric() && inside.chars().eq([c]) => {
            format!("`{inside}` (U+{:04X})", c as u32)
        }
        _ => format!("`{inside}`"),
    }
}
