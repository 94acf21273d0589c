//! Pictures of the tree of a process's terms.

use super::WIDTH;
use super::words::{counted, shortened};
use crate::process::interpret::Tree;
use hashwell_document::chart::{Anchor, Drawing, Ink, Letters, number};

/// The maximum number of lines of a picture, and of its nodes.
const LINES: usize = 120;
const NODES: usize = 160;
const DEPTH: usize = 12;
/// The maximum number of characters of a node.
const LETTERS: usize = 36;
const PITCH: f64 = 20.0;
/// The space for the curve to a branch.
const CURVE: f64 = 34.0;
/// The space between a branch and the node that follows it.
const GAP: f64 = 6.0;

/// A node with its position.
struct Node {
    depth: usize,
    /// The position in lines from the top; inner nodes can be between lines.
    line: f64,
    branch: String,
    label: String,
    branches: Vec<Node>,
}

/// Draws the tree from left to right: the terms, the draws with their probabilities, and the outcomes. At most 160
/// nodes, 120 lines and 12 consecutive terms are drawn. `…` replaces all other nodes, which are counted below the
/// picture.
#[must_use]
pub fn tree(tree: &Tree) -> String {
    let mut planted = Planted { lines: 0, nodes: 0 };
    let root = plant(tree, String::new(), 0, &mut planted);
    let Planted { lines, nodes } = planted;
    let mut columns = Vec::new();
    root.measure(&mut columns);
    let mut left = Drawing::PAD;
    let columns: Vec<Column> = columns
        .into_iter()
        .map(|(branch, label)| {
            let branch_at = left + if branch > 0.0 { CURVE } else { 0.0 };
            let label_at = branch_at + branch + if branch > 0.0 { GAP } else { 0.0 };
            left = label_at + label + GAP;
            Column { branch_at, label_at }
        })
        .collect();
    let title = format!("The terms of a process, from {}", root.label);
    let left_out = match count(tree) - nodes {
        0 => String::new(),
        others => format!("… and {} not drawn.", counted(others, "node", "nodes")),
    };
    let mut description = format!("A tree of {}, from left to right.", counted(lines, "line", "lines"));
    if !left_out.is_empty() {
        description = format!("{description} {left_out}");
    }
    let mut drawing = Drawing::new(title, description, WIDTH.max(left + Drawing::PAD));
    let top = drawing.top();
    root.draw(&mut drawing, &columns, top);
    let mut bottom = top + lines as f64 * PITCH;
    if !left_out.is_empty() {
        bottom += PITCH;
        let below = (Drawing::PAD, bottom - 0.5 * PITCH);
        drawing.text(below, Anchor::Start, Letters::Quiet, &left_out);
    }
    drawing.svg(bottom + Drawing::PAD)
}

/// The horizontal positions of a column's branches and nodes.
struct Column {
    branch_at: f64,
    label_at: f64,
}

/// The nodes taken from a tree.
struct Planted {
    lines: usize,
    nodes: usize,
}

/// The number of nodes of a tree.
fn count(tree: &Tree) -> usize {
    1 + tree.branches.iter().map(|branch| count(&branch.tree)).sum::<usize>()
}

fn plant(tree: &Tree, branch: String, depth: usize, planted: &mut Planted) -> Node {
    planted.nodes += 1;
    let mut branches = Vec::new();
    let mut label = shortened(&tree.label, LETTERS);
    if depth + 1 < DEPTH {
        for next in &tree.branches {
            if planted.lines >= LINES || planted.nodes >= NODES {
                break;
            }
            let draw = shortened(&next.label, LETTERS);
            let draw = next.probability.map_or(draw.clone(), |p| format!("{draw} ({})", number(p)));
            branches.push(plant(&next.tree, draw, depth + 1, planted));
        }
    }
    if branches.len() < tree.branches.len() {
        label.push_str(" …");
    }
    let line = match &branches[..] {
        [] => {
            planted.lines += 1;
            planted.lines as f64 - 0.5
        }
        [first, .., last] => 0.5 * (first.line + last.line),
        [only] => only.line,
    };
    Node { depth, line, branch, label, branches }
}

impl Node {
    /// Computes the widest branch and the widest node of each column.
    fn measure(&self, columns: &mut Vec<(f64, f64)>) {
        if columns.len() <= self.depth {
            columns.push((0.0, 0.0));
        }
        let (branch, label) = &mut columns[self.depth];
        *branch = branch.max(Drawing::text_width(&self.branch));
        *label = label.max(Drawing::text_width(&self.label));
        self.branches.iter().for_each(|node| node.measure(columns));
    }

    fn draw(&self, drawing: &mut Drawing, columns: &[Column], top: f64) {
        let column = &columns[self.depth];
        let y = |line: f64| top + line * PITCH;
        let letters = if self.branches.is_empty() { Letters::Bold } else { Letters::Plain };
        drawing.text((column.label_at, y(self.line)), Anchor::Start, letters, &self.label);
        let right = column.label_at + Drawing::text_width(&self.label) + GAP;
        for node in &self.branches {
            let to = (columns[node.depth].branch_at - GAP, y(node.line));
            drawing.branch((right, y(self.line)), to, Ink::Faint);
            drawing.text((columns[node.depth].branch_at, to.1), Anchor::Start, Letters::Quiet, &node.branch);
            node.draw(drawing, columns, top);
        }
        drawing.end_line();
    }
}
