//! A plan in the languages of graph drawing programs.

use alloc::{format, string::String};
use core::fmt::Write;

use super::{PlanReport, layout::Picture, words::number};

impl PlanReport {
    /// The tree in the language of Graphviz: edges as thick as the logarithm of a tensor's size, steps coloured by what
    /// they cost.
    pub fn to_dot(&self) -> String {
        let picture = Picture::new(self);
        let mut dot = String::from(
            "digraph einsum {\n  rankdir = LR;\n  node [shape = box, style = \"rounded,filled\", \
             fillcolor = \"white\", fontname = \"Helvetica\"];\n  edge [arrowhead = none, color = \"#8a93a0\"];\n",
        );
        for node in &picture.nodes {
            let (id, term) = (node.id, escaped(&node.term));
            let _ = match &node.step {
                None => writeln!(
                    dot,
                    "  t{id} [label = \"{id}: {term}\", color = \"#c4cad2\"];"
                ),
                Some(step) => writeln!(
                    dot,
                    "  t{id} [label = \"{id}: {term}\\n{}\", fillcolor = \"{}\", fontcolor = \"{}\", tooltip = \"{} \
                     multiply-adds\"];",
                    step.kind,
                    step.fill(),
                    step.ink(),
                    number(step.multiply_adds)
                ),
            };
        }
        for node in &picture.nodes {
            if let Some(parent) = node.parent {
                let _ = writeln!(
                    dot,
                    "  t{} -> t{parent} [penwidth = {:.1}];",
                    node.id, node.width
                );
            }
        }
        dot.push_str("}\n");
        dot
    }

    /// The tree as a Mermaid flowchart, for Markdown.
    pub fn to_mermaid(&self) -> String {
        let picture = Picture::new(self);
        let mut text = String::from("flowchart LR\n");
        for node in &picture.nodes {
            let (id, term) = (node.id, escaped(&node.term));
            let _ = match &node.step {
                None => writeln!(text, "  t{id}[\"{id}: {term}\"]"),
                Some(step) => writeln!(text, "  t{id}([\"{id}: {term}<br>{}\"])", step.kind),
            };
        }
        let mut widths = String::new();
        let mut edge = 0;
        for node in &picture.nodes {
            if let Some(parent) = node.parent {
                let _ = writeln!(text, "  t{} --- t{parent}", node.id);
                let _ = writeln!(
                    widths,
                    "  linkStyle {edge} stroke:#8a93a0,stroke-width:{:.1}px",
                    node.width
                );
                edge += 1;
            }
        }
        text.push_str(&widths);
        for node in &picture.nodes {
            if let Some(step) = &node.step {
                let (id, fill, ink) = (node.id, step.fill(), step.ink());
                let _ = writeln!(text, "  style t{id} fill:{fill},color:{ink},stroke:#5b6470");
            }
        }
        text
    }
}

/// Between double quotes; a term without labels is a scalar.
fn escaped(term: &str) -> String {
    if term.is_empty() {
        return String::from("scalar");
    }
    let mut text = String::with_capacity(term.len());
    for c in term.chars() {
        match c {
            '"' | '\\' | '<' | '>' | '#' | '&' => text.push_str(&format!("U+{:04X}", c as u32)),
            c => text.push(c),
        }
    }
    text
}
