//! A plan as a picture.

use alloc::{format, string::String};
use core::fmt::Write;

use super::{
    PlanReport,
    layout::{Node, Picture, colour, log2, thickness},
    words::number,
};

const INK: &str = "#1d2733";
const EDGE: &str = "#a9b4c2";
const MARGIN: f64 = 16.0;

/// The measures of a picture: the more operands, the closer.
struct Measures {
    row: f64,
    column: f64,
    radius: f64,
    font: f64,
    /// Where the operands' numbers end.
    numbers: f64,
    /// Where the operands' edges begin.
    left: f64,
    top: f64,
}

impl PlanReport {
    /// The tree as an SVG picture: operands with their labels on the left, the result on the right. Each edge is a tensor
    /// with its labels where there is room, as thick as the logarithm of its size; each circle is a step, coloured by the
    /// logarithm of its multiply-adds.
    ///
    /// Without sizes every label counts as 64. The circles have the numbers of the steps in the table; a pointer resting
    /// on one shows what it computes.
    pub fn to_svg(&self) -> String {
        let picture = Picture::new(self);
        let operands = self.operands();
        let few = operands <= 24;
        let font = if few { 15.0 } else { 12.0 };
        let operand = |node: &Node| node.term.chars().count().max(2) as f64 * font * 0.72;
        let digits = if operands > 100 {
            3.0
        } else if operands > 10 {
            2.0
        } else {
            1.0
        };
        let numbers = MARGIN + digits * font * 0.5;
        let names = picture.nodes.iter().take(operands).map(operand);
        let names = names.fold(0.0, f64::max);
        let height = picture.height().max(1) as f64;
        let measures = Measures {
            row: if few { 38.0 } else { 19.0 },
            column: (if few { 640.0 } else { 900.0 } / height).clamp(30.0, 108.0),
            radius: if few { 11.0 } else { 7.5 },
            font,
            numbers,
            left: numbers + 6.0 + names + 8.0,
            top: MARGIN + font,
        };
        let result = picture.nodes.last().map_or("", |node| &node.term);
        let result = (result.chars().count().max(6) as f64) * font * 0.62;
        let right = measures.left + height * measures.column + measures.radius;
        let width = (right + 10.0 + result + MARGIN).max(420.0);
        let below = measures.top + (operands - 1) as f64 * measures.row + 38.0;
        let mut svg = String::new();
        let total = below + 46.0;
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {total:.0}\" width=\"{width:.0}\" \
             height=\"{total:.0}\" font-family=\"'STIX Two Text', 'Latin Modern Roman', 'Times New Roman', 'DejaVu Serif', \
             serif\" font-size=\"{font}\" fill=\"{INK}\">\n<title>einsum {}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            escaped(&self.text)
        );
        measures.edges(&mut svg, &picture);
        measures.nodes(&mut svg, &picture, operands);
        legend(&mut svg, &picture, below, width);
        svg.push_str("</svg>\n");
        svg
    }
}

impl Measures {
    fn place(&self, node: &Node) -> (f64, f64) {
        let x = self.left + node.height as f64 * self.column;
        (x, self.top + node.row * self.row)
    }

    /// Curves that leave and arrive level, thin ones over thick ones.
    fn edges(&self, svg: &mut String, picture: &Picture) {
        let _ = writeln!(
            svg,
            "<g fill=\"none\" stroke=\"{EDGE}\" stroke-linecap=\"round\">"
        );
        for node in &picture.nodes {
            let (x, y) = self.place(node);
            let Some(parent) = node.parent else {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {y:.1}h{:.1}\" stroke-width=\"{:.1}\"/>",
                    self.radius + 9.0,
                    node.width
                );
                continue;
            };
            let (to, level) = self.place(&picture.nodes[parent]);
            // Level up to the last column, so that edges over several columns stay apart.
            let turn = to - self.column.min(to - x);
            let middle = (turn + to) / 2.0;
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {y:.1}H{turn:.1}C{middle:.1} {y:.1} {middle:.1} {level:.1} {to:.1} {level:.1}\" \
                 stroke-width=\"{:.1}\"><title>{}: {} elements</title></path>",
                node.width,
                escaped(&format!("{} {}", node.id, node.term)),
                number(node.elements)
            );
        }
        svg.push_str("</g>\n");
    }

    fn nodes(&self, svg: &mut String, picture: &Picture, operands: usize) {
        let small = self.font * 0.8;
        for node in &picture.nodes {
            let (x, y) = self.place(node);
            let Some(step) = &node.step else {
                let (end, base) = (x - 6.0, y + self.font * 0.32);
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{base:.1}\" text-anchor=\"end\" font-size=\"{small:.1}\" fill=\"#7b8794\">{}\
                     </text><text x=\"{end:.1}\" y=\"{base:.1}\" text-anchor=\"end\" font-style=\"italic\">{}</text>",
                    self.numbers,
                    node.id,
                    shown(&node.term)
                );
                continue;
            };
            let _ = writeln!(
                svg,
                "<g><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{}\" stroke=\"{INK}\" \
                 stroke-width=\"0.8\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"{:.1}\" \
                 fill=\"{}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">{}</text></g>",
                escaped(&format!(
                    "{}: {}, {}, {} multiply-adds",
                    node.id,
                    step.contraction,
                    step.kind,
                    number(step.multiply_adds)
                )),
                self.radius,
                step.fill(),
                y + self.radius * 0.33,
                if node.id < 100 {
                    self.radius * 0.95
                } else {
                    self.radius * 0.72
                },
                step.ink(),
                node.id
            );
            self.label(svg, picture, node, operands);
        }
    }

    /// The labels of a result: above its edge if they fit there, behind the last one.
    fn label(&self, svg: &mut String, picture: &Picture, node: &Node, operands: usize) {
        let (x, y) = self.place(node);
        let Some(parent) = node.parent else {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-style=\"italic\">{}</text>",
                x + self.radius + 14.0,
                y + self.font * 0.32,
                shown(&node.term)
            );
            return;
        };
        let parent = &picture.nodes[parent];
        let (to, level) = self.place(parent);
        let font = self.font * if operands <= 24 { 0.87 } else { 0.75 };
        let text = node.term.chars().count() as f64 * font * 0.55;
        let from = x + self.radius + 3.0;
        // An edge that goes on level has room up to its end, one that turns at once only before it has climbed.
        let straight = (level - y).abs() < 1.0 || parent.height > node.height + 1;
        let room = if straight {
            to - self.radius - from
        } else {
            (to - from) * 0.6
        };
        if text > room || node.term.is_empty() {
            return;
        }
        // Away from the bend.
        let above = level >= y;
        let offset = node.width / 2.0 + 3.0;
        let base = if above {
            y - offset
        } else {
            y + offset + font * 0.7
        };
        let _ = writeln!(
            svg,
            "<text x=\"{from:.1}\" y=\"{base:.1}\" font-size=\"{font:.1}\" font-style=\"italic\" fill=\"#3d4a59\">{}</text>",
            shown(&node.term)
        );
    }
}

/// What colours and thicknesses mean.
fn legend(svg: &mut String, picture: &Picture, top: f64, width: f64) {
    let (least, most) = picture.costs;
    let y = top + 12.0;
    let _ = writeln!(
        svg,
        "<g font-size=\"11\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#3d4a59\">\n\
         <text x=\"{MARGIN}\" y=\"{top:.1}\">multiply-adds of a step</text>"
    );
    let bar = 150.0;
    let _ = writeln!(
        svg,
        "<linearGradient id=\"heat\">{}</linearGradient>\n\
         <rect x=\"{MARGIN}\" y=\"{y:.1}\" width=\"{bar}\" height=\"9\" fill=\"url(#heat)\"/>",
        stops(least == most)
    );
    let under = y + 22.0;
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{under:.1}\">{}</text>",
        power(least)
    );
    if least != most {
        let end = MARGIN + bar;
        let _ = writeln!(
            svg,
            "<text x=\"{end:.1}\" y=\"{under:.1}\" text-anchor=\"end\">{}</text>",
            power(most)
        );
    }
    let elements = picture.nodes.iter().map(|node| node.elements);
    let (thin, thick) = (
        elements.clone().min().unwrap_or(1),
        elements.max().unwrap_or(1),
    );
    let left = (MARGIN + bar + 40.0).min(width - 200.0);
    let _ = writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"{top:.1}\">elements of a tensor</text>"
    );
    for (place, n) in [(0.0, thin), (76.0, thick)] {
        if place > 0.0 && thin == thick {
            continue;
        }
        let (x, line) = (left + place, y + 4.5);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {line:.1}h52\" stroke=\"{EDGE}\" stroke-width=\"{:.1}\"/>\n\
             <text x=\"{x:.1}\" y=\"{under:.1}\">{}</text>",
            thickness(n),
            power(n)
        );
    }
    svg.push_str("</g>\n");
}

/// The colours of the bar; one where all steps cost the same.
fn stops(one: bool) -> String {
    let mut stops = String::new();
    for part in 0..5 {
        let at = f64::from(part) / 4.0;
        let heat = if one { 0.5 } else { at };
        let _ = write!(
            stops,
            "<stop offset=\"{at}\" stop-color=\"{}\"/>",
            colour(heat)
        );
    }
    stops
}

/// A number in few characters: itself or a rounded power of ten.
fn power(n: u64) -> String {
    if log2(n) < 17.0 {
        number(n)
    } else {
        format!("{:.1e}", n as f64)
    }
}

/// A term; one without labels is a scalar.
fn shown(term: &str) -> String {
    if term.is_empty() {
        String::from("scalar")
    } else {
        escaped(term)
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
