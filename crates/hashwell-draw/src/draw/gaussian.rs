//! Normally distributed numbers, by the ratio of uniforms.

use super::unit::{unit, unit_positive};
use crate::Error;
use crate::number::ln;
use hashwell::RandomSource;

/// sqrt(8/e): the width of the region from which v is drawn.
const WIDTH: f64 = 1.715_527_769_921_413_5;

/// Draws a standard normal number z by the ratio of uniforms (Kinderman and Monahan, "Computer Generation of Random
/// Variables Using the Ratio of Uniform Deviates", ACM TOMS 3, 1977). First, u is drawn by [`unit_positive`] and v by
/// [`unit()`], and z = (v - 1/2) · sqrt(8/e) / u. Both u and v are drawn again until z · z <= -4 · ln u.
///
/// Consumes 2 random numbers for each attempt. An attempt is accepted with probability sqrt(πe)/4 = 0.7306, so 2.738
/// random numbers are consumed on average. The result is from -12.13 to 12.13.
///
/// The distribution is exact, except that u and v are multiples of 2^-53, and that z and the logarithm are rounded.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails.
pub fn gaussian(words: &mut (impl RandomSource + ?Sized)) -> Result<f64, Error> {
    loop {
        let u = unit_positive(words)?;
        let z = (unit(words)? - 0.5) * WIDTH / u;
        if taken(u, z * z) {
            return Ok(z);
        }
    }
}

/// Returns true if square <= -4 ln u. Two tangents of the logarithm decide most attempts without computing it (the
/// paper's section 4). They are moved inwards by 10^-6, so that rounding cannot make them decide differently.
#[inline]
fn taken(u: f64, square: f64) -> bool {
    /// 4 e^(1/4), from the tangent at u = e^(-1/4): -4 ln u >= 5 - 4 e^(1/4) u.
    const INNER: f64 = 5.136_101_666_750_965;
    /// 4 e^(-1.35), from the tangent of ln (1/u) at 1/u = e^1.35: -4 ln u <= 4 e^(-1.35) / u + 1.4.
    const OUTER: f64 = 1.036_961_042_583_566_5;
    if square < 4.999_999 - INNER * u {
        return true;
    }
    square * u < OUTER + 1.400_001 * u && square <= -4.0 * ln(u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;
    use hashwell::{ByteSource, CounterRng};

    #[test]
    fn tangents_change_nothing() {
        let mut words = CounterRng::new(&[7; 32]);
        let mut looked = 0;
        for i in 0..300_000 {
            let u = unit_positive(&mut words).unwrap();
            // Two thirds of the points lie on the border, or very close to it.
            let border = -4.0 * ln(u);
            let square = match i % 3 {
                0 => border + (unit(&mut words).unwrap() - 0.5) * 1e-6,
                1 => border,
                _ => (unit(&mut words).unwrap() * 1.72 / u) * (unit(&mut words).unwrap() / u),
            };
            assert_eq!(taken(u, square), square <= border, "{u} {square}");
            looked += i32::from(square <= border);
        }
        assert!((100_000..250_000).contains(&looked));
        // Test points around those where the tangents touch the curve.
        for at in [(-0.25_f64).exp(), (-1.35_f64).exp()] {
            for step in -50..50 {
                let u = at * (1.0 + f64::from(step) * 1e-9);
                let border = -4.0 * ln(u);
                assert!(taken(u, border) && !taken(u, border * (1.0 + 4.0 * f64::EPSILON)));
            }
        }
    }

    #[test]
    fn words_are_counted() {
        // u = 1 accepts only z = 0; u = 1/2 accepts |z| <= 1.665.
        let (half, one) = (1 << 63, u64::MAX);
        let tape = [one, half, one, 0, half - 1, half / 2];
        let mut tape = Tape::new(&tape);
        assert_eq!((gaussian(&mut tape), tape.stream_position()), (Ok(0.0), Some(16)));
        assert_eq!((gaussian(&mut tape), tape.stream_position()), (Ok(-0.5 * WIDTH), Some(48)));
        assert!(matches!(gaussian(&mut Tape::new(&[1])), Err(Error::RandomSource(_))));
        let draws = 100_000;
        let mut words = CounterRng::new(&[8; 32]);
        (0..draws).for_each(|_| assert!(gaussian(&mut words).unwrap().abs() < 12.13));
        // Standard deviations: 0.71 for the attempts of a draw, 1.42 for its random numbers, 0.0045 for the mean.
        let eaten = words.position() as f64 / 8.0 / f64::from(draws);
        assert!((eaten - 2.738).abs() < 0.022, "{eaten}");
    }

    /// The expected values were computed by a separate Python program that follows `docs/spec/draw.md`.
    #[test]
    fn pinned() {
        let mut words = CounterRng::new(&[9; 32]);
        let bits: Vec<u64> = (0..4).map(|_| gaussian(&mut words).unwrap().to_bits()).collect();
        assert_eq!(
            bits,
            [0x3ff1_3b10_2b6d_dd46, 0x3fd9_3285_0ed2_0c78, 0x3ff8_9acd_2c03_4dcd, 0x3f61_bef9_a482_290a]
        );
    }
}
