//! Traces: one run of a process with all of its terms, and the probability of a run.

use super::limits::Limits;
use super::sample::walk;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;

/// A run of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<O> {
    /// The terms in order, each with its draw.
    pub terms: Vec<(Distribution<'static>, Outcome)>,
    /// The outcome of the run.
    pub out: O,
    /// The logarithm of the product of the observations' weights. Without observations it is 0, and if a weight is 0 it
    /// is -∞.
    pub log_weight: f64,
}

impl<O> Trace<O> {
    /// The draws without their terms, as [`score`] expects them.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.terms.iter().map(|(_, draw)| *draw).collect()
    }

    /// The sum of the logarithms of the draws' probabilities or densities. [`score`] returns the same number for this
    /// run, but runs the process.
    ///
    /// # Errors
    /// Returns [`Error::AtStep`] with the number of the term if a draw is of the wrong kind for its term.
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

/// The maximum number of weights in all categorical terms of a trace: half a gibibyte. An urn's terms have as many
/// weights as it has balls, so the total grows with the square of the number of draws.
const MAX_WEIGHTS: usize = 1 << 26;

/// Samples the process once, like [`sample`](super::sample()), and records all terms with their outcomes.
///
/// # Errors
/// Returns the same errors as [`sample`](super::sample()), [`Error::OutOfRange`] if the terms have more than 2^26
/// weights in total, or [`Error::Memory`] if an allocation fails.
pub fn trace<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
) -> Result<Trace<C::Out>, Error> {
    trace_of(process, words, limits, MAX_WEIGHTS)
}

/// Like [`trace`], with at most this number of weights in all terms.
fn trace_of<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
    most_weights: usize,
) -> Result<Trace<C::Out>, Error> {
    let mut terms = Vec::new();
    let mut weights = 0;
    let mut log_weight = 0.0;
    let out = walk(process, words, limits, |term, outcome| {
        weight(&mut log_weight, term, outcome)?;
        if let Distribution::Categorical(more) = term {
            weights += more.len();
        }
        if weights > most_weights {
            return Err(Error::range("the number of weights of a trace's terms", "at most 2^26", weights));
        }
        terms.try_reserve(1).map_err(|_| Error::Memory { what: "a trace" })?;
        terms.push((term.copied()?, outcome));
        Ok(())
    })?;
    Ok(Trace { terms, out, log_weight })
}

/// Adds the weight of an observation.
#[inline]
pub(super) fn weight(log_weight: &mut f64, law: &Distribution<'_>, draw: Outcome) -> Result<(), Error> {
    if draw == Outcome::Nothing {
        *log_weight += law.log_probability(draw)?;
    }
    Ok(())
}

/// The probability of a run, and the weight of its observations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The sum of the logarithms of the draws' probabilities or densities; -∞ for an impossible run.
    pub log_probability: f64,
    /// The logarithm of the product of the observations' weights, up to the point where the run became impossible.
    pub log_weight: f64,
}

impl Score {
    /// The score of a run without terms.
    const CERTAIN: Self = Self { log_probability: 0.0, log_weight: 0.0 };

    /// Adds a term with its draw. Returns false if the draw is impossible, so that later terms don't count.
    fn add(&mut self, law: &Distribution<'_>, draw: Outcome) -> Result<bool, Error> {
        let log = law.log_probability(draw)?;
        if draw == Outcome::Nothing {
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

/// Computes the probability that the process makes exactly these draws. An observation counts as the draw
/// [`Outcome::Nothing`].
///
/// # Errors
/// Returns [`Error::AtStep`] with the number of the term, counted from 0, if a draw is of the wrong kind for its term,
/// if the draws end before the process, if the process ends before the draws, or if a distribution is out of its range.
/// If the watch cancels the call, returns [`Error::AtStep`] with the reason [`Error::Stopped`].
pub fn score<C: Coalgebra>(process: &C, draws: &[Outcome], limits: &Limits<'_>) -> Result<Score, Error> {
    let mut score = Score::CERTAIN;
    let mut flow = process.start();
    for (step, &draw) in draws.iter().enumerate() {
        let step = step as u64;
        limits.watch.check(step).map_err(|stopped| Error::from(stopped).at_step(step))?;
        let Flow::More(state) = flow else {
            return Err(Error::refused(
                "the trace belongs to a different process: the process ended before this draw",
            )
            .at_step(step));
        };
        let law = process.distribution(&state);
        if !score.add(&law, draw).map_err(|error| error.at_step(step))? {
            return Ok(score);
        }
        drop(law);
        flow = process.next(state, draw);
    }
    match flow {
        Flow::Done(_) => Ok(score),
        Flow::More(state) => {
            let end = || {
                Err(Error::refused(
                    "the trace belongs to a different process: the process goes on after the last draw",
                ))
            };
            process
                .distribution(&state)
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
    use crate::process::builtin::Crp;

    /// The terms of a restaurant of four customers have two, three and four weights.
    #[test]
    fn weights_of_all_terms_are_counted() {
        let of = |weights| {
            let words = &mut Run::seeded(b"weights").unwrap().words().unwrap();
            trace_of(&Crp::new(4, 1.5).unwrap(), words, &Limits::default(), weights)
                .map(|trace| trace.terms.len())
        };
        assert_eq!(of(9), Ok(3));
        let refused = of(8).unwrap_err().to_string();
        assert_eq!(refused, "the number of weights of a trace's terms must be at most 2^26, not 9");
    }
}
