//! Hidden Markov models of discrete observations.

mod dense;

pub use dense::{Filtered, Smoothed};

use super::check;
use super::path::{Path, failure};
use super::walk::Keep;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// A hidden Markov model that was observed (L. Rabiner, "A tutorial on hidden Markov models and selected applications in
/// speech recognition", 1989, section III): the first hidden state has the law `initial`, each next one the row of the one
/// before in `transition`, and the observation at each time has the row of the hidden state in `emission`. What comes out is
/// the path of hidden states, or the last of them; observations weigh it.
///
/// A futumorphism with two terms for each observation: a categorical one of S states, and an observation. Asked for its
/// exact law, the one whose last state is kept makes the forward pass; [`Hmm::filter`] and [`Hmm::smooth`] make it as
/// products of a matrix, for thousands of states and observations.
#[derive(Clone, Debug, PartialEq)]
pub struct Hmm {
    initial: Vec<f64>,
    /// S rows of S.
    transition: Vec<f64>,
    /// A row of S chances for each symbol: how likely each state gives it.
    likelihood: Vec<f64>,
    observed: Vec<u32>,
    keep: Keep,
}

impl Hmm {
    /// Of a law of S states, S laws of S states, S laws of the same number of symbols, and symbols that were observed.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for lists of other lengths, rows whose sum is not 1 (to within 10^-9), and symbols that there
    /// are not.
    pub fn new(
        initial: Vec<f64>,
        transition: Vec<Vec<f64>>,
        emission: Vec<Vec<f64>>,
        observed: &[i64],
    ) -> Result<Self, Error> {
        let initial = check::probabilities("initial", initial)?;
        let states = initial.len();
        check::whole("the rows of transition", states, states, transition.len())?;
        check::whole("the rows of emission", states, states, emission.len())?;
        let transition = check::laws("transition", transition, states)?;
        let symbols = emission[0].len();
        let emission = check::laws("emission", emission, symbols)?;
        let symbol = |&seen: &i64| Ok(check::whole("observed", 0, symbols as i64 - 1, seen)? as u32);
        let observed = observed.iter().map(symbol).collect::<Result<_, Error>>()?;
        let likelihood = dense::transposed(&emission, states, symbols);
        Ok(Self { initial, transition, likelihood, observed, keep: Keep::All })
    }

    /// Hidden states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// Observations.
    #[must_use]
    pub fn observations(&self) -> usize {
        self.observed.len()
    }

    /// The same of which only the last hidden state comes out.
    #[must_use]
    pub fn summary(&self) -> Self {
        Self { keep: Keep::Summary, ..self.clone() }
    }

    /// How likely each state gives what was observed at this time.
    fn likelihood(&self, time: usize) -> &[f64] {
        &self.likelihood[self.observed[time] as usize * self.states()..][..self.states()]
    }

    fn flow(&self, hidden: Hidden) -> Flow<Hidden, Vec<i64>> {
        if hidden.time < self.observed.len() || hidden.path.refused() {
            return Flow::More(hidden);
        }
        Flow::Done(match self.keep {
            Keep::All => hidden.path.into_items(),
            Keep::Summary => hidden.state.map(|state| state as i64).into_iter().collect(),
        })
    }
}

/// How far it has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hidden {
    time: usize,
    state: Option<usize>,
    /// Whether the state has been drawn, and what it gave is to be observed.
    drawn: bool,
    /// All states, where they are kept.
    path: Path<i64>,
}

impl Coalgebra for Hmm {
    type State = Hidden;
    type Out = Vec<i64>;

    fn start(&self) -> Flow<Hidden, Vec<i64>> {
        self.flow(Hidden { time: 0, state: None, drawn: false, path: Path::default() })
    }

    fn distribution<'a>(&'a self, hidden: &'a Hidden) -> Distribution<'a> {
        if hidden.path.refused() {
            return failure();
        }
        match hidden.state {
            Some(state) if hidden.drawn => Distribution::Observe(self.likelihood(hidden.time)[state]),
            Some(state) => {
                Distribution::Categorical(self.transition[state * self.states()..][..self.states()].into())
            }
            None => Distribution::Categorical((&self.initial).into()),
        }
    }

    fn next(&self, mut hidden: Hidden, draw: Outcome) -> Flow<Hidden, Vec<i64>> {
        if hidden.drawn {
            hidden.time += 1;
        } else {
            hidden.state = Some(draw.index() as usize);
            if self.keep == Keep::All {
                hidden.path.push(draw.index() as i64);
            }
        }
        hidden.drawn = !hidden.drawn;
        self.flow(hidden)
    }

    #[inline]
    fn lacks_memory(&self, state: &Hidden) -> bool {
        state.path.refused()
    }
}
