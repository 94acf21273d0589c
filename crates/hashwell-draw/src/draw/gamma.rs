//! Numbers of the gamma and beta laws.

use super::gaussian::gaussian;
use super::unit::unit_positive;
use crate::Error;
use crate::number::{exp, expm1, ln, log1p, minus_ln_unit};
use hashwell::Words;

/// Shapes that these laws are drawn of.
pub(crate) const SHAPES: std::ops::RangeInclusive<f64> = 1e-300..=1e15;

/// The logarithm of a number of the gamma law of this shape and scale 1.
///
/// # Errors
/// [`Error::OutOfRange`] unless the shape is 1e-300 to 1e15; [`Error::Words`].
pub(super) fn ln_gamma_draw(words: &mut (impl Words + ?Sized), shape: f64) -> Result<f64, Error> {
    check_shape(shape)?;
    let boost = if shape < 1.0 { ln(unit_positive(words)?) / shape } else { 0.0 };
    let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
    let c = 1.0 / (3.0 * d.sqrt());
    loop {
        let z = gaussian(words)?;
        let y = c * z;
        let u = unit_positive(words)?;
        if y > -1.0 {
            let w = y * (3.0 + y * (3.0 + y));
            let log = log1p(w);
            if ln(u) <= 0.5 * z * z + d * (log - w) {
                return Ok(ln(d) + log + boost);
            }
        }
    }
}

/// x of 0 <= x <= 1 of the beta law.
///
/// # Errors
/// [`Error::OutOfRange`] unless the shapes are 1e-300 to 1e15; [`Error::Words`].
pub fn beta(words: &mut (impl Words + ?Sized), a: f64, b: f64) -> Result<f64, Error> {
    check_shape(a)?;
    check_shape(b)?;
    if a == 1.0 {
        return Ok(-expm1(-minus_ln_unit(words.next_u64()?) / b));
    }
    if b == 1.0 {
        return Ok(exp(-minus_ln_unit(words.next_u64()?) / a));
    }
    let odds = ln_gamma_draw(words, a)? - ln_gamma_draw(words, b)?;
    let small = exp(-odds.abs());
    Ok(if odds < 0.0 { small } else { 1.0 } / (1.0 + small))
}

pub(crate) fn check_shape(shape: f64) -> Result<(), Error> {
    if SHAPES.contains(&shape) { Ok(()) } else { Err(Error::range("a shape", "1e-300 to 1e15", shape)) }
}
