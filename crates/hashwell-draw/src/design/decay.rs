//! Weights that fall with age.

use crate::Error;
use crate::error::shown;
use crate::weighted::race_key;

/// Successive sampling with weights w·e^(rate·(t - now)): a row of time t loses the factor e for each 1/rate that goes by.
/// *Forward* decay (Cormode, Shkapenyuk, Srivastava and Xu 2009): the factor e^(-rate·now) is the same for all rows and
/// cancels, so that rows keep their keys, ln E - ln w - rate·t, as time goes on. Nothing is exponentiated, so nothing
/// overflows. The k rows with the smallest keys are a [`WeightedReservoir`](crate::weighted::WeightedReservoir).
///
/// Times are counted from anywhere, the same for all; from near the rows, so that rate·t keeps its digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    rate: f64,
}

impl Decay {
    /// Decay by the factor e in a time of 1/`rate`; 0 is none.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless it is finite and 0 or more.
    pub fn new(rate: f64) -> Result<Self, Error> {
        if (0.0..=f64::MAX).contains(&rate) {
            return Ok(Self { rate });
        }
        Err(Error::range("a rate of decay", "a finite number of at least 0", shown(rate)))
    }

    /// Decay by half in this time.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless it is above 0 and not too small to have a rate.
    pub fn half_life(time: f64) -> Result<Self, Error> {
        let rate = std::f64::consts::LN_2 / time;
        if time > 0.0 && rate <= f64::MAX {
            return Ok(Self { rate });
        }
        Err(Error::range("a half-life", "a number above 0", shown(time)))
    }

    /// The key of a row of this weight and time, if `word` is uniform; `None` if the weight is 0, whose rows are never
    /// drawn.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a weight that is negative or not finite, and a time for which rate·t is not finite.
    pub fn key(&self, word: u64, weight: f64, time: f64) -> Result<Option<f64>, Error> {
        if !(0.0..=f64::MAX).contains(&weight) {
            return Err(Error::weight(weight));
        }
        let age = self.rate * time;
        if !age.is_finite() {
            return Err(Error::range("a row's time", "finite, and so its product with the rate", time));
        }
        Ok((weight > 0.0).then(|| race_key(word, weight) - age))
    }
}
