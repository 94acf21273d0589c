//! One run of a process with all of its terms, and how likely a run is.

use super::sample::MOST_TERMS;
use super::walk::walk_on;
use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use hashwell::Words;

/// A run of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<O> {
    /// The terms in their order, each with its draw.
    pub terms: Vec<(Law<'static>, Draw)>,
    /// What came of it.
    pub out: O,
    /// The logarithm of the product of the observations' weights: 0 without one, -∞ if one is 0.
    pub log_weight: f64,
}

impl<O> Trace<O> {
    /// The draws alone, as [`score`] takes them.
    #[must_use]
    pub fn draws(&self) -> Vec<Draw> {
        self.terms.iter().map(|(_, draw)| *draw).collect()
    }

    /// The sum of the logarithms of the draws' probabilities, or of their densities: what [`score`] says of the run,
    /// without a step of the process.
    ///
    /// # Errors
    /// [`Error::AtStep`] with the number of the term for one whose draw is of another kind.
    pub fn log_probability(&self) -> Result<f64, Error> {
        let mut score = Score::CERTAIN;
        for (step, (law, draw)) in (0..).zip(&self.terms) {
            if !score.add(law, *draw).map_err(|error| error.at_step(step))? {
                break;
            }
        }
        Ok(score.log_probability)
    }
}

/// Weights of all categorical terms of a trace, at most: half a gibibyte. An urn's terms have as many as it has balls, so
/// that theirs grow with the square of the draws.
const MOST_WEIGHTS: usize = 1 << 26;

/// As [`sample`](super::sample()), with everything that was drawn.
///
/// # Errors
/// As [`sample`](super::sample()), [`Error::OutOfRange`] for terms of more than 2^26 weights together, and
/// [`Error::Memory`].
pub fn trace<C: Coalgebra>(process: &C, words: &mut (impl Words + ?Sized)) -> Result<Trace<C::Out>, Error> {
    trace_within(process, words, MOST_TERMS)
}

/// As [`trace`], of so many terms at `most`.
///
/// # Errors
/// As [`sample_within`](super::sample_within), and [`Error::Memory`].
pub fn trace_within<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    most: u64,
) -> Result<Trace<C::Out>, Error> {
    trace_of(process, words, most, MOST_WEIGHTS)
}

/// As [`trace_within`], of terms that have so many weights together at most.
fn trace_of<C: Coalgebra>(
    process: &C,
    words: &mut (impl Words + ?Sized),
    most: u64,
    most_weights: usize,
) -> Result<Trace<C::Out>, Error> {
    let mut terms = Vec::new();
    let mut weights = 0;
    let mut log_weight = 0.0;
    let out = walk_on(process, words, most, |law, draw| {
        weight(&mut log_weight, law, draw)?;
        if let Law::Categorical(more) = law {
            weights += more.len();
        }
        if weights > most_weights {
            return Err(Error::range("the weights of a trace's terms", "at most 2^26", weights));
        }
        terms.try_reserve(1).map_err(|_| Error::Memory { what: "a trace" })?;
        terms.push((law.copied()?, draw));
        Ok(())
    })?;
    Ok(Trace { terms, out, log_weight })
}

/// Adds what an observation weighs.
#[inline]
pub(super) fn weight(log_weight: &mut f64, law: &Law<'_>, draw: Draw) -> Result<(), Error> {
    if draw == Draw::Nothing {
        *log_weight += law.log_probability(draw)?;
    }
    Ok(())
}

/// How likely a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The sum of the logarithms of the draws' probabilities, or of their densities; -∞ for a run that cannot be.
    pub log_probability: f64,
    /// The logarithm of the product of the observations' weights, up to where the run could not be.
    pub log_weight: f64,
}

impl Score {
    /// Of no terms.
    const CERTAIN: Self = Self { log_probability: 0.0, log_weight: 0.0 };

    /// One more term with its draw; false if that cannot come of it, so that nothing after it counts.
    fn add(&mut self, law: &Law<'_>, draw: Draw) -> Result<bool, Error> {
        let log = law.log_probability(draw)?;
        if draw == Draw::Nothing {
            self.log_weight += log;
        } else {
            self.log_probability += log;
        }
        if !law.admits(draw) {
            self.log_probability = f64::NEG_INFINITY;
            return Ok(false);
        }
        Ok(true)
    }
}

/// How likely it is that the process draws just this, observations' [`Draw::Nothing`] among the draws.
///
/// # Errors
/// [`Error::AtStep`] with the number of the term, counted from 0: where a draw is of another kind than its term, where the
/// draws end and the process does not, where the process ends and the draws do not, and for a law out of its range.
pub fn score<C: Coalgebra>(process: &C, draws: &[Draw]) -> Result<Score, Error> {
    const WHAT: &str = "a trace of this process";
    let mut score = Score::CERTAIN;
    let mut flow = process.start();
    for (step, &draw) in draws.iter().enumerate() {
        let step = step as u64;
        let Flow::More(state) = flow else {
            return Err(Error::invalid(WHAT, "it ended before this draw").at_step(step));
        };
        let law = process.law(&state);
        if !score.add(&law, draw).map_err(|error| error.at_step(step))? {
            return Ok(score);
        }
        drop(law);
        flow = process.next(state, draw);
    }
    match flow {
        Flow::Done(_) => Ok(score),
        Flow::More(state) => {
            let end = || Err(Error::invalid(WHAT, "it goes on where the draws end"));
            process
                .law(&state)
                .check_memory()
                .and_then(|()| end())
                .map_err(|error| error.at_step(draws.len() as u64))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Run;
    use crate::process::model::Crp;

    /// The terms of a restaurant of four have two, three and four weights.
    #[test]
    fn weights_of_all_terms_are_counted() {
        let of = |weights| {
            let words = &mut Run::seeded(b"weights").unwrap().words().unwrap();
            trace_of(&Crp::new(4, 1.5).unwrap(), words, MOST_TERMS, weights).map(|trace| trace.terms.len())
        };
        assert_eq!(of(9), Ok(3));
        let refused = of(8).unwrap_err().to_string();
        assert_eq!(refused, "the weights of a trace's terms must be at most 2^26, not 9");
    }
}
