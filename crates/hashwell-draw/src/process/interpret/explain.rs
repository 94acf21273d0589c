//! A process as the tree of its terms.

use super::limits::Limits;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell_work::Watch;
use std::fmt::{Debug, Write};

/// How much of a tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Terms one after another, at most [`Depth::MOST`].
    pub terms: usize,
    /// Nodes of the whole tree, `…` not counted; at most [`Depth::MAX_NODES`].
    pub nodes: usize,
}

impl Depth {
    /// The longest path: what the stack of a small thread has room for.
    pub const MOST: usize = 100;
    /// The largest tree.
    pub const MAX_NODES: usize = 100_000;
    /// The most branches, those that are cut among them.
    const MAX_BRANCHES: usize = 10 * Self::MAX_NODES;
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

/// The tree of the process's terms, as far as `depth` lets it grow. Each draw that can come is a branch; a term with a density
/// has one, on which the tree is cut, as what follows depends on the number. Of the draws that come after the last node
/// there is one branch `…`.
///
/// # Errors
/// Returns [`Error::AtStep`] for a distribution out of its range, and with [`Error::Stopped`] if the watch cancels the work;
/// [`Error::OutOfRange`] for a depth beyond its maximum.
pub fn explain<C>(process: &C, depth: &Depth, limits: &Limits<'_>) -> Result<Tree, Error>
where
    C: Coalgebra,
    C::State: Clone,
    C::Out: Debug,
{
    if depth.terms > Depth::MOST {
        return Err(Error::range("the terms of a tree", "at most 100", depth.terms));
    }
    if depth.nodes > Depth::MAX_NODES {
        return Err(Error::range("the nodes of a tree", "at most 100000", depth.nodes));
    }
    let (terms, nodes, watch) = (depth.terms, depth.nodes, limits.watch);
    let mut grower = Grower { process, watch, terms, nodes, branches: Depth::MAX_BRANCHES };
    grower.grow(process.start(), 0)
}

struct Grower<'a, C> {
    process: &'a C,
    watch: &'a Watch<'a>,
    terms: usize,
    /// Nodes that may still be made.
    nodes: usize,
    /// Branches that may still be looked at.
    branches: usize,
}

const CUT: &str = "…";

fn leaf(label: impl Into<String>) -> Tree {
    Tree { label: label.into(), branches: Vec::new() }
}

fn cut_branch(label: &str) -> Branch {
    Branch { label: label.into(), probability: None, tree: leaf(CUT) }
}

impl<C> Grower<'_, C>
where
    C: Coalgebra,
    C::State: Clone,
    C::Out: Debug,
{
    fn grow(&mut self, flow: Flow<C::State, C::Out>, step: usize) -> Result<Tree, Error> {
        if self.nodes == 0 {
            return Ok(leaf(CUT));
        }
        let state = match flow {
            Flow::More(_) if step >= self.terms => return Ok(leaf(CUT)),
            Flow::More(state) => state,
            Flow::Done(out) => {
                self.nodes -= 1;
                return Ok(leaf(format!("{out:?}")));
            }
        };
        self.nodes -= 1;
        self.watch.look().map_err(|stopped| Error::from(stopped).at_step(step as u64))?;
        let law = self.process.distribution(&state);
        let branches = self.branches(&law, &state, step)?;
        Ok(Tree { label: law.to_string(), branches })
    }

    fn branches(
        &mut self,
        law: &Distribution<'_>,
        state: &C::State,
        step: usize,
    ) -> Result<Vec<Branch>, Error> {
        if let Some(numbers) = law.numbers() {
            return Ok(vec![cut_branch(numbers)]);
        }
        let mut draws = Vec::new();
        // One more than there can be nodes, so that it shows where there are more.
        let enough = self.nodes.min(self.branches) + 1;
        let counted = law.each_outcome(|draw, probability| {
            draws.push((draw, probability));
            self.branches = self.branches.saturating_sub(1);
            if draws.len() > enough { Err(Error::Memory { what: "a tree" }) } else { Ok(()) }
        });
        if let Err(error) = counted
            && draws.len() <= enough
        {
            return Err(error.at_step(step as u64));
        }
        let mut branches = Vec::new();
        for (draw, probability) in draws {
            if (self.nodes == 0 || branches.len() == enough) && !branches.is_empty() {
                branches.push(cut_branch(CUT));
                break;
            }
            let copy = state.clone();
            if self.process.lacks_memory(&copy) {
                return Err(Error::Memory { what: "a tree" });
            }
            let tree = self.grow(self.process.next(copy, draw), step + 1)?;
            let (label, probability) = match draw {
                Outcome::Nothing => (format!("weight {probability}"), None),
                draw => (draw.index().to_string(), Some(probability)),
            };
            branches.push(Branch { label, probability, tree });
        }
        Ok(branches)
    }
}

impl Tree {
    /// The tree as text: a line for each node, after the draw that leads to it and the draw's probability.
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
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{before}{turn}{}{chance}: {}", branch.label, branch.tree.label);
            branch.tree.write(text, &format!("{before}{below}"));
        }
    }
}
