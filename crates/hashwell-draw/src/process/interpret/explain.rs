//! The tree of a process's terms.

use super::limits::Limits;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell_work::Watch;
use std::fmt::{Debug, Write};

/// Limits on the size of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The maximum number of consecutive terms; at most [`Depth::MOST`].
    pub terms: usize,
    /// The maximum number of nodes of the whole tree, not counting `…`; at most [`Depth::MAX_NODES`].
    pub nodes: usize,
}

impl Depth {
    /// The largest allowed value of [`Depth::terms`]. Such a tree can be built even on a small thread's stack.
    pub const MOST: usize = 100;
    /// The largest allowed value of [`Depth::nodes`].
    pub const MAX_NODES: usize = 100_000;
    /// The maximum number of branches, including those that are cut.
    const MAX_BRANCHES: usize = 10 * Self::MAX_NODES;
}

impl Default for Depth {
    fn default() -> Self {
        Self { terms: 4, nodes: 100 }
    }
}

/// A tree of terms. Its root is a term or an outcome of the process.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The term (such as `Bernoulli(0.1)`), the outcome of the process, or `…` where the tree is cut.
    pub label: String,
    /// The draws of the term, each with the tree that follows it. The list is empty for outcomes and where the tree is
    /// cut.
    pub branches: Vec<Branch>,
}

/// A draw of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The draw.
    pub label: String,
    /// The probability of the draw, or `None` for observations and for distributions with a density.
    pub probability: Option<f64>,
    /// The tree that follows the draw.
    pub tree: Tree,
}

/// Builds the tree of the process's terms, limited by `depth`. Each possible draw is a branch. If the distribution of a
/// term has a density, the term has a single branch, where the tree is cut, because the rest of the process depends on
/// the number drawn. When the maximum number of nodes is reached, the remaining draws become one branch `…`.
///
/// # Errors
/// Returns [`Error::AtStep`] if a distribution is out of its range. If the watch cancels the call, returns
/// [`Error::AtStep`] with the reason [`Error::Stopped`]. Returns [`Error::OutOfRange`] if a field of `depth` exceeds
/// its maximum.
pub fn explain<C>(process: &C, depth: &Depth, limits: &Limits<'_>) -> Result<Tree, Error>
where
    C: Coalgebra,
    C::State: Clone,
    C::Out: Debug,
{
    if depth.terms > Depth::MOST {
        return Err(Error::range("the number of terms of a tree", "at most 100", depth.terms));
    }
    if depth.nodes > Depth::MAX_NODES {
        return Err(Error::range("the number of nodes of a tree", "at most 100000", depth.nodes));
    }
    let (terms, nodes, watch) = (depth.terms, depth.nodes, limits.watch);
    let mut grower = Grower { process, watch, terms, nodes, branches: Depth::MAX_BRANCHES };
    grower.grow(process.start(), 0)
}

struct Grower<'a, C> {
    process: &'a C,
    watch: &'a Watch<'a>,
    terms: usize,
    /// The number of nodes that may still be created.
    nodes: usize,
    /// The number of branches that may still be examined.
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
        // One more than the number of possible nodes, to detect that there are more.
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
    /// Returns the tree as text, with one line for each node. The line contains the draw that leads to the node, the
    /// draw's probability, and the node itself.
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
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{before}{turn}{}{chance}: {}", branch.label, branch.tree.label);
            branch.tree.write(text, &format!("{before}{below}"));
        }
    }
}
