//! What parameters must be, and closed forms that several processes share.

use crate::Error;
use crate::number::{exp, expm1};

/// What laws that are given as lists may be off from a sum of 1.
const TOLERANCE: f64 = 1e-9;

/// The points of a path, and the customers of encodings that are not the urn: more would not fit.
pub const MOST_POINTS: u32 = 1 << 27;

pub(super) fn probability(what: &'static str, p: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&p) { Ok(p) } else { Err(Error::range(what, "0 to 1", p)) }
}

pub(super) fn positive(what: &'static str, x: f64) -> Result<f64, Error> {
    let right = x > 0.0 && x.is_finite();
    if right { Ok(x) } else { Err(Error::range(what, "finite and more than 0", x)) }
}

pub(super) fn finite(what: &'static str, x: f64) -> Result<f64, Error> {
    if x.is_finite() { Ok(x) } else { Err(Error::range(what, "finite", x)) }
}

pub(super) fn whole<N: PartialOrd + std::fmt::Display>(
    what: &'static str,
    least: N,
    most: N,
    got: N,
) -> Result<N, Error> {
    if least <= got && got <= most {
        Ok(got)
    } else {
        Err(Error::range(what, format!("{least} to {most}"), got))
    }
}

/// A law of at least one probability, of sum 1.
pub(super) fn law(what: &'static str, law: Vec<f64>) -> Result<Vec<f64>, Error> {
    if law.is_empty() {
        return Err(Error::range(what, "at least one probability", "none"));
    }
    for &p in &law {
        probability(what, p)?;
    }
    let sum: f64 = law.iter().sum();
    if (sum - 1.0).abs() <= TOLERANCE {
        Ok(law)
    } else {
        Err(Error::range(what, "probabilities of sum 1", format!("of sum {sum}")))
    }
}

/// Laws of the same length, one row each, as one list.
pub(super) fn laws(what: &'static str, rows: Vec<Vec<f64>>, width: usize) -> Result<Vec<f64>, Error> {
    let mut all = Vec::new();
    for (number, row) in rows.into_iter().enumerate() {
        if row.len() != width {
            let got = format!("{} in row {number}", row.len());
            return Err(Error::range(what, format!("rows of {width} probabilities"), got));
        }
        all.extend(law(what, row)?);
    }
    Ok(all)
}

/// The chance that a walk on 0 to `n` from `i` is absorbed at n, where ln(chance down / chance up) is `odds` at each
/// step: (1 - e^(odds i)) / (1 - e^(odds n)), and i / n for odds of 0 (W. Feller, An Introduction to Probability Theory
/// I, XIV.2).
pub(super) fn absorbed_above(odds: f64, i: f64, n: f64) -> f64 {
    if odds == 0.0 || n == 0.0 {
        return if n == 0.0 { 1.0 } else { i / n };
    }
    if odds < 0.0 {
        return expm1(odds * i) / expm1(odds * n);
    }
    if odds == f64::INFINITY {
        return if i == n { 1.0 } else { 0.0 };
    }
    exp(-odds * (n - i)) * expm1(-odds * i) / expm1(-odds * n)
}
