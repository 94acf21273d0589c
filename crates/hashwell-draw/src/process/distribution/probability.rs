//! The probabilities of a term's draws.

use super::{Distribution, Outcome, check_gaussian, check_probability, check_weight};
use crate::Error;
use crate::draw::{check_shape, checked_sum};
use crate::error::shown;
use crate::number::{HALF_LN_TWO_PI, ln, ln_beta, log1p};

impl Distribution<'_> {
    /// Calls `take` with each possible draw of this distribution and its probability, in the order of indices. For an
    /// observation, calls `take` with [`Outcome::Nothing`] and the weight, unless the weight is 0.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a parameter is out of its range, or the error that `take` returns. Returns
    /// [`Error::Invalid`] if the distribution has a density, because its draws then cannot be enumerated.
    pub fn each_outcome(&self, mut take: impl FnMut(Outcome, f64) -> Result<(), Error>) -> Result<(), Error> {
        match self {
            Distribution::Bernoulli(p) => {
                check_probability(*p)?;
                if *p < 1.0 {
                    take(Outcome::Index(0), 1.0 - p)?;
                }
                if *p > 0.0 {
                    take(Outcome::Index(1), *p)?;
                }
                Ok(())
            }
            Distribution::Categorical(weights) => {
                let (sum, _) = checked_sum(weights)?;
                for (index, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                    take(Outcome::Index(index as u64), weight / sum)?;
                }
                Ok(())
            }
            Distribution::Below(n) => {
                check_choices(*n)?;
                (0..*n).try_for_each(|index| take(Outcome::Index(index), 1.0 / *n as f64))
            }
            Distribution::Observe(weight) => {
                check_weight(*weight)?;
                if *weight > 0.0 { take(Outcome::Nothing, *weight) } else { Ok(()) }
            }
            Distribution::Fail(error) => Err((**error).clone()),
            Distribution::NoMemory(what) => Err(Error::Memory { what }),
            Distribution::Uniform | Distribution::Gaussian { .. } | Distribution::Beta { .. } => {
                Err(Error::refused(format!("{self} can't be enumerated: its outcomes are continuous")))
            }
        }
    }

    /// A placeholder for the draws of a distribution with a density; `None` if its draws can be enumerated.
    pub(in crate::process) fn numbers(&self) -> Option<&'static str> {
        match self {
            Distribution::Uniform => Some("0 <= u < 1"),
            Distribution::Gaussian { .. } => Some("x"),
            Distribution::Beta { .. } => Some("0 <= x <= 1"),
            _ => None,
        }
    }

    /// The logarithm of a draw's probability or density, or -∞ for an impossible draw. For an observation, this is the
    /// logarithm of its weight.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if a parameter is out of its range, or [`Error::Invalid`] if the draw is of the
    /// wrong kind for this distribution.
    pub fn log_probability(&self, draw: Outcome) -> Result<f64, Error> {
        Ok(match (self, draw) {
            (Distribution::Bernoulli(p), Outcome::Index(index)) => {
                check_probability(*p)?;
                match index {
                    0 => log1p(-p),
                    1 => ln(*p),
                    _ => f64::NEG_INFINITY,
                }
            }
            (Distribution::Categorical(weights), Outcome::Index(index)) => {
                let (sum, _) = checked_sum(weights)?;
                let weight = usize::try_from(index).ok().and_then(|index| weights.get(index));
                weight.map_or(f64::NEG_INFINITY, |weight| ln(weight / sum))
            }
            (Distribution::Below(n), Outcome::Index(index)) => {
                check_choices(*n)?;
                if index < *n { -ln(*n as f64) } else { f64::NEG_INFINITY }
            }
            (Distribution::Uniform, Outcome::Real(_)) => {
                if self.admits(draw) {
                    0.0
                } else {
                    f64::NEG_INFINITY
                }
            }
            (Distribution::Gaussian { mean, deviation }, Outcome::Real(x)) => {
                check_gaussian(*mean, *deviation)?;
                if self.admits(draw) { ln_gaussian_density(*mean, *deviation, x) } else { f64::NEG_INFINITY }
            }
            (Distribution::Beta { a, b }, Outcome::Real(x)) => {
                check_shape(*a)?;
                check_shape(*b)?;
                if self.admits(draw) { ln_beta_density(*a, *b, x) } else { f64::NEG_INFINITY }
            }
            (Distribution::Observe(weight), Outcome::Nothing) => {
                check_weight(*weight)?;
                ln(*weight)
            }
            (Distribution::Fail(error), _) => return Err((**error).clone()),
            (Distribution::NoMemory(what), _) => return Err(Error::Memory { what }),
            (law, draw) => return Err(law.of_another_kind(draw)),
        })
    }

    #[cold]
    fn of_another_kind(&self, draw: Outcome) -> Error {
        let given = match draw {
            Outcome::Index(index) => format!("the integer {index}"),
            Outcome::Real(real) => format!("the real number {}", shown(real)),
            Outcome::Nothing => "nothing".into(),
        };
        let kind = match self {
            Distribution::Observe(_) => "nothing",
            law if law.numbers().is_some() => "real numbers",
            _ => "integers",
        };
        Error::refused(format!("invalid outcome: {given}, but {self} gives {kind}"))
    }
}

/// The logarithm of e^(-z²/2) / (deviation √(2π)), where z is the standardized x.
pub(in crate::process) fn ln_gaussian_density(mean: f64, deviation: f64, x: f64) -> f64 {
    let z = (x - mean) / deviation;
    -0.5 * z * z - ln(deviation) - HALF_LN_TWO_PI
}

/// The logarithm of x^(a-1) (1-x)^(b-1) / B(a, b), where a factor with exponent 0 is 1, at the ends too.
fn ln_beta_density(a: f64, b: f64, x: f64) -> f64 {
    let power = |exponent: f64, log: f64| if exponent == 0.0 { 0.0 } else { exponent * log };
    power(a - 1.0, ln(x)) + power(b - 1.0, log1p(-x)) - ln_beta(a, b)
}

fn check_choices(n: u64) -> Result<(), Error> {
    if n > 0 { Ok(()) } else { Err(Error::range("the number of choices", "at least 1", n)) }
}

impl std::fmt::Display for Distribution<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Distribution::Bernoulli(p) => write!(f, "Bernoulli({})", shown(*p)),
            Distribution::Uniform => f.write_str("Uniform"),
            Distribution::Categorical(weights) => {
                f.write_str("Categorical(")?;
                for (index, weight) in weights.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, shown(*weight))?;
                }
                f.write_str(")")
            }
            Distribution::Below(n) => write!(f, "Below({n})"),
            Distribution::Gaussian { mean, deviation } => {
                write!(f, "Gaussian({}, {})", shown(*mean), shown(*deviation))
            }
            Distribution::Beta { a, b } => write!(f, "Beta({}, {})", shown(*a), shown(*b)),
            Distribution::Observe(weight) => write!(f, "Observe({})", shown(*weight)),
            Distribution::Fail(error) => write!(f, "Fail({error})"),
            Distribution::NoMemory(what) => write!(f, "Fail({})", Error::Memory { what }),
        }
    }
}
