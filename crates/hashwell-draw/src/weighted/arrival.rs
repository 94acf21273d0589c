//! The time at which a row arrives in the race: E/w, a float with an exponent of 12 bits.
//!
//! E is between 2^-65 and 45 and w can be any positive float, so E/w exceeds the range of floats at both ends. As it is
//! never negative, the sign bit extends the exponent: no precision is lost, and the order is that of the bits as an
//! integer. Arrivals have the same order as the logarithms of the race, but no logarithm has to be computed. Samples
//! exchange [`Arrival::ln`].

use crate::number::{expm1, ln, log1p, minus_ln_unit};

/// m·2^e as (e + 2048)·2^52 + the 52 bits of m after the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrival(pub(crate) u64);

const MANTISSA: u64 = (1 << 52) - 1;
const ONE: u64 = 1.0_f64.to_bits();

/// Splits a positive finite number x = m·2^e into m and e, with 1 <= m < 2.
#[inline]
fn split(x: f64) -> (f64, i64) {
    const SCALE: f64 = (1_u64 << 54) as f64;
    let (x, twos) = if x < f64::MIN_POSITIVE { (x * SCALE, -54) } else { (x, 0) };
    let bits = x.to_bits();
    (f64::from_bits(bits & MANTISSA | ONE), (bits >> 52) as i64 - 1023 + twos)
}

/// 2^e, for e from -1022 to 1023.
#[inline]
pub(crate) fn power_of_two(e: i64) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

impl Arrival {
    /// m·2^e, for m between ¼ and 4.
    #[inline]
    fn new(m: f64, e: i64) -> Self {
        // Adding to the bits of m also accounts for m's own exponent.
        Self(m.to_bits().wrapping_add(((e + 2048 - 1023) as u64) << 52))
    }

    #[inline]
    fn parts(self) -> (f64, i64) {
        (f64::from_bits(self.0 & MANTISSA | ONE), (self.0 >> 52) as i64 - 2048)
    }

    /// Returns true if a row can arrive at this time: no later than the lightest row with the smallest random number,
    /// and not so early that [`Arrival::jump`] would underflow. That limit is more than 2^500 times lower than the
    /// arrival of the heaviest row with the largest random number.
    pub(crate) fn is_possible(self) -> bool {
        self.parts().1 >= -1600 && self <= Self::of(0, f64::from_bits(1))
    }

    /// E/w for E = -ln U, where U is the uniform number given by `word`.
    #[inline]
    pub(crate) fn of(word: u64, weight: f64) -> Self {
        Self::quotient(minus_ln_unit(word), weight)
    }

    #[inline]
    fn quotient(e: f64, weight: f64) -> Self {
        let ((me, ee), (mw, ew)) = (split(e), split(weight));
        Self::new(me / mw, ee - ew)
    }

    /// A random arrival time E/w before this time T: E is exponential, conditional on E < T·w.
    #[inline]
    pub(crate) fn before(self, word: u64, weight: f64) -> Self {
        const STEP: f64 = 1.0 / (1_u128 << 65) as f64;
        const TINY: f64 = 1.0 / (1_u64 << 60) as f64;
        let most = self.times(weight);
        // U, or 1 - U if that is smaller: (2·word + 1)/2^65.
        let high = word >> 63 == 1;
        let part = (2 * if high { !word } else { word } + 1) as f64 * STEP;
        let u = if high { 1.0 - part } else { part };
        if most < TINY {
            // For such small T·w, E is uniform below it.
            let ((m, e), (mu, eu)) = (self.parts(), split(u));
            return Self::new(m * mu, e + eu);
        }
        let below = expm1(-most);
        let e = if high && most > 1.0 {
            // 1 - U·(1 - e^(-T·w)), computed from the smaller parts.
            -ln((1.0 + below) - part * below)
        } else {
            -log1p(u * below)
        };
        Self::quotient(e, weight)
    }

    /// T·w as a float, limited to about 2^±1000.
    #[inline]
    pub(crate) fn times(self, weight: f64) -> f64 {
        let ((m, e), (mw, ew)) = (self.parts(), split(weight));
        m * mw * power_of_two((e + ew).clamp(-1000, 1000))
    }

    /// Exp(1)/T·2^twos, and twos. The exponent is chosen so that the result is within the range of floats. Weights that
    /// are not negligible compared with the result stay within this range when they are multiplied by 2^twos.
    #[inline]
    pub(crate) fn jump(self, word: u64) -> (f64, i64) {
        let (m, e) = self.parts();
        let twos = if e < -700 {
            -600
        } else if e > 700 {
            600
        } else {
            0
        };
        (minus_ln_unit(word) / m * power_of_two(twos - e), twos)
    }

    /// ln(E/w).
    pub(crate) fn ln(self) -> f64 {
        let (m, e) = self.parts();
        ln(m) + e as f64 * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: [f64; 9] = [5e-324, 1e-310, 1e-300, 1e-6, 1.0, 3.0, 1e6, 1e300, f64::MAX];

    #[test]
    fn no_weight_is_too_small_or_too_large() {
        for word in [0, 1, 1 << 20, 1 << 63, u64::MAX - 5, u64::MAX] {
            for weight in WEIGHTS {
                let (arrival, e) = (Arrival::of(word, weight), minus_ln_unit(word));
                let must = ln(e) - ln(weight);
                assert!((arrival.ln() - must).abs() < 1e-12, "{word} {weight}: {} {must}", arrival.ln());
                let product = arrival.times(weight);
                assert!((product / e - 1.0).abs() < 1e-15, "{word} {weight}: {product} {e}");
                for other in WEIGHTS {
                    let less = Arrival::of(word, other) < arrival;
                    assert_eq!(less, other > weight, "{word}: {other} {weight}");
                }
            }
        }
    }

    #[test]
    fn rows_before_another_are_before_it() {
        for last in WEIGHTS.map(|weight| Arrival::of(1 << 62, weight)) {
            for weight in WEIGHTS {
                let mut before = Arrival(0);
                for word in [0, 1, 1 << 30, 1 << 62, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX] {
                    let arrival = last.before(word, weight);
                    assert!(arrival.0 <= last.0 + 8, "{} {}", arrival.ln(), last.ln());
                    assert!(arrival.0 >= before.0.saturating_sub(8), "it grows with the word");
                    before = arrival;
                }
                assert!(
                    Arrival::of(u64::MAX, weight) < last.before(u64::MAX, weight)
                        || last.times(weight) < 1e-18
                );
            }
        }
    }

    /// If a very light row arrives before another row, which is rare, its arrival time is uniform between 0 and the
    /// other row's arrival time: it is the product of that time and U, which is uniform on (0, 1).
    #[test]
    fn light_rows_arrive_at_any_time_before_another() {
        let last = Arrival::of(1 << 62, 1.0);
        for weight in [1e-19, 1e-200, 5e-324] {
            for word in [0, 1 << 40, 1 << 62, 3 << 61, u64::MAX - (1 << 40)] {
                let u = (word as f64 + 0.5) / 2_f64.powi(64);
                let off = last.before(word, weight).ln() - (last.ln() + ln(u));
                assert!(off.abs() < 1e-12, "{weight} {word}: {off}");
            }
        }
    }

    /// Saved arrivals that no row can have are rejected.
    #[test]
    fn arrivals_end_with_the_lightest_row() {
        let latest = Arrival::of(0, f64::from_bits(1));
        assert!(latest.is_possible() && !Arrival(latest.0 + 1).is_possible());
        let first = Arrival::new(1.0, -1600);
        assert!(first.is_possible() && !Arrival(first.0 - 1).is_possible());
    }

    #[test]
    fn jumps_have_room() {
        for last in WEIGHTS.map(|weight| Arrival::of(1 << 62, weight)) {
            for word in [0, 1 << 63, u64::MAX] {
                let (left, twos) = last.jump(word);
                assert!(left.is_normal());
                let must = ln(minus_ln_unit(word)) - last.ln();
                assert!((ln(left) - twos as f64 * std::f64::consts::LN_2 - must).abs() < 1e-11);
            }
        }
    }
}
