//! The natural logarithm. ln m = 2 artanh(s), s = (m - 1)/(m + 1), for √½ <= m < √2, where |s| < 0.172; the series of
//! artanh needs no table and no fitted coefficients. The terms are added as in fdlibm (`e_log.c`, Sun Microsystems
//! 1993), so that the largest is exact: ln(1 + f) = f - (f²/2 - s·(f²/2 + R)), R = 2s²/3 + 2s⁴/5 + ….

/// ln 2 in two parts: the first one ends with 21 zero bits, so that its product with an exponent is exact.
pub(super) const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
pub(super) const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// 2/(2i + 3): the coefficients of R.
const SERIES: [f64; 11] = [
    2.0 / 3.0,
    2.0 / 5.0,
    2.0 / 7.0,
    2.0 / 9.0,
    2.0 / 11.0,
    2.0 / 13.0,
    2.0 / 15.0,
    2.0 / 17.0,
    2.0 / 19.0,
    2.0 / 21.0,
    2.0 / 23.0,
];

/// Returns the natural logarithm of x, which is the same on every machine. The error is less than 1 ulp (measured: at
/// most 0.79).
///
/// As in IEEE 754, ln 0 = -∞, ln ∞ = ∞, and the result for negative numbers and NaN is NaN. The error is the same for
/// subnormal numbers. Takes about 5 ns.
#[must_use]
pub fn ln(x: f64) -> f64 {
    // Positive, normal, finite.
    if (f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        return of_normal(x, 0, 0.0);
    }
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 && x < f64::INFINITY {
        const SCALE: f64 = (1_u64 << 54) as f64;
        of_normal(x * SCALE, -54, 0.0)
    } else if x > 0.0 {
        x
    } else {
        f64::NAN
    }
}

/// Returns ln(1 + x), with an error of less than 1 ulp even for arbitrarily small x (measured: at most 0.76). The
/// result is -∞ for x = -1, and NaN for x < -1 and NaN.
#[must_use]
pub fn log1p(x: f64) -> f64 {
    if !(x > -1.0 && x < f64::INFINITY) {
        return if x == -1.0 { f64::NEG_INFINITY } else { ln(x) };
    }
    let sum = 1.0 + x;
    // This is exactly the part that the addition rounded away. The larger number is subtracted first. If x is tiny, all
    // of x was rounded away.
    let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
    of_normal(sum, 0, lost / sum)
}

/// Returns -ln U for U = (word + ½)/2^64, which is neither 0 nor 1. If `word` is uniform, the result is exponentially
/// distributed, with values from 2^-65 to 45.1. Small results have full precision, because for U near 1, 1 - U is
/// rounded instead of U.
#[must_use]
#[inline]
pub fn minus_ln_unit(word: u64) -> f64 {
    const STEP: f64 = 1.0 / (1_u128 << 65) as f64;
    // The distance of U from the nearer of 0 and 1 is (2·away + 1)/2^65. The code has no branch, because half of the
    // branches would be mispredicted.
    let away = word ^ ((word as i64 >> 63) as u64);
    let part = (2 * away + 1) as f64 * STEP;
    let high = away != word;
    let sum = 1.0 - part;
    let (u, lost) = if high { (sum, (1.0 - sum) - part) } else { (part, 0.0) };
    -of_normal(u, 0, lost / u)
}

/// ln(x · 2^`twos`) + `rest`, for a normal number x.
#[inline]
fn of_normal(x: f64, twos: i32, rest: f64) -> f64 {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    // x = m · 2^e with √½ <= m < √2, extracted from its bits.
    let above = x.to_bits().wrapping_sub(ROOT_HALF);
    let e = (above as i64 >> 52) as i32;
    let f = f64::from_bits((above & ((1 << 52) - 1)) + ROOT_HALF) - 1.0;
    debug_assert!(f64::from_bits(ONE) == 1.0 && (-0.3..0.42).contains(&f));
    let twos = f64::from(e + twos);
    let (half_square, product) = parts(f);
    twos * LN_2_HIGH - ((half_square - (product + (twos * LN_2_LOW + rest))) - f)
}

/// f²/2, and s·(f²/2 + R).
#[inline]
fn parts(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    (half_square, s * (half_square + series(z)))
}

/// R, evaluated in two independent halves, which the CPU computes at the same time.
#[inline]
fn series(z: f64) -> f64 {
    let c = &SERIES;
    let w = z * z;
    let even = c[0] + w * (c[2] + w * (c[4] + w * (c[6] + w * (c[8] + w * c[10]))));
    let odd = c[1] + w * (c[3] + w * (c[5] + w * (c[7] + w * c[9])));
    z * (even + z * odd)
}
