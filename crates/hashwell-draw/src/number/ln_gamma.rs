//! The logarithms of the gamma and beta functions, used for probabilities of draws. No draw is decided by them.

use super::logarithm::{ln, log1p};

/// ½ ln 2π, which is ln √(2π).
pub(crate) const HALF_LN_TWO_PI: f64 = 0.918_938_533_204_672_8;
/// From this value on, the last term of Stirling's series is below 10^-19.
const LARGE: f64 = 16.0;

/// Returns ln Γ(x) for x > 0, which is the same on every machine. If x is at least 16, it is computed by Stirling's
/// series (Abramowitz and Stegun 6.1.41). If x is below 16, the series is evaluated at y, the first of the numbers x +
/// 1, x + 2, … that is at least 16, and the logarithm of x · (x + 1) · … · (y - 1) is subtracted.
///
/// The error is at most 2 · 10^-14 + 4 · 10^-16 |ln Γ(x)| (measured); near the zeros of ln Γ at 1 and 2, only the first
/// term matters. Returns ∞ for 0, and NaN for negative numbers and NaN.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY) {
        return if x >= 0.0 { f64::INFINITY } else { f64::NAN };
    }
    let (mut y, mut product) = (x, 1.0);
    while y < LARGE {
        product *= y;
        y += 1.0;
    }
    (y - 0.5) * ln(y) - y + HALF_LN_TWO_PI + stirling(y) - ln(product)
}

/// Returns ln B(a, b) = ln Γ(a) + ln Γ(b) - ln Γ(a + b) for a, b > 0. It is computed without cancellation between these
/// three terms, with the case distinctions of Didonato and Morris (ACM TOMS 18, 1992, algorithm 708, `betaln`). The
/// error is at most 3 · 10^-14 + 4 · 10^-16 |ln B(a, b)| (measured for a and b up to 10^15).
#[must_use]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a <= b { (a, b) } else { (b, a) };
    if large < LARGE {
        return ln_gamma(small) + (ln_gamma(large) - ln_gamma(small + large));
    }
    let sum = small + large;
    let tails = stirling(large) - stirling(sum);
    let rest = log1p(-small / sum);
    if small < LARGE {
        return ln_gamma(small) + (tails + small - small * ln(sum) + (large - 0.5) * rest);
    }
    let tails = tails + stirling(small);
    HALF_LN_TWO_PI - 0.5 * ln(large) + tails + (small - 0.5) * ln(small / sum) + large * rest
}

/// ln Γ(x) - ((x - ½) ln x - x + ½ ln 2π): Σ B(2i) / (2i (2i - 1) x^(2i - 1)).
fn stirling(x: f64) -> f64 {
    const SERIES: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let t = 1.0 / x / x;
    SERIES.iter().rev().fold(0.0, |sum, c| sum * t + c) / x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, must: f64, floor: f64) -> bool {
        (got - must).abs() <= floor + 4e-16 * must.abs()
    }

    /// The expected values were computed by mpmath with 40 digits.
    #[test]
    #[expect(clippy::excessive_precision, reason = "digits as they were computed")]
    fn values() {
        for (x, must) in [
            (1e-300, 690.77552789821370518),
            (1e-10, 23.025850929882735237),
            (0.25, 1.2880225246980774574),
            (0.5, 0.57236494292470008707),
            (1.0, 0.0),
            (1.5, -0.12078223763524522235),
            (2.0, 0.0),
            (2.2313924115070365, 0.11431481910969165705),
            (3.7, 1.4280723266653881292),
            (10.0, 12.801827480081469611),
            (15.999, 27.89653040276015035),
            (16.0, 27.899271383840891566),
            (100.5, 361.43554046777762156),
            (1000000.0, 12815504.56914761166),
            (1000000000000000.0, 33538776394910668.91),
        ] {
            assert!(near(ln_gamma(x), must, 2e-14), "{x}: {} {must}", ln_gamma(x));
        }
        for (a, b, must) in [
            (1e-300, 1e-300, 691.46867507877365049),
            (0.001, 1000000000000000.0, 6.8726401089889429762),
            (0.5, 0.5, 1.1447298858494001741),
            (2.0, 3.0, -2.4849066497880003102),
            (7.25, 40.0, -20.229168035607274814),
            (1000.0, 0.001, 6.900271629687954933),
            (20.0, 30.0, -33.968820791977382963),
            (100000000.0, 3000000000.0, -441768197.19249416267),
            (1000000000000000.0, 1000000000000000.0, -1386294361119906.6227),
        ] {
            assert!(near(ln_beta(a, b), must, 3e-14), "{a} {b}: {} {must}", ln_beta(a, b));
            assert_eq!(ln_beta(a, b).to_bits(), ln_beta(b, a).to_bits());
        }
    }

    #[test]
    fn ends() {
        assert_eq!((ln_gamma(0.0), ln_gamma(f64::INFINITY)), (f64::INFINITY, f64::INFINITY));
        assert!(ln_gamma(-1.5).is_nan() && ln_gamma(f64::NAN).is_nan());
    }
}
