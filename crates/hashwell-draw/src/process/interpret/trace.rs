//! One run of a process with all of its terms, and how likely a run is.

use super::limits::Limits;
use super::sample::walk;
use crate::Error;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use hashwell::RandomSource;

/// A run of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<O> {
    /// The terms in their order, each with its draw.
    pub terms: Vec<(Distribution<'static>, Outcome)>,
    /// What came of it.
    pub out: O,
    /// The logarithm of the product of the observations' weights: 0 without one, -∞ if one is 0.
    pub log_weight: f64,
}

impl<O> Trace<O> {
    /// The draws alone, as [`score`] takes them.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
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
const MAX_WEIGHTS: usize = 1 << 26;

/// As [`sample`](super::sample()), with all terms and their outcomes.
///
/// # Errors
/// As [`sample`](super::sample()); [`Error::OutOfRange`] for terms with more than 2^26 weights in total; [`Error::Memory`].
pub fn trace<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
) -> Result<Trace<C::Out>, Error> {
    trace_of(process, words, limits, MAX_WEIGHTS)
}

/// As [`trace`], with at most this many weights of all terms.
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
            return Err(Error::range("the weights of a trace's terms", "at most 2^26", weights));
        }
        terms.try_reserve(1).map_err(|_| Error::Memory { what: "a trace" })?;
        terms.push((term.copied()?, outcome));
        Ok(())
    })?;
    Ok(Trace { terms, out, log_weight })
}

/// Adds what an observation weighs.
#[inline]
pub(super) fn weight(log_weight: &mut f64, law: &Distribution<'_>, draw: Outcome) -> Result<(), Error> {
    if draw == Outcome::Nothing {
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

/// How likely it is that the process draws just this, observations' [`Outcome::Nothing`] among the draws.
///
/// # Errors
/// [`Error::AtStep`] with the number of the term, counted from 0: where a draw is of another kind than its term, where the
/// draws end and the process does not, where the process ends and the draws do not, for a distribution out of its range, and
/// with [`Error::Stopped`] if the watch cancels the work.
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

    /// The terms of a restaurant of four have two, three and four weights.
    #[test]
    fn weights_of_all_terms_are_counted() {
        let of = |weights| {
            let words = &mut Run::seeded(b"weights").unwrap().words().unwrap();
            trace_of(&Crp::new(4, 1.5).unwrap(), words, &Limits::default(), weights)
                .map(|trace| trace.terms.len())
        };
        assert_eq!(of(9), Ok(3));
        let refused = of(8).unwrap_err().to_string();
        assert_eq!(refused, "the weights of a trace's terms must be at most 2^26, not 9");
    }
}
