//! Random numbers with a beta distribution.

use super::gaussian::gaussian;
use super::unit::unit_positive;
use crate::Error;
use crate::error::shown;
use crate::number::{exp, expm1, ln, log1p, minus_ln_unit};
use hashwell::RandomSource;

/// Draws a number x with 0 <= x <= 1 and the density x^(a-1) (1-x)^(b-1) / B(a, b). The result is rounded: values that
/// are too small for a float become 0, and values that are too close to 1 become 1.
///
/// If a or b is 1, x is computed by inversion from one random number. Let E be [`minus_ln_unit`] of this number. Then x
/// is 1 - e^(-E/b) if a is 1, and e^(-E/a) otherwise. If neither is 1, x = 1 / (1 + e^(L(b) - L(a))), where L(a) and
/// L(b) are the logarithms of gamma variables of the shapes a and b. L(a) is drawn first. Logarithms are used because
/// gamma variables of a small shape usually underflow.
///
/// L(a) and L(b) are drawn with the method of Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables"
/// (ACM TOMS 26, 2000), which is described here for L(a). The shape s is a, or a + 1 if a < 1 (section 6 of the paper).
/// Let d = s - 1/3, c = e^(-ln(d)/2) / 3, z a number drawn by [`gaussian`], u a number drawn by [`unit_positive`], y =
/// c · z, w = y · (3 + y · (3 + y)), which is (1 + y)³ - 1, and l = log1p(w). The numbers z and u are drawn again until
/// y > -1 and either u < 1 - 0.0331 · z⁴ or ln u <= z²/2 + d · (l - w). Then L(a) = ln d + l. If a < 1, E/a is
/// subtracted, where E is [`minus_ln_unit`] of one more random number.
///
/// Consumes 1 random number if a or b is 1. Otherwise, each attempt to draw z and u consumes 3.74 random numbers on
/// average. At s = 1, 95 % of the attempts are accepted, and more for larger s, so both shapes together consume 7.86 to
/// 7.48 random numbers on average. A shape below 1 consumes 1 more.
///
/// Because of rounding, the logarithms have an error of 1 ulp, and x has an error of about 10 ulp. At a shape of 10^15,
/// the probability of accepting an attempt has an error of at most 4 · 10^-9. Larger shapes are rejected, because their
/// error would be larger.
///
/// # Errors
/// Returns [`Error::OutOfRange`] if a shape is not from 1e-300 to 1e15; no random number is consumed in this case.
/// Returns [`Error::RandomSource`] if the random source fails.
pub fn beta(words: &mut (impl RandomSource + ?Sized), a: f64, b: f64) -> Result<f64, Error> {
    check_shape(a)?;
    check_shape(b)?;
    if a == 1.0 {
        return Ok(-expm1(-minus_ln_unit(words.next_u64()?) / b));
    }
    if b == 1.0 {
        return Ok(exp(-minus_ln_unit(words.next_u64()?) / a));
    }
    let first = log_gamma(words, a)?;
    let second = log_gamma(words, b)?;
    Ok(1.0 / (1.0 + exp(second - first)))
}

/// Returns an error unless this is a valid shape parameter of a beta distribution.
#[inline]
pub(crate) fn check_shape(shape: f64) -> Result<(), Error> {
    if (1e-300..=1e15).contains(&shape) {
        Ok(())
    } else {
        Err(Error::range("a shape", "1e-300 to 1e15", shown(shape)))
    }
}

/// The logarithm of a gamma variable: L in [`beta`].
fn log_gamma(words: &mut (impl RandomSource + ?Sized), a: f64) -> Result<f64, Error> {
    let small = a < 1.0;
    let d = if small { a + 1.0 } else { a } - 1.0 / 3.0;
    let log_d = ln(d);
    let c = exp(-0.5 * log_d) / 3.0;
    let log = loop {
        let z = gaussian(words)?;
        let u = unit_positive(words)?;
        let (y, square) = (c * z, z * z);
        // This is (1 + y)³ - 1, computed without cancellation for small y. If the shape is large, y is small.
        let w = y * (3.0 + y * (3.0 + y));
        let log = log1p(w);
        if y > -1.0 && (u < 1.0 - 0.0331 * (square * square) || ln(u) <= 0.5 * square + d * (log - w)) {
            break log_d + log;
        }
    };
    Ok(if small { log - minus_ln_unit(words.next_u64()?) / a } else { log })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::random::Tape;
    use hashwell::{ByteSource, CounterRng};

    fn words(seed: u8) -> CounterRng {
        CounterRng::new(&[seed; 32])
    }

    #[test]
    fn one_word_where_a_shape_is_1() {
        let mut tape = Tape::new(&[1 << 62, 1 << 62, 1 << 62]);
        let quarter = 0.25;
        assert!((beta(&mut tape, 1.0, 1.0).unwrap() - (1.0 - quarter)).abs() < 1e-15);
        assert!((beta(&mut tape, 1.0, 2.0).unwrap() - 0.5).abs() < 1e-15, "1 - sqrt(1/4)");
        assert!((beta(&mut tape, 0.5, 1.0).unwrap() - 0.0625).abs() < 1e-15);
        assert_eq!(tape.stream_position(), Some(24));
    }

    #[test]
    fn words_are_counted() {
        let draws = 20_000;
        for (a, b, must) in
            [(1.000_001, 1.000_001, 7.86), (2.0, 3.0, 7.68), (1e15, 1e15, 7.48), (0.5, 0.5, 2.0 + 7.68)]
        {
            let mut words = words(3);
            (0..draws).for_each(|_| assert!(beta(&mut words, a, b).unwrap() <= 1.0));
            let eaten = words.position() as f64 / 8.0 / f64::from(draws);
            assert!((eaten - must).abs() < 0.1, "{a} {b}: {eaten}");
        }
    }

    /// The first condition implies the second one, as stated in the paper, so it does not change the distribution.
    #[test]
    fn the_quick_condition_is_inside() {
        for d in [2.0 / 3.0, 1.0, 2.7, 100.0, 1e6, 1e12] {
            for step in -233..=233 {
                let z = f64::from(step) / 100.0;
                let y: f64 = z / (3.0 * f64::sqrt(d));
                let w = y * (3.0 + y * (3.0 + y));
                let border = (0.5 * z * z + d * (log1p(w) - w)).exp();
                assert!(1.0 - 0.0331 * z.powi(4) <= border + d * 1e-20, "{d} {z}");
            }
        }
    }

    /// The result is the same as with the second condition only, for the same random numbers.
    #[test]
    fn the_quick_condition_decides_nothing_else() {
        fn slow(words: &mut CounterRng, a: f64) -> f64 {
            let d = if a < 1.0 { a + 1.0 } else { a } - 1.0 / 3.0;
            let c = exp(-0.5 * ln(d)) / 3.0;
            loop {
                let (z, u) = (gaussian(words).unwrap(), unit_positive(words).unwrap());
                let y = c * z;
                let log = log1p(y * (3.0 + y * (3.0 + y)));
                if y > -1.0 && ln(u) <= 0.5 * (z * z) + d * (log - y * (3.0 + y * (3.0 + y))) {
                    let small = if a < 1.0 { minus_ln_unit(words.next_word()) / a } else { 0.0 };
                    return ln(d) + log - small;
                }
            }
        }
        for a in [0.25, 1.000_001, 1.5, 4.0, 100.0, 1e9] {
            let (mut quick, mut without) = (words(4), words(4));
            for _ in 0..20_000 {
                assert_eq!(log_gamma(&mut quick, a), Ok(slow(&mut without, a)), "{a}");
            }
            assert_eq!(quick.position(), without.position(), "{a}");
        }
    }

    #[test]
    fn ends_of_the_range() {
        for (a, b) in
            [(1e-300, 1e-300), (1e-300, 1e15), (1e15, 1e-300), (1e-3, 1e-3), (1e15, 1e15), (1.0, 1e-300)]
        {
            let mut words = words(5);
            for _ in 0..200 {
                assert!((0.0..=1.0).contains(&beta(&mut words, a, b).unwrap()), "{a} {b}");
            }
        }
        let message = |shape| beta(&mut Tape::new(&[]), 2.0, shape).unwrap_err().to_string();
        for shape in [0.0, -1.0, 1e-301, 1.1e15, f64::NAN, f64::INFINITY] {
            assert_eq!(message(shape), format!("a shape must be 1e-300 to 1e15, not {}", shown(shape)));
        }
        assert!(matches!(beta(&mut Tape::new(&[]), 2.0, 2.0), Err(Error::RandomSource(_))));
    }

    /// The expected values were computed by a separate Python program that follows `docs/spec/draw.md`.
    #[test]
    fn pinned() {
        let mut words = words(9);
        let shapes = [(2.0, 3.0), (0.5, 0.25), (1.0, 1.5), (1e-3, 1.0), (1e15, 5e14)];
        let bits = shapes.map(|(a, b)| beta(&mut words, a, b).unwrap().to_bits());
        assert_eq!(
            bits,
            [
                0x3fe0_8442_ba12_be15,
                0x3fef_7d67_8a1c_d980,
                0x3f9c_962f_ec68_31ed,
                0x065b_ba95_bf56_58a2,
                0x3fe5_5555_4962_951d
            ]
        );
    }
}
