//! Successive sampling with weights that decay with age.

use crate::Error;
use crate::error::shown;
use crate::weighted::race_key;

/// Computes keys of rows for successive sampling with weights that decay with age. A row with initial weight w and time
/// t has the weight w·e^(rate·(t - now)), which decreases by the factor e every 1/rate units of time. This is *forward*
/// decay (Cormode, Shkapenyuk, Srivastava and Xu 2009): the factor e^(-rate·now) is the same for all rows and cancels.
/// The key of a row is therefore ln E - ln w - rate·t, where E is exponentially distributed. It does not change as time
/// goes on. No exponentials are computed, so nothing overflows. A
/// [`WeightedReservoir`](crate::weighted::WeightedReservoir) keeps the k rows with the smallest keys.
///
/// Times can have any origin, which must be the same for all rows. Choose an origin near the rows' times, so that
/// rate·t loses no digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    rate: f64,
}

impl Decay {
    /// Creates a decay by the factor e every 1/`rate` units of time. A rate of 0 means no decay.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the rate is negative or not finite.
    pub fn new(rate: f64) -> Result<Self, Error> {
        if (0.0..=f64::MAX).contains(&rate) {
            return Ok(Self { rate });
        }
        Err(Error::range("a decay rate", "a finite number of at least 0", shown(rate)))
    }

    /// Creates a decay by half in every period of this length.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the time is not above 0, or if it is so small that the rate is not finite.
    pub fn half_life(time: f64) -> Result<Self, Error> {
        let rate = std::f64::consts::LN_2 / time;
        if time > 0.0 && rate <= f64::MAX {
            return Ok(Self { rate });
        }
        Err(Error::range("a half-life", "a number above 0", shown(time)))
    }

    /// The key of a row with this weight and time, computed from the random number `word`. It is `None` if the weight
    /// is 0, because such rows are never drawn.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the weight is negative or not finite, or if rate·t is not finite.
    pub fn key(&self, word: u64, weight: f64, time: f64) -> Result<Option<f64>, Error> {
        if !(0.0..=f64::MAX).contains(&weight) {
            return Err(Error::weight(weight));
        }
        let age = self.rate * time;
        if !age.is_finite() {
            return Err(Error::range("a row's time, times the decay rate,", "finite", age));
        }
        Ok((weight > 0.0).then(|| race_key(word, weight) - age))
    }
}
