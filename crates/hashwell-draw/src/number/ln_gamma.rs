//! The logarithm of the gamma function.

use super::logarithm::ln;

/// ln Γ(x) for x > 0.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return if x == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    let (mut x, mut shift) = (x, 0.0);
    while x < 10.0 {
        shift += ln(x);
        x += 1.0;
    }
    let t = 1.0 / (x * x);
    let tail = (1.0 / 12.0 - t * (1.0 / 360.0 - t * (1.0 / 1260.0 - t * (1.0 / 1680.0 - t / 1188.0)))) / x;
    (x - 0.5) * ln(x) - x + 0.918_938_533_204_672_8 + tail - shift
}
