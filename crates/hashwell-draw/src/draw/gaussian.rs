//! Normally distributed numbers, by the ratio of uniforms.

use super::unit::{unit, unit_positive};
use crate::Error;
use crate::number::ln;
use hashwell::Words;

/// sqrt(8/e), the width of the region from which v is drawn.
const WIDTH: f64 = 1.715_527_769_921_413_5;

/// z of the standard normal law (Kinderman and Monahan, "Computer Generation of Random Variables Using the Ratio of Uniform
/// Deviates", 1977): u is a [`unit_positive`], v = (w - 1/2) · sqrt(8/e) of a [`unit`] w, z = v / u, again unless z² <= -4 ln u.
///
/// Eats 2 words for each try, of which sqrt(πe)/4 = 0.7306 are taken: 2.738 words in the mean.
///
/// # Errors
/// [`Error::Words`].
pub fn gaussian(words: &mut (impl Words + ?Sized)) -> Result<f64, Error> {
    loop {
        let u = unit_positive(words)?;
        let z = (unit(words)? - 0.5) * WIDTH / u;
        if z * z <= -4.0 * ln(u) {
            return Ok(z);
        }
    }
}
