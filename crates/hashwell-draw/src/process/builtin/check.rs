//! Checks of parameters, and closed forms shared by several processes.

use crate::Error;
use crate::error::shown;
use crate::number::{exp, expm1};

/// A distribution given as a list must have the sum 1, within this tolerance.
const TOLERANCE: f64 = 1e-9;

/// Sums closer to 1 than this count as 1, so that lists such as 0.1, 0.2, 0.7 stay unchanged. The limit is the rounding
/// error of a sum of a few thousand probabilities.
const ROUNDING: f64 = 1e-12;

/// The maximum number of values of a path. It is also the maximum number of customers of
/// [`CrpTables`](super::CrpTables), of points of [`StickBreaking`](super::StickBreaking) and of draws of
/// [`PolyaUrn`](super::PolyaUrn). More would not fit into memory.
pub const MAX_POINTS: u32 = 1 << 27;

pub(super) fn probability(what: &'static str, p: f64) -> Result<f64, Error> {
    if (0.0..=1.0).contains(&p) { Ok(p) } else { Err(Error::range(what, "0 to 1", shown(p))) }
}

/// Checks the probability of a success, for processes that wait for successes.
pub(super) fn success(p: f64) -> Result<f64, Error> {
    let right = p > 0.0 && p <= 1.0;
    if right { Ok(p) } else { Err(Error::range("p", "more than 0 and at most 1", shown(p))) }
}

pub(super) fn positive(what: &'static str, x: f64) -> Result<f64, Error> {
    let right = x > 0.0 && x.is_finite();
    if right { Ok(x) } else { Err(Error::range(what, "finite and more than 0", shown(x))) }
}

pub(super) fn finite(what: &'static str, x: f64) -> Result<f64, Error> {
    if x.is_finite() { Ok(x) } else { Err(Error::range(what, "finite", shown(x))) }
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
        let must = if least == most { most.to_string() } else { format!("{least} to {most}") };
        Err(Error::range(what, must, got))
    }
}

/// Checks a distribution of at least one probability, with sum 1. It is divided by its sum, so that draws, enumerations
/// and closed forms have exactly the same distribution.
pub(super) fn probabilities(what: &'static str, mut law: Vec<f64>) -> Result<Vec<f64>, Error> {
    if law.is_empty() {
        return Err(Error::range(what, "a list of at least one probability", "empty"));
    }
    for &p in &law {
        probability(what, p)?;
    }
    let sum: f64 = law.iter().sum();
    let off = (sum - 1.0).abs();
    if off > TOLERANCE {
        return Err(Error::range(what, "probabilities that sum to 1", format!("to {}", shown(sum))));
    }
    if off > ROUNDING {
        law.iter_mut().for_each(|p| *p /= sum);
    }
    Ok(law)
}

/// Checks distributions of the same length, one for each row, and concatenates them.
pub(super) fn laws(what: &'static str, rows: Vec<Vec<f64>>, width: usize) -> Result<Vec<f64>, Error> {
    let mut all = Vec::new();
    for (number, row) in rows.into_iter().enumerate() {
        if row.len() != width {
            let got = format!("{} (in row {number})", row.len());
            return Err(Error::range(what, format!("a matrix with rows of {width} probabilities"), got));
        }
        all.extend(probabilities(what, row)?);
    }
    Ok(all)
}

/// The probability that a walk on 0 to `n` that starts at `i` is absorbed at n, where `odds` is ln(probability down /
/// probability up) at each step: (1 - e^(odds i)) / (1 - e^(odds n)), or i / n for odds of 0 (W. Feller, An
/// Introduction to Probability Theory I, XIV.2).
pub(super) fn absorbed_above(odds: f64, i: f64, n: f64) -> f64 {
    if i == n || i == 0.0 {
        return if i == n { 1.0 } else { 0.0 };
    }
    if odds == 0.0 {
        return i / n;
    }
    if odds < 0.0 {
        return expm1(odds * i) / expm1(odds * n);
    }
    if odds == f64::INFINITY {
        return 0.0;
    }
    exp(-odds * (n - i)) * expm1(-odds * i) / expm1(-odds * n)
}
