//! Hidden Markov models of discrete observations.

mod dense;

pub use dense::{Filtered, Smoothed};

use super::check;
use super::path::{Path, failure};
use super::walk::Keep;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};

/// A hidden Markov model with its observations (L. Rabiner, "A tutorial on hidden Markov models and selected
/// applications in speech recognition", 1989, section III). The first hidden state has the distribution `initial`. Each
/// later hidden state has the distribution in that row of `transition` that belongs to the previous hidden state. Each
/// observation has the distribution in that row of `emission` that belongs to the hidden state at the same time. The
/// outcome is the path of hidden states, or only the last hidden state. The weight of a run is the probability of the
/// observations, given its hidden states.
///
/// The process is a [futumorphism](crate::process::futu) with two terms for each observation: a categorical term that
/// draws the hidden state, and the observation itself. Enumerating the last hidden state is equivalent to a forward
/// pass. [`Hmm::filter`] and [`Hmm::smooth`] use products of vectors and matrices instead, which is fast enough for
/// thousands of states and observations.
#[derive(Clone, Debug, PartialEq)]
pub struct Hmm {
    initial: Vec<f64>,
    /// The transition matrix: S rows of S probabilities.
    transition: Vec<f64>,
    /// A row of S probabilities for each symbol: the probability that each state emits it.
    likelihood: Vec<f64>,
    observed: Vec<u32>,
    keep: Keep,
}

impl Hmm {
    /// Creates a model of S hidden states and the observed symbols. `initial` contains S probabilities, `transition`
    /// contains S rows of S probabilities, and `emission` contains S rows with a probability for each symbol.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the lengths of the lists don't match, if the sum of a row is not 1 (to within
    /// 10^-9), or if an observed symbol does not exist.
    pub fn new(
        initial: Vec<f64>,
        transition: Vec<Vec<f64>>,
        emission: Vec<Vec<f64>>,
        observed: &[i64],
    ) -> Result<Self, Error> {
        let initial = check::probabilities("initial", initial)?;
        let states = initial.len();
        check::whole("the number of rows of transition", states, states, transition.len())?;
        check::whole("the number of rows of emission", states, states, emission.len())?;
        let transition = check::laws("transition", transition, states)?;
        let symbols = emission[0].len();
        let emission = check::laws("emission", emission, symbols)?;
        let symbol = |&seen: &i64| Ok(check::whole("observed", 0, symbols as i64 - 1, seen)? as u32);
        let observed = observed.iter().map(symbol).collect::<Result<_, Error>>()?;
        let likelihood = dense::transposed(&emission, states, symbols);
        Ok(Self { initial, transition, likelihood, observed, keep: Keep::All })
    }

    /// The number of hidden states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.initial.len()
    }

    /// The number of observations.
    #[must_use]
    pub fn observations(&self) -> usize {
        self.observed.len()
    }

    /// Returns the same model, but with only the last hidden state as the outcome.
    #[must_use]
    pub fn summary(&self) -> Self {
        Self { keep: Keep::Summary, ..self.clone() }
    }

    /// The probability that each state emits the symbol observed at this time.
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

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hidden {
    time: usize,
    state: Option<usize>,
    /// True if the hidden state has been drawn and its observation comes next.
    drawn: bool,
    /// All hidden states, if they are kept.
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
