//! A process as the tree of its terms.

use crate::Error;
use crate::process::{Coalgebra, Draw, Flow};
use std::fmt::{Debug, Write};

/// How much of a tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Terms one after another, at most.
    pub terms: usize,
    /// Nodes of the whole tree, at most, what is cut not counted.
    pub nodes: usize,
}

impl Default for Depth {
    fn default() -> Self {
        Self { terms: 4, nodes: 100 }
    }
}

/// A term, or what came of the process.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The term, as `Bernoulli(0.1)`; what came of the process; or `…` where the tree is cut.
    pub label: String,
    /// Where the draws of the term lead; empty if it is not one, or cut.
    pub branches: Vec<Branch>,
}

/// A draw of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The draw.
    pub label: String,
    /// Its probability; `None` of what has a density or is observed.
    pub probability: Option<f64>,
    /// What follows it.
    pub tree: Tree,
}

/// The tree of the process's terms.
///
/// # Errors
/// [`Error::AtStep`] for a law out of its range.
pub fn explain<C>(process: &C, depth: &Depth) -> Result<Tree, Error>
where
    C: Coalgebra,
    C::State: Clone,
    C::Out: Debug,
{
    let mut nodes = depth.nodes;
    grow(process, process.start(), 0, depth.terms as u64, &mut nodes)
}

fn cut() -> Tree {
    Tree { label: "…".into(), branches: Vec::new() }
}

fn grow<C>(
    process: &C,
    flow: Flow<C::State, C::Out>,
    step: u64,
    terms: u64,
    nodes: &mut usize,
) -> Result<Tree, Error>
where
    C: Coalgebra,
    C::State: Clone,
    C::Out: Debug,
{
    let Some(left) = nodes.checked_sub(1) else { return Ok(cut()) };
    let state = match flow {
        Flow::Done(out) => {
            *nodes = left;
            return Ok(Tree { label: format!("{out:?}"), branches: Vec::new() });
        }
        Flow::More(_) if step >= terms => return Ok(cut()),
        Flow::More(state) => state,
    };
    *nodes = left;
    let law = process.law(&state);
    let mut branches = Vec::new();
    law.each_draw(|draw, probability| {
        let tree = grow(process, process.next(state.clone(), draw), step + 1, terms, nodes)?;
        let (label, probability) = match draw {
            Draw::Index(index) => (index.to_string(), Some(probability)),
            Draw::Real(real) => (real.to_string(), None),
            Draw::Nothing => (format!("weight {probability}"), None),
        };
        branches.push(Branch { label, probability, tree });
        Ok(())
    })
    .map_err(|error| error.at_step(step))?;
    Ok(Tree { label: law.to_string(), branches })
}

impl Tree {
    /// The tree as text, a line for each node.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.label);
        self.write(&mut text, "");
        text
    }

    fn write(&self, text: &mut String, before: &str) {
        for (index, branch) in self.branches.iter().enumerate() {
            let last = index + 1 == self.branches.len();
            let (turn, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let chance = branch.probability.map_or(String::new(), |p| format!(" ({p})"));
            let _ = writeln!(text, "{before}{turn}{}{chance}: {}", branch.label, branch.tree.label);
            branch.tree.write(text, &format!("{before}{below}"));
        }
    }
}
