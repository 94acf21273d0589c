//! Likelihood weighting: replicates of the process without conditioning, each with the weight of the observations.

use super::limits::Limits;
use super::sample::walk;
use super::simulate::{MEMORY, outs_of};
use super::trace::weight;
use crate::Error;
use crate::number::{exp, ln};
use crate::process::{Coalgebra, Run};
use hashwell::RandomSource;
use std::ops::Range;

/// Replicates with their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted<O> {
    /// The outcome of each replicate, in order.
    pub outs: Vec<O>,
    /// The logarithm of each replicate's weight, which is the product of its observations' weights.
    pub log_weights: Vec<f64>,
    /// False if the watch ended the simulation before all replicates were done.
    pub finished: bool,
}

/// Simulates these replicates like [`simulate`](super::simulate()), and also returns their weights.
///
/// # Errors
/// Returns the same errors as [`simulate`](super::simulate()).
pub fn weigh<C>(
    process: &C,
    run: &Run,
    replicates: Range<u64>,
    limits: &Limits<'_>,
) -> Result<Weighted<C::Out>, Error>
where
    C: Coalgebra + Sync,
    C::Out: Send,
{
    let simulated = outs_of(run, replicates, limits, |words, limits| weigh_one(process, words, limits))?;
    let (mut outs, mut log_weights) = (Vec::new(), Vec::new());
    let reserved = outs.try_reserve_exact(simulated.outs.len());
    reserved.and_then(|()| log_weights.try_reserve_exact(simulated.outs.len())).map_err(|_| MEMORY)?;
    for (out, log_weight) in simulated.outs {
        outs.push(out);
        log_weights.push(log_weight);
    }
    Ok(Weighted { outs, log_weights, finished: simulated.finished })
}

/// Samples the process once, and also returns the logarithm of the run's weight, as [`weigh`] does for each replicate.
///
/// # Errors
/// Returns the same errors as [`sample`](super::sample()).
#[inline]
pub fn weigh_one<C: Coalgebra>(
    process: &C,
    words: &mut (impl RandomSource + ?Sized),
    limits: &Limits<'_>,
) -> Result<(C::Out, f64), Error> {
    let mut log_weight = 0.0;
    let out = walk(process, words, limits, |term, outcome| weight(&mut log_weight, term, outcome))?;
    Ok((out, log_weight))
}

impl<O> Weighted<O> {
    /// The largest logarithm of a weight, and all weights divided by the largest weight.
    fn parts(&self) -> Result<(f64, Vec<f64>), Error> {
        let most = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return Err(Error::range("the probability of the observations", "more than 0", 0));
        }
        Ok((most, self.log_weights.iter().map(|log| exp(log - most)).collect()))
    }

    /// The weights of the replicates, normalized to a sum of 1.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if all weights are 0, or if there are no replicates.
    pub fn posterior(&self) -> Result<Vec<f64>, Error> {
        let (_, mut parts) = self.parts()?;
        let sum: f64 = parts.iter().sum();
        parts.iter_mut().for_each(|part| *part /= sum);
        Ok(parts)
    }

    /// The effective sample size (Σ w)² / Σ w²: the number of replicates with equal weights that would give equally
    /// accurate means (Kong 1992).
    ///
    /// # Errors
    /// Returns the same errors as [`Weighted::posterior`].
    pub fn effective_sample_size(&self) -> Result<f64, Error> {
        let (_, parts) = self.parts()?;
        let (sum, squares) = parts.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        Ok(sum * sum / squares)
    }

    /// Returns true if the [effective sample size](Self::effective_sample_size) is below a tenth of the number of
    /// replicates, or if no weight is positive. Then a few replicates dominate every estimate, and the log evidence is
    /// usually far too low.
    #[must_use]
    pub fn is_degenerate(&self) -> bool {
        self.effective_sample_size().map_or(true, |size| size * 10.0 < self.log_weights.len() as f64)
    }

    /// The logarithm of the mean weight, which estimates the probability of the observations.
    ///
    /// # Errors
    /// Returns the same errors as [`Weighted::posterior`].
    pub fn log_evidence(&self) -> Result<f64, Error> {
        let (most, parts) = self.parts()?;
        Ok(most + ln(parts.iter().sum::<f64>() / parts.len() as f64))
    }

    /// The weighted mean of a function of the outcome.
    ///
    /// # Errors
    /// Returns the same errors as [`Weighted::posterior`].
    pub fn mean(&self, mut f: impl FnMut(&O) -> f64) -> Result<f64, Error> {
        let weights = self.posterior()?;
        Ok(self.outs.iter().zip(weights).map(|(out, weight)| f(out) * weight).sum())
    }
}
