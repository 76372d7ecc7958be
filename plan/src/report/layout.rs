//! Where the nodes of a picture are, how thick its edges, which colours its steps.

use alloc::{format, string::String, vec::Vec};

use super::PlanReport;

/// A tensor: an operand or the result of a step.
pub(super) struct Node {
    pub(super) id: usize,
    /// Its labels.
    pub(super) term: String,
    /// Its elements.
    pub(super) elements: u64,
    /// The thickness of the edge to its parent.
    pub(super) width: f64,
    pub(super) parent: Option<usize>,
    /// Steps between it and the farthest operand below.
    pub(super) height: usize,
    /// Its row: operands have whole ones, 0 at the top.
    pub(super) row: f64,
    /// What made it; `None` for an operand.
    pub(super) step: Option<Made>,
}

/// The step that made a tensor.
pub(super) struct Made {
    pub(super) kind: String,
    pub(super) contraction: String,
    pub(super) multiply_adds: u64,
    /// From 0, the cheapest step, to 1, the dearest, by logarithm.
    pub(super) heat: f64,
}

pub(super) struct Picture {
    /// By number: operands, then the results of steps.
    pub(super) nodes: Vec<Node>,
    /// The cheapest and the dearest step.
    pub(super) costs: (u64, u64),
}

/// Base 2; the error, below 0.09, does not show. The same on every machine.
pub(super) fn log2(n: u64) -> f64 {
    let n = n.max(1);
    let whole = n.ilog2();
    f64::from(whole) + (n as f64 / (1u64 << whole) as f64 - 1.0)
}

/// The thickness of the edge of a tensor with so many elements.
pub(super) fn thickness(elements: u64) -> f64 {
    (0.8 + 0.3 * log2(elements)).min(12.0)
}

impl Picture {
    pub(super) fn new(report: &PlanReport) -> Picture {
        let operands = report.operands();
        let mut nodes: Vec<Node> = Vec::with_capacity(2 * operands);
        for (id, labels) in report.inputs.iter().enumerate() {
            let elements = report.volume(labels);
            nodes.push(Node::new(id, report.term(labels), elements));
        }
        let mut costs = (u64::MAX, 0);
        for (at, step) in report.program.steps.iter().enumerate() {
            let id = operands + at;
            let elements = report.volume(&step.result);
            let mut node = Node::new(id, report.term(&step.result), elements);
            for child in [Some(step.left), step.right].into_iter().flatten() {
                nodes[child].parent = Some(id);
                node.height = node.height.max(nodes[child].height + 1);
            }
            let cost = report.step_cost(step);
            let operations = cost.multiply_adds.max(cost.additions);
            costs = (costs.0.min(operations), costs.1.max(operations));
            node.step = Some(Made {
                kind: report.kind(step),
                contraction: report.contraction(step),
                multiply_adds: operations,
                heat: 0.0,
            });
            nodes.push(node);
        }
        let (least, most) = (log2(costs.0), log2(costs.1));
        for made in nodes.iter_mut().filter_map(|node| node.step.as_mut()) {
            let range = most - least;
            made.heat = if range > 0.0 {
                (log2(made.multiply_adds) - least) / range
            } else {
                0.5
            };
        }
        let mut picture = Picture { nodes, costs };
        picture.place(operands);
        picture
    }

    /// Rows in the order of the tree, so that no edges cross: of each pair the left one above.
    fn place(&mut self, operands: usize) {
        let mut children: Vec<Vec<usize>> = self.nodes.iter().map(|_| Vec::new()).collect();
        for node in &self.nodes {
            if let Some(parent) = node.parent {
                children[parent].push(node.id);
            }
        }
        // Of two subtrees the one with the first operand is above.
        let mut first: Vec<usize> = (0..self.nodes.len()).collect();
        for id in operands..self.nodes.len() {
            children[id].sort_by_key(|&child| first[child]);
            first[id] = children[id].first().map_or(id, |&child| first[child]);
        }
        let mut row = 0.0;
        let mut stack: Vec<usize> = self.nodes.last().map(|n| n.id).into_iter().collect();
        while let Some(id) = stack.pop() {
            if id < operands {
                self.nodes[id].row = row;
                row += 1.0;
            }
            stack.extend(children[id].iter().rev());
        }
        for (id, children) in children.iter().enumerate().skip(operands) {
            let rows = children.iter().map(|&child| self.nodes[child].row);
            let sum: f64 = rows.sum();
            self.nodes[id].row = sum / children.len().max(1) as f64;
        }
    }

    /// Steps between the result and the farthest operand.
    pub(super) fn height(&self) -> usize {
        self.nodes.last().map_or(0, |node| node.height)
    }
}

impl Node {
    fn new(id: usize, term: String, elements: u64) -> Node {
        Node {
            id,
            term,
            elements,
            width: thickness(elements),
            parent: None,
            height: 0,
            row: 0.0,
            step: None,
        }
    }
}

/// A sequence of colours whose lightness falls evenly: it survives a print in black and white.
const HEAT: [[f64; 3]; 5] = [
    [253.0, 231.0, 180.0],
    [249.0, 172.0, 96.0],
    [227.0, 92.0, 66.0],
    [158.0, 34.0, 84.0],
    [70.0, 14.0, 84.0],
];

/// The colour of a heat from 0 to 1.
pub(super) fn colour(heat: f64) -> String {
    let at = heat.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let below = (at as usize).min(HEAT.len() - 2);
    let part = at - below as f64;
    let mut text = String::from("#");
    for (a, b) in HEAT[below].iter().zip(HEAT[below + 1]) {
        text.push_str(&format!("{:02x}", (a + (b - a) * part) as u8));
    }
    text
}

impl Made {
    pub(super) fn fill(&self) -> String {
        colour(self.heat)
    }

    /// The colour of writing on it.
    pub(super) fn ink(&self) -> &'static str {
        if self.heat > 0.45 {
            "#ffffff"
        } else {
            "#1d2733"
        }
    }
}
